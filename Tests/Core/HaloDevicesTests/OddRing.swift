import HaloProtocol
import HaloSimulator
import HaloTransport

/// A virtual ring that can be made deaf, slow to finish its replies, or to change its services.
struct OddRing: GATTPeripheral {
    /// The ring's reaction to writes.
    enum Hearing: Sendable {
        /// The ring receives and answers all requests.
        case everything
        /// The ring receives all requests, and answers none.
        case nothing
        /// The ring sends only the first frame of replies to these opcodes, and again with each
        /// drip; it receives no other requests.
        case dripping(Set<UInt8>)
        /// The ring receives a number of writes, and then no more.
        case onlyAtFirst(Int)
        /// The ring receives all requests but these opcodes.
        case everythingBut(Set<UInt8>)
    }

    private(set) var ring: VirtualRing
    private var hearing: Hearing
    private var heard = 0
    private var drop: PeripheralEffect?
    private var hasBegun = false
    private var drips = false
    /// The number of changes of the services; with each change all attributes get other numbers.
    private(set) var epoch: UInt32 = 0
    private var announced: UInt32 = 0
    /// The writes that could be decoded, in order.
    private(set) var written: [Frame] = []
    /// Further services, whose discovery takes time.
    private let ballast: [GATTService]

    init(
        _ hearing: Hearing = .everything, _ profile: RingProfile = .r10, days: Int = 1,
        furtherServices: Int = 0, options: VirtualRingOptions = VirtualRingOptions()
    ) {
        ring = VirtualRing(profile, days: days, options: options)
        self.hearing = hearing
        ballast = (0..<UInt32(furtherServices)).map {
            GATTService(BluetoothUUID(0xAA00 + $0), characteristics: [])
        }
    }

    private static let shift: UInt32 = 100

    var services: [GATTService] {
        ballast
            + ring.services.map { service in
                GATTService(
                    service.uuid,
                    characteristics: service.characteristics.map { characteristic in
                        GATTCharacteristic(
                            outward(characteristic.id), characteristic.uuid,
                            characteristic.properties)
                    })
            }
    }

    mutating func hear(_ hearing: Hearing) { self.hearing = hearing }

    /// Sends the beginning of its last reply again.
    mutating func drip() { drips = true }

    /// Sets the ring's clock, as another program does.
    mutating func shiftClock(bySeconds seconds: Int) { ring.shiftClock(bySeconds: seconds) }

    /// Changes the services: the same ones, under other numbers.
    mutating func changeServices() { epoch += 1 }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        var own = PeripheralEffects()
        if let event = inward(event) {
            if case .write(_, let bytes, let token) = event, !isHeard(bytes) {
                own.accept(token)
            } else {
                ring.handle(event, at: now, into: &own)
            }
        }
        for effect in own.all where passes(effect) { effects.append(outward(effect)) }
        if drips, let drop { effects.append(outward(drop)) }
        drips = false
        if announced != epoch {
            announced = epoch
            effects.append(.servicesChanged)
        }
    }

    private mutating func isHeard(_ bytes: [UInt8]) -> Bool {
        if let frame = try? Frame(decoding: bytes) { written.append(frame) }
        guard let opcode = bytes.first else { return false }
        switch hearing {
        case .everything: return true
        case .nothing: return false
        case .dripping(let opcodes):
            hasBegun = false
            drop = nil
            return opcodes.contains(opcode)
        case .onlyAtFirst(let count):
            heard += 1
            return heard <= count
        case .everythingBut(let opcodes): return !opcodes.contains(opcode)
        }
    }

    private mutating func passes(_ effect: PeripheralEffect) -> Bool {
        guard case .dripping = hearing, case .notify = effect else { return true }
        defer { hasBegun = true }
        if !hasBegun { drop = effect }
        return !hasBegun
    }

    private func outward(_ id: AttributeID) -> AttributeID {
        AttributeID(id.rawValue + epoch * Self.shift)
    }

    private func outward(_ effect: PeripheralEffect) -> PeripheralEffect {
        switch effect {
        case .notify(let id, let bytes): .notify(outward(id), bytes)
        case .indicate(let id, let bytes): .indicate(outward(id), bytes)
        default: effect
        }
    }

    private func inward(_ id: AttributeID) -> AttributeID? {
        guard id.rawValue / Self.shift == epoch else { return nil }
        return AttributeID(id.rawValue - epoch * Self.shift)
    }

    /// The event with the ring's own attribute numbers; `nil` for an attribute from before a
    /// change.
    private func inward(_ event: PeripheralEvent) -> PeripheralEvent? {
        switch event {
        case .read(let id, let offset, let token):
            inward(id).map { .read($0, offset: offset, token: token) }
        case .write(let id, let bytes, let token):
            inward(id).map { .write($0, bytes, token: token) }
        case .subscription(let id, let isOn): inward(id).map { .subscription($0, isOn: isOn) }
        case .confirmed(let id): inward(id).map { .confirmed($0) }
        default: event
        }
    }
}
