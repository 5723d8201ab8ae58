import HaloCapture
import HaloProtocol
import HaloTransport

/// Says what the handles of each connection are, and how that is known.
///
/// In this order: what the user has said; what the device has said on this connection; what it has
/// said on another one, since an app may remember that and not ask again; what was written to
/// switch notifications; what the values look like; where the rest lies on rings that are known.
struct HandleResolver {
    private let surveys: ContiguousArray<ConnectionSurvey>
    private let options: ImportOptions
    /// What each device has said on all its connections.
    private var tables: [DeviceAddress: AttributeTable] = [:]
    private var orders: [DeviceAddress: AttributeOrder] = [:]

    /// How many attributes are listed in all that connections know of one another. Beyond that, a
    /// connection has those that it has used.
    private static let sharedLimit = 4 * TrafficSurvey.attributeLimit

    /// What was found of an attribute.
    struct Resolution: Hashable, Sendable {
        var uuid: BluetoothUUID
        var basis: ResolutionBasis
        var subscribes: UInt16?
    }

    init(_ surveys: ContiguousArray<ConnectionSurvey>, _ options: ImportOptions) {
        self.surveys = surveys
        self.options = options
        for survey in surveys {
            guard let address = survey.facts.address, survey.table.count > 0 else { continue }
            tables[address, default: AttributeTable()].fill(from: survey.table)
        }
        orders = tables.mapValues { AttributeOrder($0) }
    }

    /// All connections with their attributes.
    func connections(names: HeardDevices) -> [TrafficConnection] {
        var room = Self.sharedLimit
        return surveys.map { survey in
            var connection = survey.facts
            connection.name = connection.address.flatMap { names.name(of: $0) }
            connection.attributes = attributes(survey, &room)
            return connection
        }
    }

    private func attributes(
        _ survey: ConnectionSurvey, _ room: inout Int
    ) -> [TrafficAttribute] {
        let whole = table(survey, &room)
        let order = AttributeOrder(whole)
        let resolutions = resolve(survey, whole, order)
        let handles = resolutions.keys.sorted()
        let services = order.services(of: handles)
        let known = zip(handles, services).compactMap { handle, service -> TrafficAttribute? in
            guard let resolution = resolutions[handle] else { return nil }
            var attribute = TrafficAttribute(
                handle: handle, uuid: resolution.uuid, basis: resolution.basis)
            attribute.subscribes = resolution.subscribes
            attribute.service = service?.uuid
            attribute.properties = whole.characteristics[handle]?.properties
            if let traffic = survey.traffic(handle) { attribute.take(traffic) }
            return attribute
        }
        return known + named(survey)
    }

    /// What the device has said, on this connection and on others.
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

    /// What goes over channels that the log names: each way is an attribute.
    private func named(_ survey: ConnectionSurvey) -> [TrafficAttribute] {
        var attributes: [TrafficAttribute] = []
        for (channel, traffic) in survey.channels {
            for direction in Direction.allCases {
                guard let uuid = channel.uuid(direction) else { continue }
                var attribute = TrafficAttribute(handle: nil, uuid: uuid, basis: .named)
                attribute.take(traffic, direction, isOneWay: channel.uuids.count > 1)
                let isSame = attributes.contains { $0.uuid == uuid }
                if attribute.isUsed, !isSame { attributes.append(attribute) }
            }
        }
        return attributes.sorted { ($0.uuid.high, $0.uuid.low) < ($1.uuid.high, $1.uuid.low) }
    }

    // MARK: One connection

    private func resolve(
        _ survey: ConnectionSurvey, _ whole: AttributeTable, _ order: AttributeOrder
    ) -> [UInt16: Resolution] {
        let handles = Set(survey.handles.map(\.handle)).union(whole.characteristics.keys)
            .union(whole.types.keys)
        var found: [UInt16: Resolution] = [:]
        for handle in handles {
            if let uuid = options.handles[handle] {
                found[handle] = Resolution(uuid: uuid, basis: .mapped)
            } else if let uuid = survey.table.uuid(of: handle) {
                found[handle] = Resolution(uuid: uuid, basis: .discovered)
            } else if let uuid = whole.uuid(of: handle) {
                found[handle] = Resolution(uuid: uuid, basis: .discoveredElsewhere)
            }
        }
        findSwitches(survey, whole, order, &found)
        HandleRecognition.apply(survey.handles, &found)
        for handle in handles where found[handle] == nil {
            found[handle] = Resolution(uuid: .unnamed(handle: handle), basis: .unknown)
        }
        return found
    }

    /// Descriptors that switch notifications: those that are known, and those that look like it.
    private func findSwitches(
        _ survey: ConnectionSurvey, _ whole: AttributeTable, _ order: AttributeOrder,
        _ found: inout [UInt16: Resolution]
    ) {
        for handle in found.keys where found[handle]?.uuid == AttributeUUIDs.clientConfiguration {
            found[handle]?.subscribes =
                order.value(before: handle) ?? notifier(before: handle, survey)
        }
        for traffic in survey.handles
        where found[traffic.handle] == nil && traffic.isConfiguration {
            guard let value = switched(by: traffic.handle, survey, whole, order) else { continue }
            found[traffic.handle] = Resolution(
                uuid: AttributeUUIDs.clientConfiguration, basis: .subscribed, subscribes: value)
        }
    }

    /// Whose notifications a handle switches that nobody has named.
    private func switched(
        by handle: UInt16, _ survey: ConnectionSurvey, _ whole: AttributeTable,
        _ order: AttributeOrder
    ) -> UInt16? {
        if let value = order.value(before: handle), value >= handle - min(handle, 3),
            whole.characteristics[value]?.properties.canSubscribe == true
        {
            return value
        }
        return notifier(before: handle, survey)
    }

    /// The handle that notifies, one or two before another one.
    private func notifier(before handle: UInt16, _ survey: ConnectionSurvey) -> UInt16? {
        for distance: UInt16 in 1...2 where handle > distance {
            let traffic = survey.traffic(handle - distance)
            if let traffic, traffic.notified.count > 0 { return handle - distance }
        }
        return nil
    }
}

extension TrafficAttribute {
    /// Takes over what went over a handle.
    fileprivate mutating func take(_ traffic: HandleTraffic) {
        written = traffic.written
        notified = traffic.notified
        read = traffic.read
        refusalCount = traffic.refusalCount
    }

    /// Takes over what went over a channel: one way of it, if each way has its own attribute.
    fileprivate mutating func take(
        _ traffic: HandleTraffic, _ direction: Direction, isOneWay: Bool
    ) {
        if !isOneWay || direction == .toDevice { written = traffic.written }
        if !isOneWay || direction == .fromDevice { notified = traffic.notified }
    }
}
