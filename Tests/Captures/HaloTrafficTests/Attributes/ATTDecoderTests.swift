import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The events of attribute protocol packets.
@Suite(.computes) struct ATTDecoderTests {
    private static let scenarios = Scenario.all(in: "Golden/Captures/AttributePackets.txt")

    private static func packets(_ scenario: Scenario) -> [String] {
        scenario.text.split(separator: "\n").filter { $0.first != " " }.map(String.init)
    }

    @Test(arguments: scenarios) func tells(_ scenario: Scenario) throws {
        let packets = Self.packets(scenario)
        let events = AttributeFeed.lines(packets.joined(separator: "\n"))
        try scenario.expect((packets + events.map { "    \($0)" }).joined(separator: "\n"))
    }

    @Test(arguments: ATTOpcode.allCases)
    func refusesShortBlocks(opcode: ATTOpcode) {
        for length in 1..<opcode.minimumLength {
            for direction in Direction.allCases {
                var feed = AttributeFeed()
                feed.receive(
                    direction, [opcode.rawValue] + [UInt8](repeating: 1, count: length - 1))
                #expect(feed.probe.lines == ["odd: a packet is shorter than it has to be"])
            }
        }
    }

    /// Values of any lengths, some of them empty: each value is reported once.
    @Test func emitsEveryNotificationOfAPacket() {
        for number in 0..<256 {
            let lengths = (0..<4).map { (number >> ($0 * 2)) & 3 }
            for count in 1...4 {
                var packet: [UInt8] = [0x23]
                var told: [String] = []
                for (index, length) in lengths.prefix(count).enumerated() {
                    let value = [UInt8](repeating: UInt8(index), count: length)
                    packet += [UInt8(index + 1), 0, UInt8(length), 0] + value
                    told.append("notified \(index + 1)" + value.map { " 0\($0)" }.joined())
                }
                for extra in 0..<4 {
                    var feed = AttributeFeed()
                    feed.receive(.fromDevice, packet + [UInt8](repeating: 9, count: extra))
                    let odd = extra == 0 ? [] : ["odd: a packet is shorter than it has to be"]
                    #expect(feed.probe.lines == told + odd, "\(lengths.prefix(count)) \(extra)")
                }
            }
        }
    }

    /// Truncated packets make no event with more bytes than they have.
    @Test(arguments: scenarios)
    func keepsPacketsThatAreCut(_ scenario: Scenario) {
        let lines = Self.packets(scenario)
        for (index, line) in lines.enumerated() {
            let whole = bytes(String(line.dropFirst()))
            for count in 0..<whole.count {
                var feed = AttributeFeed()
                for before in lines[..<index] { feed.receive(before) }
                feed.receive(
                    line.first == ">" ? .toDevice : .fromDevice, Array(whole.prefix(count)))
                for after in lines[(index + 1)...] { feed.receive(after) }
                feed.end()
                #expect(feed.probe.lines.count <= 12)
            }
        }
    }
}
