import HaloCapture
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloTraffic

/// Packets of the attribute protocol that nobody meant: what is told of them makes sense.
@Suite struct ATTRandomTests {
    /// Bytes of which none is likelier than others.
    private static func choices(_ seed: UInt64, count: Int) -> FuzzBytes {
        var random = SplitMix(seed: seed)
        return FuzzBytes((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    /// One packet, of few handles, so that some belong together. Most go the way they should, and
    /// many are what the one before waits for.
    private static func packet(
        _ choice: inout FuzzBytes, after last: UInt8?
    ) -> (Direction, [UInt8]) {
        let isLong = choice.byte() > 250
        var packet = choice.bytes(choice.length(upTo: isLong ? 600 : 12))
        var direction: Direction = choice.flag() ? .toDevice : .fromDevice
        // Answers are numbered behind their requests.
        let answer = choice.flag() ? last.flatMap { ATTOpcode(rawValue: $0 &+ 1) } : nil
        guard let opcode = answer ?? choice.choice(of: ATTOpcode.allCases), choice.byte() > 10
        else { return (direction, packet) }
        if packet.count < opcode.minimumLength, choice.byte() > 20 {
            packet += [UInt8](repeating: 0, count: opcode.minimumLength - packet.count)
        }
        if packet.isEmpty { packet = [0] }
        packet[0] = opcode.rawValue
        if packet.count > 2 { (packet[1], packet[2]) = (packet[1] & 3, 0) }
        if packet.count > 4, opcode == .prepareWriteResponse || opcode == .readBlobRequest {
            (packet[3], packet[4]) = (packet[3] & 23, 0)
        }
        if choice.byte() > 10 { direction = opcode.isFromServer ? .fromDevice : .toDevice }
        return (direction, packet)
    }

    static func packets(_ seed: UInt64, count: Int = 8192) -> [(Direction, [UInt8])] {
        var choice = choices(seed, count: count)
        var packets: [(Direction, [UInt8])] = []
        while choice.remaining > 0 {
            packets.append(packet(&choice, after: packets.last?.1.first))
        }
        return packets
    }

    @Test func whatIsToldOfOneConnectionMakesSense() {
        var counts = (answers: 0, acknowledgements: 0, confirmations: 0)
        for seed in 0..<300 as Range<UInt64> {
            var follower = ATTFollower()
            var rules = AttributeRules(of: 7)
            var place = RecordPlace(number: 0, offset: 0, microseconds: 0)
            for (index, (direction, packet)) in Self.packets(seed).enumerated() {
                place = RecordPlace(number: index + 1, offset: index, microseconds: 0)
                rules.number = place.number
                let kept = ContiguousArray(packet)
                follower.take(kept.span, direction, on: 7, at: place, into: &rules)
            }
            follower.end(on: 7, at: place, into: &rules)
            #expect(rules.violations == [], "seed \(seed)")
            counts.answers += rules.answerCount
            counts.acknowledgements += rules.acknowledgementCount
            counts.confirmations += rules.confirmationCount
        }
        // Else nothing was tested.
        #expect(min(counts.answers, counts.acknowledgements, counts.confirmations) > 1000)
    }

    /// A connection that has ended leaves nothing behind for the next one.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func theNextConnectionBeginsAnew(seed: UInt64) {
        var feed = AttributeFeed()
        for (direction, packet) in Self.packets(~seed) { feed.take(direction, packet) }
        feed.end()
        let first = feed.probe.lines
        for (direction, packet) in Self.packets(~seed) { feed.take(direction, packet) }
        feed.end()
        #expect(first + first == feed.probe.lines)
    }

    /// Keeps the rules of connections, with attributes followed on each.
    private struct Told: ConversationSink {
        var rules = ConnectionRules()
        var count = 0

        mutating func take(
            _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
            at place: RecordPlace
        ) {
            rules.take(event, on: connection)
            count += 1
        }
    }

    /// Links that come and go, some of which nobody saw come.
    @Test func everyConnectionIsAnnouncedFirst() {
        for seed in 0..<200 as Range<UInt64> {
            var links = LinkFollower<ATTFollower>()
            var told = Told()
            var choice = Self.choices(~seed, count: 4096)
            var last: UInt8?
            var place = RecordPlace(number: 0, offset: 0, microseconds: 0)
            while choice.remaining > 0 {
                place = RecordPlace(number: place.number + 1, offset: 0, microseconds: 0)
                let handle = 0x40 + UInt16(choice.byte() & 3)
                let bytes: [UInt8]
                switch choice.byte() & 31 {
                case 0: bytes = HaloTrafficTests.bytes(HCISamples.connected)
                case 1: bytes = HaloTrafficTests.bytes(HCISamples.connectedEnhanced)
                case 2: bytes = HaloTrafficTests.bytes(HCISamples.disconnected)
                case 3: bytes = HaloTrafficTests.bytes(HCISamples.encrypted)
                case 4: bytes = HaloTrafficTests.bytes(HCISamples.reset)
                default:
                    let (direction, packet) = Self.packet(&choice, after: last)
                    last = packet.first
                    bytes =
                        direction == .toDevice
                        ? HCISamples.fromHost(handle, packet)
                        : HCISamples.fromController(handle, packet)
                    let way: HCIDirection = direction == .toDevice ? .toController : .toHost
                    let kept = ContiguousArray(bytes.dropFirst())
                    links.take(
                        .hci(.acl, way, adapter: 0), kept.span, at: place, into: &told)
                    continue
                }
                let kept = ContiguousArray(bytes.dropFirst())
                let isCommand = bytes[0] == HCIPacketType.command.rawValue
                links.take(
                    .hci(isCommand ? .command : .event, nil, adapter: 0), kept.span, at: place,
                    into: &told)
            }
            links.finish(at: place, into: &told)
            #expect(told.rules.violations == [], "seed \(seed)")
            #expect(told.count > 20, "seed \(seed)")
        }
    }

    /// From the file to the capture: what is written can be read, whatever the pieces.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func whatIsWrittenCanBeRead(seed: UInt64) throws {
        var script = SnoopScript()
        script.connect()
        for (direction, packet) in Self.packets(seed, count: 4096) {
            script.say(direction, packet)
        }
        script.disconnect()
        let text = try ImportPasses.text(script.bytes)
        #expect(try ImportPasses.text(script.bytes, pieces: 13) == text)
        let capture = try Capture(reading: text)
        #expect(capture.text == text)
        let events = capture.lines.filter { $0.packet != nil || $0.isEvent }
        #expect(events.first == .event(.connected(mtu: nil), link: nil))
        #expect(events.last == .event(.disconnected(reason: 0x13), link: nil))
        #expect(events.count > 20)
    }
}

extension CaptureLine {
    fileprivate var isEvent: Bool {
        if case .event = self { true } else { false }
    }
}
