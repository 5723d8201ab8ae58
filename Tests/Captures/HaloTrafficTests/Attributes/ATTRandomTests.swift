import HaloCapture
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// Random packets of the attribute protocol: their events keep the rules.
@Suite(.computes) struct ATTRandomTests {
    /// Uniformly random bytes.
    private static func choices(_ seed: UInt64, count: Int) -> FuzzBytes {
        var random = SplitMix(seed: seed)
        return FuzzBytes((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    /// A packet with one of few handles, so that some packets belong together. Most have the usual
    /// direction, and many are the expected response.
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

    @Test func eventsOfOneConnectionKeepTheRules() {
        var counts = (answers: 0, acknowledgements: 0, confirmations: 0)
        for seed in 0..<300 as Range<UInt64> {
            var decoder = ATTDecoder()
            var output = ConversationOutput(AttributeRules(of: 7))
            output.connection = 7
            for (index, (direction, packet)) in Self.packets(seed).enumerated() {
                output.position = FilePosition(number: index + 1, offset: index, microseconds: 0)
                output.sink.number = index + 1
                let kept = ContiguousArray(packet)
                decoder.receive(kept.span, direction, into: &output)
            }
            decoder.end(into: &output)
            let rules = output.sink
            #expect(rules.violations == [], "seed \(seed)")
            counts.answers += rules.answerCount
            counts.acknowledgements += rules.acknowledgementCount
            counts.confirmations += rules.confirmationCount
        }
        // Else nothing was tested.
        #expect(min(counts.answers, counts.acknowledgements, counts.confirmations) > 1000)
    }

    /// The end of a connection leaves no state for the next one.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func theNextConnectionBeginsAnew(seed: UInt64) {
        var feed = AttributeFeed()
        for (direction, packet) in Self.packets(~seed) { feed.receive(direction, packet) }
        feed.end()
        let first = feed.probe.lines
        for (direction, packet) in Self.packets(~seed) { feed.receive(direction, packet) }
        feed.end()
        #expect(first + first == feed.probe.lines)
    }

    /// Checks the rules of connections, and decodes the attributes of each.
    private struct Told: ConversationSink {
        var rules = ConnectionRules()
        var count = 0

        mutating func receive(
            _ event: ConversationEvent, _ value: Span<UInt8>, on connection: Int,
            at position: FilePosition
        ) {
            rules.receive(event, on: connection)
            count += 1
        }
    }

    /// Links that begin and end; the beginning of some is missing.
    @Test func everyConnectionIsAnnouncedFirst() {
        for seed in 0..<200 as Range<UInt64> {
            var decoder = TrafficDecoder<ATTDecoder, Told>(Told())
            var choice = Self.choices(~seed, count: 4096)
            var last: UInt8?
            var position = FilePosition(number: 0, offset: 0, microseconds: 0)
            while choice.remaining > 0 {
                position = FilePosition(number: position.number + 1, offset: 0, microseconds: 0)
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
                    decoder.receive(.hci(.acl, way, adapter: 0), kept.span, at: position)
                    continue
                }
                let kept = ContiguousArray(bytes.dropFirst())
                let isCommand = bytes[0] == HCIPacketType.command.rawValue
                decoder.receive(
                    .hci(isCommand ? .command : .event, nil, adapter: 0), kept.span, at: position)
            }
            decoder.finish()
            #expect(decoder.sink.rules.violations == [], "seed \(seed)")
            #expect(decoder.sink.count > 20, "seed \(seed)")
        }
    }

    /// From the file to the capture: the written text is readable, for pieces of any length.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func writtenTextCanBeRead(seed: UInt64) throws {
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
