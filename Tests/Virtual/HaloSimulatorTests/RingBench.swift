import HaloProtocol
import HaloSimulator
import HaloTransport

/// A host of a ring without a radio: it handles each effect at once.
struct RingBench {
    /// A notification with its moment.
    struct Heard: Hashable {
        let moment: Moment
        let channel: RingChannel
        let bytes: [UInt8]
    }

    var ring: VirtualRing
    private(set) var now = Moment.origin
    private(set) var heard: [Heard] = []
    /// The effects other than notifications, replies and requests to be woken.
    private(set) var others: [PeripheralEffect] = []
    /// The replies to reads and writes, by token.
    private(set) var answers: [ResponseToken: PeripheralEffect] = [:]
    private(set) var wake: Moment?
    private(set) var wakings = 0
    private var effects = PeripheralEffects()
    private var tokens: UInt32 = 0

    /// The wall clock in the captures of an R10.
    static let start = CivilDateTime(secondsSince1970: 1_782_999_000)

    init(_ ring: VirtualRing, at start: CivilDateTime = RingBench.start) {
        self.ring = ring
        handle(.started(WallClock(local: start, secondsFromUTC: 0)))
    }

    /// Connects a central that subscribes to both channels.
    static func connected(
        _ profile: RingProfile = .r10, wearer: Wearer = Wearer(), days: Int = 3,
        options: VirtualRingOptions = VirtualRingOptions(),
        at start: CivilDateTime = RingBench.start
    ) -> RingBench {
        var bench = RingBench(
            VirtualRing(profile, wearer: wearer, days: days, options: options), at: start)
        bench.connect()
        return bench
    }

    mutating func connect(maximumLength: Int = 244, subscribing: Bool = true) {
        handle(.connected)
        handle(.maximumLength(maximumLength))
        guard subscribing else { return }
        for uuid in [RingServices.uartNotify, RingServices.bigDataNotify] {
            handle(.subscription(attribute(uuid), isOn: true))
        }
    }

    func attribute(_ uuid: BluetoothUUID) -> AttributeID {
        for service in ring.services {
            if let found = service.characteristic(uuid) { return found.id }
        }
        return AttributeID(.max)
    }

    mutating func handle(_ event: PeripheralEvent) {
        effects.removeAll()
        ring.handle(event, at: now, into: &effects)
        for effect in effects.all { note(effect) }
    }

    private mutating func note(_ effect: PeripheralEffect) {
        switch effect {
        case .notify(let attribute, let bytes):
            let isUART = attribute == self.attribute(RingServices.uartNotify)
            heard.append(
                Heard(moment: now, channel: isUART ? .uart : .bigData, bytes: bytes))
        case .wake(let moment): wake = moment
        case .value(_, let token), .done(let token), .refuse(_, let token):
            answers[token] = effect
        case .indicate, .disconnect, .advertise, .servicesChanged, .requestParameters:
            others.append(effect)
        }
    }

    /// Advances the time, and wakes the ring when due.
    mutating func advance(by duration: Duration) { advance(to: now + duration) }

    mutating func advance(to end: Moment) {
        while let due = wake, due <= end {
            now = max(now, due)
            wakings += 1
            handle(.woken)
        }
        now = max(now, end)
    }

    /// Jumps to a moment without waking the ring.
    mutating func jump(to moment: Moment) { now = moment }

    mutating func write(
        _ bytes: [UInt8], to uuid: BluetoothUUID, withResponse: Bool = false
    ) {
        tokens += 1
        let token = withResponse ? ResponseToken(tokens) : nil
        handle(.write(attribute(uuid), bytes, token: token))
    }

    mutating func read(_ uuid: BluetoothUUID, offset: Int = 0) -> PeripheralEffect? {
        tokens += 1
        handle(.read(attribute(uuid), offset: offset, token: ResponseToken(tokens)))
        return answers[ResponseToken(tokens)]
    }

    mutating func send(_ frame: Frame) {
        write(Array(frame.bytes), to: RingServices.uartWrite)
    }

    mutating func send(_ frame: BigDataFrame) {
        write(frame.bytes, to: RingServices.bigDataWrite)
    }

    /// Removes and returns the received packets.
    mutating func take() -> [Heard] {
        defer { heard = [] }
        return heard
    }

    /// Changes the ring from outside, as a host does.
    mutating func modify(_ change: (inout VirtualRing) -> Void) {
        change(&ring)
        handle(.changed)
    }
}

extension RingBench {
    /// Removes and returns the received frames.
    mutating func takeFrames() -> [Frame] {
        take().filter { $0.channel == .uart }.compactMap { try? Frame(decoding: $0.bytes) }
    }

    /// Removes and returns the received records.
    mutating func takeRecords() -> [BigDataFrame] {
        var reassembler = BigDataReassembler()
        var frames: [BigDataFrame] = []
        for piece in take() where piece.channel == .bigData {
            reassembler.receive(piece.bytes)
            while let event = reassembler.nextEvent() {
                if case .frame(let frame) = event { frames.append(frame) }
            }
        }
        return frames
    }

    /// Sends a request, and returns the frames of its command within some seconds.
    mutating func ask(_ request: some RequestPacket, within time: Duration = .seconds(5)) -> [Frame]
    {
        _ = take()
        send(request.frame)
        advance(by: time)
        return takeFrames().filter {
            $0.opcode == request.frame.opcode || $0.refusedOpcode == request.frame.opcode
        }
    }

    /// Sends a request, and returns the records within some seconds.
    mutating func ask(
        _ request: some BigDataRequest, within time: Duration = .seconds(5)
    ) -> [BigDataFrame] {
        ask(request.frame, within: time)
    }

    /// Sends a record, and returns the records within some seconds.
    mutating func ask(
        _ request: BigDataFrame, within time: Duration = .seconds(5)
    ) -> [BigDataFrame] {
        _ = take()
        send(request)
        advance(by: time)
        return takeRecords()
    }

    /// Sends a request, and returns its whole reply of many frames.
    mutating func join<Assembly: ReplyAssembly>(
        _ request: some RequestPacket, _ type: Assembly.Type
    ) throws -> Answer<Assembly.Reply>? {
        var assembly = Assembly()
        for frame in ask(request) {
            if let answer = try assembly.receive(frame) { return answer }
        }
        return nil
    }
}
