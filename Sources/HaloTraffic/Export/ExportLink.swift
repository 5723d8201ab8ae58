import HaloCapture
import HaloProtocol
import HaloTransport

/// One connection of an export: both sides of what the capture tells, packet by packet.
///
/// A connection has one request under way. One that comes earlier waits until the one before it
/// was answered, or 30 s have passed.
struct ExportLink: Sendable {
    var address: DeviceAddress
    var services: ExportedServices
    /// What is foreseen: the things that later lines offer or use.
    var foresight = ExportForesight()

    private var handle: UInt16 = 0
    private(set) var isConnected = false
    private var mtu = ATTPacket.leastMTU
    private var offers: [Offer] = []
    private var outstanding: Request?
    private var waiting: [ExportStep] = []
    /// Channels of indications that were not confirmed.
    private var unconfirmed: Set<CaptureChannel> = []

    /// How many answers belong to no request that could be written.
    private(set) var omissionCount = 0

    private struct Request {
        let step: ExportStep
        let attribute: UInt16
        let opcode: ATTOpcode
        let moment: Moment
    }

    private static let longestQueue = 64
    /// In microseconds; after that no answer counts.
    static let longestWait: Int64 = 30_000_000
    /// What both sides can take if the capture does not say and a value demands it.
    static let largestMTU: UInt16 = 517

    /// A connection by its number.
    ///
    /// Each of several has handles elsewhere: Wireshark 4.0 mixes up what the attributes are of
    /// devices that are connected at once.
    init(_ number: Int, address: DeviceAddress) {
        self.address = address
        services = ExportedServices(above: UInt16(truncatingIfNeeded: number % 16 * 0x0400))
    }

    /// Takes in a step; `nextHandle` is the one of the next connection.
    mutating func take(
        _ step: ExportStep, at moment: Moment, nextHandle: inout UInt16, into air: inout ExportAir
    ) throws(ExportError) {
        if case .connected(let mtu) = step {
            if isConnected { disconnect(reason: nil, &air) }
            return try connect(mtu, &nextHandle, &air)
        }
        if !isConnected { try connect(nil, &nextHandle, &air) }
        if case .offered(let offer) = step {
            guard offers.count < ATTPacket.lastHandle else {
                throw ExportError(.tooManyAttributes)
            }
            return offers.append(offer)
        }
        if !offers.isEmpty { try discoverOffers(&air) }
        if let outstanding, step.isRequest,
            moment.microseconds(since: outstanding.moment) <= Self.longestWait,
            waiting.count < Self.longestQueue
        {
            return waiting.append(step)
        }
        if step.isRequest { try giveUp(at: moment, &air) }
        try write(step, at: moment, &air)
    }

    /// Writes what is still held back; nothing follows.
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
        mtu = ATTPacket.leastMTU
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
    }

    /// Gives handles to what is offered, and lets the app find out about it: now, or when the
    /// request that is under way was answered.
    private mutating func discover(
        _ offers: some Sequence<Offer>, _ air: inout ExportAir
    ) throws(ExportError) {
        air.handle = handle
        let new = try services.add(offers)
        if outstanding == nil {
            air.discover(new, mtu: mtu)
        } else if !new.isEmpty {
            waiting.append(.discovered(Array(new)))
        }
    }

    private mutating func discoverOffers(_ air: inout ExportAir) throws(ExportError) {
        let new = offers.filter { services.characteristic($0.characteristic) == nil }
        offers = []
        if !new.isEmpty { try discover(new, &air) }
    }

    /// The characteristic, which is discovered now if it was not before.
    private mutating func characteristic(
        _ uuid: BluetoothUUID, _ use: GATTProperties, _ air: inout ExportAir
    ) throws(ExportError) -> ExportedCharacteristic? {
        if let known = services.characteristic(uuid) { return known }
        // What it will be used for is not known: usual properties, and the one that is needed.
        let usual: GATTProperties = [.read, .writeWithoutResponse, .write, .notify]
        let offer = Offer(
            service: ServiceCatalog.service(ofCharacteristic: uuid), characteristic: uuid,
            properties: usual.union(use))
        try discover([offer], &air)
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
        case .mtu(let mtu):
            exchange(mtu, &air)
        case .discovered(let services):
            air.discover(services[...], mtu: mtu)
        case .connected, .offered, .announced, .heard:
            break
        case .subscribed(_, let isOn):
            if let attribute { subscribe(attribute, isOn, &air) }
        case .value(let action, let channel, let bytes):
            guard let attribute else { break }
            try write(step, action, channel, bytes, attribute.value, at: moment, &air)
        case .asked:
            guard let attribute else { break }
            air.send(ATTPacket.read(attribute.value))
            outstanding = Request(
                step: step, attribute: attribute.value, opcode: .readRequest, moment: moment)
        case .confirmed(let channel):
            guard unconfirmed.remove(channel) != nil else { return omissionCount += 1 }
            air.send(ATTPacket.plain(.confirmation))
        case .acknowledged, .refused:
            if try !answer(step, at: moment, &air) { omissionCount += 1 }
        case .servicesChanged:
            if let attribute { try changeServices(attribute, &air) }
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
            outstanding = Request(step: step, attribute: attribute, opcode: opcode, moment: moment)
        case .read:
            if try answer(step, at: moment, &air) { return }
            // Whoever recorded it came too late for the question.
            try giveUp(at: moment, &air)
            air.send(ATTPacket.read(attribute))
            air.answer(bytes, of: attribute, mtu: mtu)
        case .command:
            makeRoom(for: bytes, &air)
            air.send(ATTPacket.value(.writeCommand, attribute, bytes))
        case .signed:
            let signed = bytes + [UInt8](repeating: 0, count: ATTOpcode.signatureLength)
            makeRoom(for: signed, &air)
            air.send(ATTPacket.value(.signedWriteCommand, attribute, signed))
        case .notified, .indicated:
            makeRoom(for: bytes, &air)
            let isIndication = action == .indicated
            if isIndication { unconfirmed.insert(channel) }
            let opcode: ATTOpcode = isIndication ? .indication : .notification
            air.receive(ATTPacket.value(opcode, attribute, bytes))
        }
    }

    private mutating func exchange(_ mtu: UInt16, _ air: inout ExportAir) {
        air.send(ATTPacket.exchangeMTU(.exchangeMTURequest, mtu))
        air.receive(ATTPacket.exchangeMTU(.exchangeMTUResponse, mtu))
        self.mtu = max(Int(mtu), ATTPacket.leastMTU)
    }

    private mutating func makeRoom(for value: [UInt8], _ air: inout ExportAir) {
        guard value.count + 3 > mtu, mtu < Self.largestMTU, outstanding == nil else { return }
        exchange(Self.largestMTU, &air)
    }

    private func subscribe(
        _ attribute: ExportedCharacteristic, _ isOn: Bool, _ air: inout ExportAir
    ) {
        guard let configuration = attribute.configuration else { return }
        let onlyIndicates = !attribute.properties.contains(.notify)
        let bits: UInt8 = isOn ? (onlyIndicates ? 2 : 1) : 0
        air.send(ATTPacket.value(.writeRequest, configuration, [bits, 0]))
        air.receive(ATTPacket.plain(.writeResponse))
    }

    private mutating func changeServices(
        _ attribute: ExportedCharacteristic, _ air: inout ExportAir
    ) throws(ExportError) {
        var handles: [UInt8] = []
        handles.putLittle(1 as UInt16)
        handles.putLittle(ATTPacket.lastHandle)
        air.receive(ATTPacket.value(.indication, attribute.value, handles))
        air.send(ATTPacket.plain(.confirmation))
        services.clear()
        try discover(foresight.next().plan, &air)
    }

    // MARK: Requests

    /// Writes a request with a value, in prepared pieces where it is too long for one packet; says
    /// which request is to be answered.
    private func request(
        _ value: [UInt8], _ attribute: UInt16, _ air: inout ExportAir
    ) -> ATTOpcode {
        guard value.count + 3 > mtu else {
            air.send(ATTPacket.value(.writeRequest, attribute, value))
            return .writeRequest
        }
        var offset = 0
        while offset < value.count {
            let piece = value[offset..<min(offset + mtu - 5, value.count)]
            let place = UInt16(truncatingIfNeeded: offset)
            for opcode in [ATTOpcode.prepareWriteRequest, .prepareWriteResponse] {
                let packet = ATTPacket.prepare(opcode, attribute, offset: place, piece)
                if opcode.isFromServer { air.receive(packet) } else { air.send(packet) }
            }
            offset += piece.count
        }
        air.send(ATTPacket.execute)
        return .executeWriteRequest
    }

    /// Writes the answer to a request that is under way or waits; `false` if there is none.
    private mutating func answer(
        _ step: ExportStep, at moment: Moment, _ air: inout ExportAir
    ) throws(ExportError) -> Bool {
        while let request = outstanding {
            if step.answers(request.step) {
                respond(step, to: request, &air)
                try drain(at: moment, &air)
                return true
            }
            // Those before the one that is answered were not.
            guard waiting.contains(where: { step.answers($0) }) else { break }
            try drain(at: moment, &air)
        }
        return false
    }

    private func respond(_ step: ExportStep, to request: Request, _ air: inout ExportAir) {
        switch step {
        case .refused(_, let code):
            air.receive(ATTPacket.error(of: request.opcode, request.attribute, code: code))
        case .value(_, _, let bytes):
            air.answer(bytes, of: request.attribute, mtu: mtu)
        default:
            let isPrepared = request.opcode == .executeWriteRequest
            air.receive(ATTPacket.plain(isPrepared ? .executeWriteResponse : .writeResponse))
        }
    }

    /// Ends the request that is under way, and lets those that wait go, up to the next one that
    /// is to be answered.
    private mutating func drain(at moment: Moment, _ air: inout ExportAir) throws(ExportError) {
        outstanding = nil
        while outstanding == nil, !waiting.isEmpty {
            try write(waiting.removeFirst(), at: moment, &air)
        }
    }

    /// Lets all go that wait: nobody answers.
    private mutating func giveUp(at moment: Moment, _ air: inout ExportAir) throws(ExportError) {
        repeat { try drain(at: moment, &air) } while !waiting.isEmpty
        outstanding = nil
    }
}
