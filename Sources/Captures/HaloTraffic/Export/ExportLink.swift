import HaloCapture
import HaloProtocol
import HaloTransport

/// One connection of an export, with the packets of both sides.
///
/// A connection has at most one pending request. A further request waits for the response to the
/// pending one, at most 30 s. Nothing waits for writes of a capture that has no response to any.
struct ExportLink: Sendable {
    var address: DeviceAddress
    var services: ExportedServices
    var foresight = ExportForesight()

    private var handle: UInt16 = 0
    private(set) var isConnected = false
    private var mtu = Self.leastMTU
    private var offers: [Offer] = []
    private var outstanding:
        (step: ExportStep, attribute: UInt16, opcode: ATTOpcode, moment: Moment)?
    private var waiting: [ExportStep] = []
    private var unconfirmed: Set<CaptureChannel> = []
    /// The refusals of subscriptions, which are written with their requests.
    private var refusals: Set<ExportStep> = []

    /// The number of lines that were left out: responses without a request, and values of
    /// descriptors that nothing was prepared for.
    private(set) var omissionCount = 0

    private static let longestQueue = 64
    private static let leastMTU = Int(ATTDecoder.leastMTU)
    /// The timeout of a request in microseconds; a later response is not written.
    static let longestWait: Int64 = 30_000_000
    /// The maximum transfer unit for a long value if the capture has none.
    static let largestMTU = CaptureEvent.mtuRange.upperBound

    /// Creates a connection with a number.
    ///
    /// The number selects a range of handles: Wireshark 4.0 mixes up the attributes of devices that
    /// are connected at once.
    init(_ number: Int, address: DeviceAddress) {
        self.address = address
        services = ExportedServices(above: UInt16(truncatingIfNeeded: number % 16 * 0x0400))
    }

    /// Writes a step, or queues it. `nextHandle` is the connection handle of the next connection.
    mutating func receive(
        _ step: ExportStep, at moment: Moment, nextHandle: inout UInt16, into air: inout ExportAir
    ) throws(ExportError) {
        if case .event(.connected(let mtu)) = step {
            if isConnected { disconnect(reason: nil, &air) }
            return try connect(mtu, &nextHandle, &air)
        }
        if !isConnected { try connect(nil, &nextHandle, &air) }
        if case .event(let event) = step, let offer = Offer(event) {
            guard offers.count < UInt16.max else {
                throw .tooManyAttributes
            }
            return offers.append(offer)
        }
        if !offers.isEmpty { try discoverOffers(&air) }
        let step = withRefusal(step)
        if let outstanding, step.isRequest,
            moment.microseconds(since: outstanding.moment) <= Self.longestWait,
            waiting.count < Self.longestQueue
        {
            return waiting.append(step)
        }
        if step.isRequest { try giveUp(at: moment, &air) }
        try write(step, at: moment, &air)
    }

    /// Returns a step, with its refusal if it is a change of a subscription that will be refused.
    private mutating func withRefusal(_ step: ExportStep) -> ExportStep {
        let isOn: Bool
        let channel: CaptureChannel
        switch step {
        case .event(.subscribed(let its)): (isOn, channel) = (true, its)
        case .event(.unsubscribed(let its)): (isOn, channel) = (false, its)
        default: return step
        }
        guard let code = foresight.nextRefusal() else { return step }
        refusals.insert(.event(.refused(channel, code: code)))
        return .refusedChange(channel, isOn: isOn, code: code)
    }

    /// Writes the steps that still wait, at the end of the export.
    mutating func finish(at moment: Moment, into air: inout ExportAir) throws(ExportError) {
        guard isConnected else { return }
        if !offers.isEmpty { try discoverOffers(&air) }
        try giveUp(at: moment, &air)
    }

    // MARK: Connections

    private mutating func connect(
        _ named: UInt16?, _ nextHandle: inout UInt16, _ air: inout ExportAir
    ) throws(ExportError) {
        handle = nextHandle
        nextHandle = nextHandle < 0x0EFF ? nextHandle + 1 : 1
        isConnected = true
        services.descriptors = foresight.descriptors
        mtu = Self.leastMTU
        air.put(HCIEventPacket.connected(handle, address))
        air.handle = handle
        let part = foresight.next()
        if let named {
            exchange(named, &air)
        } else if !part.namesMTU, part.longestValue + 3 > mtu {
            exchange(Self.largestMTU, &air)
        }
        let new = part.plan.filter { services.characteristic($0.characteristic) == nil }
        _ = try services.add(new)
        air.discover(services.services[...], mtu: mtu)
    }

    private mutating func disconnect(reason: UInt8?, _ air: inout ExportAir) {
        let reason = reason ?? ControllerReason.unspecified
        air.put(HCIEventPacket.disconnected(handle, reason: reason))
        isConnected = false
        outstanding = nil
        waiting = []
        unconfirmed = []
        refusals = []
    }

    /// Assigns handles to offers, and writes their discovery: now, or after the response to the
    /// pending request.
    private mutating func discover(
        _ offers: some Sequence<Offer>, _ air: inout ExportAir
    ) throws(ExportError) {
        air.handle = handle
        let new = try services.add(offers)
        if outstanding == nil {
            air.discover(new, mtu: mtu)
        } else if !new.isEmpty {
            waiting.append(.discovery(Array(new)))
        }
    }

    private mutating func discoverOffers(_ air: inout ExportAir) throws(ExportError) {
        let new = offers.filter { services.characteristic($0.characteristic) == nil }
        offers = []
        if !new.isEmpty { try discover(new, &air) }
    }

    /// Returns the characteristic, after its discovery if it is new.
    private mutating func characteristic(
        _ uuid: BluetoothUUID, _ use: GATTProperties, _ air: inout ExportAir
    ) throws(ExportError) -> ExportedCharacteristic? {
        if let known = services.characteristic(uuid) { return known }
        // Later uses are not known: the characteristic gets the usual properties, and the one it
        // needs.
        let usual: GATTProperties = [.read, .writeWithoutResponse, .write, .notify]
        try discover([Offer(using: uuid, usual.union(use))], &air)
        return services.characteristic(uuid)
    }

    // MARK: Steps

    private mutating func write(
        _ step: ExportStep, at moment: Moment, _ air: inout ExportAir
    ) throws(ExportError) {
        air.handle = handle
        var attribute: ExportedCharacteristic?
        if let (uuid, use) = step.use { attribute = try characteristic(uuid, use, &air) }
        switch step {
        case .event(let event):
            try write(event, attribute, at: moment, &air)
        case .refusedChange(_, let isOn, let code):
            if let attribute { subscribe(attribute, isOn, refusal: code, &air) }
        case .value(let action, let channel, let bytes):
            guard let handle = attribute?.handle(of: channel) else { return omissionCount += 1 }
            try write(step, action, channel, bytes, handle, at: moment, &air)
        case .discovery(let services):
            air.discover(services[...], mtu: mtu)
        case .advertisement:
            break
        }
    }

    private mutating func write(
        _ event: CaptureEvent, _ attribute: ExportedCharacteristic?, at moment: Moment,
        _ air: inout ExportAir
    ) throws(ExportError) {
        switch event {
        case .mtu(let mtu):
            exchange(mtu, &air)
        case .connected, .offers, .advertised:
            break
        case .subscribed:
            if let attribute { subscribe(attribute, true, &air) }
        case .unsubscribed:
            if let attribute { subscribe(attribute, false, &air) }
        case .read(let channel):
            guard let handle = attribute?.handle(of: channel) else { return omissionCount += 1 }
            air.put(.readRequest, handle)
            outstanding = (.event(event), handle, .readRequest, moment)
        case .confirmed(let channel):
            guard unconfirmed.remove(channel) != nil else { return omissionCount += 1 }
            air.put(.confirmation)
        case .acknowledged, .refused:
            if try answer(.event(event), at: moment, &air) { break }
            if refusals.remove(.event(event)) == nil { omissionCount += 1 }
        case .servicesChanged:
            guard let attribute else { break }
            // The value of Service Changed: the first and the last handle.
            air.put(.indication, attribute.value, 1, UInt16.max)
            air.put(.confirmation)
            services.clear()
            try discover(foresight.next().plan, &air)
        case .encrypted:
            air.put(HCIEventPacket.encrypted(handle))
        case .disconnected(let reason):
            try giveUp(at: moment, &air)
            disconnect(reason: reason, &air)
        }
    }

    private mutating func write(
        _ step: ExportStep, _ action: CaptureAction, _ channel: CaptureChannel, _ bytes: [UInt8],
        _ attribute: UInt16, at moment: Moment, _ air: inout ExportAir
    ) throws(ExportError) {
        switch action {
        case .write:
            let opcode = request(bytes, attribute, &air)
            if foresight.hasNoResponse { break }
            outstanding = (step, attribute, opcode, moment)
        case .read:
            if try answer(step, at: moment, &air) { return }
            // The recording began after the request.
            try giveUp(at: moment, &air)
            air.put(.readRequest, attribute)
            air.answer(bytes, of: attribute, mtu: mtu)
        case .command:
            makeRoom(for: bytes, &air)
            air.put(.writeCommand, attribute, value: bytes)
        case .signed:
            let signed = bytes + [UInt8](repeating: 0, count: ATTOpcode.signatureLength)
            makeRoom(for: signed, &air)
            air.put(.signedWriteCommand, attribute, value: signed)
        case .notified, .indicated:
            makeRoom(for: bytes, &air)
            let isIndication = action == .indicated
            if isIndication { unconfirmed.insert(channel) }
            let opcode: ATTOpcode = isIndication ? .indication : .notification
            air.put(opcode, attribute, value: bytes)
        }
    }

    private mutating func exchange(_ mtu: UInt16, _ air: inout ExportAir) {
        air.put(.exchangeMTURequest, mtu)
        air.put(.exchangeMTUResponse, mtu)
        self.mtu = max(Int(mtu), Self.leastMTU)
    }

    private mutating func makeRoom(for value: [UInt8], _ air: inout ExportAir) {
        guard value.count + 3 > mtu, mtu < Self.largestMTU, outstanding == nil else { return }
        exchange(Self.largestMTU, &air)
    }

    private func subscribe(
        _ attribute: ExportedCharacteristic, _ isOn: Bool, refusal: UInt8? = nil,
        _ air: inout ExportAir
    ) {
        guard let configuration = attribute.configuration else { return }
        let onlyIndicates = !attribute.properties.contains(.notify)
        let bits: UInt8 = isOn ? (onlyIndicates ? 2 : 1) : 0
        air.put(.writeRequest, configuration, value: [bits, 0])
        if let refusal {
            air.refuse(.writeRequest, configuration, code: refusal)
        } else {
            air.put(.writeResponse)
        }
    }

    // MARK: Requests

    /// Writes a request with a value, in prepared pieces if it is too long for one packet. Returns
    /// the opcode of the request that the response is for.
    private func request(
        _ value: [UInt8], _ attribute: UInt16, _ air: inout ExportAir
    ) -> ATTOpcode {
        guard value.count + 3 > mtu else {
            air.put(.writeRequest, attribute, value: value)
            return .writeRequest
        }
        var offset = 0
        while offset < value.count {
            let piece = value[offset..<min(offset + mtu - 5, value.count)]
            let start = UInt16(truncatingIfNeeded: offset)
            for opcode in [ATTOpcode.prepareWriteRequest, .prepareWriteResponse] {
                air.put(opcode, attribute, start, value: piece)
            }
            offset += piece.count
        }
        air.put(.executeWriteRequest, value: [1])
        return .executeWriteRequest
    }

    /// Writes the response to the pending request or a waiting one. Returns `false` if it has none.
    private mutating func answer(
        _ step: ExportStep, at moment: Moment, _ air: inout ExportAir
    ) throws(ExportError) -> Bool {
        while let request = outstanding {
            if step.answers(request.step) {
                switch step {
                case .event(.refused(_, let code)):
                    air.refuse(request.opcode, request.attribute, code: code)
                case .value(_, _, let bytes):
                    air.answer(bytes, of: request.attribute, mtu: mtu)
                default:
                    let isPrepared = request.opcode == .executeWriteRequest
                    air.put(isPrepared ? .executeWriteResponse : .writeResponse)
                }
                try drain(at: moment, &air)
                return true
            }
            // Requests before the answered one have no response.
            guard waiting.contains(where: { step.answers($0) }) else { break }
            try drain(at: moment, &air)
        }
        return false
    }

    /// Ends the pending request, and writes the waiting steps up to the next request.
    private mutating func drain(at moment: Moment, _ air: inout ExportAir) throws(ExportError) {
        outstanding = nil
        while outstanding == nil, !waiting.isEmpty {
            try write(waiting.removeFirst(), at: moment, &air)
        }
    }

    /// Writes all waiting steps, since their requests have no response.
    private mutating func giveUp(at moment: Moment, _ air: inout ExportAir) throws(ExportError) {
        repeat { try drain(at: moment, &air) } while !waiting.isEmpty
        outstanding = nil
    }
}

extension CaptureAction {
    var property: GATTProperties {
        switch self {
        case .read: .read
        case .write: .write
        case .command: .writeWithoutResponse
        case .signed: .signedWrite
        case .notified: .notify
        case .indicated: .indicate
        }
    }
}
