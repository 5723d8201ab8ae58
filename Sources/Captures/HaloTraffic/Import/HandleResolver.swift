import HaloCapture
import HaloProtocol
import HaloTransport

/// Resolves the handles of each connection to UUIDs, each with its ``ResolutionBasis``.
///
/// In this order: the user's options; the device's discovery on this connection; its discovery on
/// another one, which an app may have cached; writes that switch notifications; the form of the
/// values; the layout of known rings.
struct HandleResolver {
    private let surveys: ContiguousArray<ConnectionSurvey>
    private let options: ImportOptions
    /// The attributes of each device, from all its connections.
    private var tables: [DeviceAddress: AttributeTable] = [:]
    private var orders: [DeviceAddress: AttributeOrder] = [:]

    /// The maximum number of attributes that connections list from one another's discoveries.
    /// Beyond it, a connection lists only the attributes that it has used.
    private static let sharedLimit = 4 * TrafficSurvey.attributeLimit

    init(_ surveys: ContiguousArray<ConnectionSurvey>, _ options: ImportOptions) {
        self.surveys = surveys
        self.options = options
        for survey in surveys {
            guard let address = survey.facts.address, survey.table.count > 0 else { continue }
            tables[address, default: AttributeTable()].fill(from: survey.table)
        }
        orders = tables.mapValues { AttributeOrder($0) }
    }

    func connections(names: HeardDevices) -> [TrafficConnection] {
        var room = Self.sharedLimit
        return surveys.map { survey in
            var connection = survey.facts
            connection.name = connection.address.flatMap { names.name(of: $0) }
            let handles = ConnectionHandles(survey, table(survey, &room), options.handles)
            connection.attributes = handles.attributes + named(survey)
            return connection
        }
    }

    /// The attributes discovered on this connection, and on others with the same device.
    private func table(_ survey: ConnectionSurvey, _ room: inout Int) -> AttributeTable {
        var whole = survey.table
        guard let address = survey.facts.address, let table = tables[address],
            let order = orders[address], table.count > whole.count
        else { return whole }
        if table.count <= room {
            room -= table.count
            whole.fill(from: table)
        } else {
            whole.fill(from: table.part(for: survey.handles.lazy.map(\.handle), order))
        }
        return whole
    }

    /// The attributes of channels named by the log: one for each direction.
    private func named(_ survey: ConnectionSurvey) -> [TrafficAttribute] {
        var attributes: [BluetoothUUID: TrafficAttribute] = [:]
        // Sorted: of two channels with values of one UUID, the last one decides.
        for (channel, traffic) in survey.channels.sorted(by: { $0.key.words < $1.key.words }) {
            for direction in Direction.allCases {
                guard let uuid = channel.uuid(direction) else { continue }
                let basis: ResolutionBasis = uuid.unnamedHandle == nil ? .named : .unknown
                // A log can have values of both directions of a characteristic of one direction.
                attributes[uuid, default: TrafficAttribute(handle: nil, uuid: uuid, basis: basis)]
                    .add(traffic, direction, isOneWay: channel.uuids.count > 1)
            }
        }
        return attributes.values.filter(\.isUsed)
            .sorted { ($0.uuid.high, $0.uuid.low) < ($1.uuid.high, $1.uuid.low) }
    }
}

/// The attributes of one connection, by their handles.
private struct ConnectionHandles {
    private let survey: ConnectionSurvey
    /// The attributes discovered on this connection and on others.
    private let whole: AttributeTable
    private let order: AttributeOrder
    private var found: [UInt16: TrafficAttribute] = [:]

    private static let farthestDescriptor: UInt16 = 8

    /// The handles of an R10 and an R12, as captured from both.
    private static let layout: [(handle: UInt16, uuid: BluetoothUUID)] = [
        (0x10, RingServices.uartWrite), (0x12, RingServices.uartNotify),
        (0x16, RingServices.bigDataWrite), (0x18, RingServices.bigDataNotify),
        (0x1E, CharacteristicCatalog.hardwareRevision.uuid),
        (0x20, CharacteristicCatalog.firmwareRevision.uuid),
    ]

    /// Resolves the attributes to their types, and finds the values that they switch.
    init(
        _ survey: ConnectionSurvey, _ whole: AttributeTable, _ mapped: [UInt16: BluetoothUUID]
    ) {
        self.survey = survey
        self.whole = whole
        order = AttributeOrder(whole)
        let handles = Set(survey.handles.map(\.handle)).union(whole.characteristics.keys)
            .union(whole.types.keys)
        for handle in handles {
            if let uuid = mapped[handle] {
                name(handle, uuid, .mapped)
            } else if let uuid = survey.table.uuid(of: handle) {
                name(handle, uuid, .discovered)
            } else if let uuid = whole.uuid(of: handle) {
                name(handle, uuid, .discoveredElsewhere)
            }
        }
        findSwitches()
        recognise()
        for handle in handles where found[handle] == nil {
            name(handle, .unnamed(handle: handle), .unknown)
        }
    }

    private mutating func name(
        _ handle: UInt16, _ uuid: BluetoothUUID, _ basis: ResolutionBasis
    ) {
        found[handle] = TrafficAttribute(handle: handle, uuid: uuid, basis: basis)
    }

    /// The attributes with their traffic, in the order of handles.
    var attributes: [TrafficAttribute] {
        let handles = found.keys.sorted()
        return zip(handles, order.services(of: handles)).compactMap { handle, service in
            guard var attribute = found[handle] else { return nil }
            attribute.describes = described(by: handle, attribute)
            attribute.service = service?.uuid
            attribute.properties = whole.characteristics[handle]?.properties
            if let traffic = survey.traffic(handle) {
                for direction in Direction.allCases {
                    attribute.add(traffic, direction, isOneWay: false)
                }
            }
            return attribute
        }
    }

    // MARK: Descriptors

    /// The handle of the value that a descriptor belongs to: its own one if that is not known;
    /// `nil` for a value.
    private func described(by handle: UInt16, _ attribute: TrafficAttribute) -> UInt16? {
        guard whole.characteristics[handle] == nil else { return nil }
        if let value = attribute.subscribes { return value }
        // Some devices send values from an attribute behind the value.
        guard survey.traffic(handle)?.notified.count ?? 0 == 0 else { return nil }
        let value = order.value(before: handle).flatMap {
            handle - $0 <= Self.farthestDescriptor ? $0 : nil
        }
        if AttributeUUIDs.isDescriptor(attribute.uuid) { return value ?? handle }
        guard let value, attribute.basis != .mapped,
            whole.hasOnlyDescriptors(after: value, to: handle)
        else { return nil }
        return value
    }

    /// Finds the descriptors that switch notifications: the known ones, and those with values of
    /// that form.
    private mutating func findSwitches() {
        for handle in found.keys where found[handle]?.uuid == AttributeUUIDs.clientConfiguration {
            let value = order.value(before: handle) ?? notifier(before: handle)
            found[handle]?.subscribes = value
        }
        for traffic in survey.handles
        where found[traffic.handle] == nil && traffic.isConfiguration {
            guard let value = switched(by: traffic.handle) else { continue }
            name(traffic.handle, AttributeUUIDs.clientConfiguration, .subscribed)
            found[traffic.handle]?.subscribes = value
        }
    }

    /// The value handle whose notifications an unnamed handle switches.
    private func switched(by handle: UInt16) -> UInt16? {
        if let value = order.value(before: handle), handle - value <= 3,
            whole.characteristics[value]?.properties.canSubscribe == true
        {
            return value
        }
        return notifier(before: handle)
    }

    /// The handle with notifications that is one or two before another one.
    private func notifier(before handle: UInt16) -> UInt16? {
        for distance: UInt16 in 1...2 where handle > distance {
            let traffic = survey.traffic(handle - distance)
            if let traffic, traffic.notified.count > 0 { return handle - distance }
        }
        return nil
    }

    // MARK: Recognition

    /// Recognises unnamed attributes by their values and by their handles.
    private mutating func recognise() {
        let nameless = survey.handles.filter { found[$0.handle] == nil }
        recognise(RingServices.uartWrite, nameless, by: \.toDevice.frameCount) {
            $0.toDevice.hasFrames && $0.notified.count == 0
        }
        recognise(RingServices.uartNotify, nameless, by: \.fromDevice.frameCount) {
            $0.fromDevice.hasFrames && $0.written.count == 0
        }
        recognise(RingServices.bigDataWrite, nameless, by: \.written.count) {
            $0.toDevice.hasBigData && $0.notified.count == 0
        }
        recognise(RingServices.bigDataNotify, nameless, by: \.notified.count) {
            $0.fromDevice.hasBigData && $0.written.count == 0
        }
        let heartRate = CharacteristicCatalog.heartRateMeasurement.uuid
        recognise(heartRate, nameless, by: \.notified.count) {
            $0.fromDevice.hasBeats && $0.written.count == 0 && $0.read.count == 0
        }
        applyLayout(nameless)
    }

    /// Names the candidate with the highest count. Each characteristic names at most one handle.
    private mutating func recognise(
        _ uuid: BluetoothUUID, _ nameless: [HandleTraffic],
        by count: (HandleTraffic) -> Int, _ isCandidate: (HandleTraffic) -> Bool
    ) {
        guard !found.values.contains(where: { $0.uuid == uuid }) else { return }
        let free = nameless.filter { found[$0.handle] == nil && isCandidate($0) }
        guard let best = free.max(by: { count($0) < count($1) }) else { return }
        name(best.handle, uuid, .recognised)
    }

    /// Applies the layout of the known rings, if frames were recognised at both of its handles.
    private mutating func applyLayout(_ nameless: [HandleTraffic]) {
        let isKnown = Self.layout.prefix(2).allSatisfy { (handle, uuid) in
            found[handle].map { $0.uuid == uuid && $0.basis == .recognised } ?? false
        }
        guard isKnown else { return }
        for (handle, uuid) in Self.layout where found[handle] == nil {
            let isUsed = nameless.contains { $0.handle == handle }
            let isTaken = found.values.contains { $0.uuid == uuid }
            if isUsed, !isTaken { name(handle, uuid, .layout) }
        }
    }
}

extension TrafficAttribute {
    /// Adds the counts of an attribute or a channel; only of one direction if each has an attribute
    /// of its own.
    fileprivate mutating func add(
        _ traffic: HandleTraffic, _ direction: Direction, isOneWay: Bool
    ) {
        refusalCount = traffic.refusalCount
        let isWritten = !isOneWay || direction == .toDevice
        if isWritten, traffic.written.count > 0 { written = traffic.written }
        let isNotified = !isOneWay || direction == .fromDevice
        if isNotified, traffic.notified.count > 0 { notified = traffic.notified }
        if isNotified, traffic.read.count > 0 { read = traffic.read }
        let isMostlyFrames =
            direction == .toDevice
            ? traffic.toDevice.isMostlyFrames : traffic.fromDevice.isMostlyFrames
        hasRingFrames = hasRingFrames || isMostlyFrames
    }
}
