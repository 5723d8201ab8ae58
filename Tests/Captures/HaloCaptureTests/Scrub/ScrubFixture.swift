import CaptureSupport
import HaloCapture
import HaloProtocol
import Testing

/// A capture of `Fixtures/`, by the name of its file.
struct ScrubFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let capture: Capture
    /// The capture, scrubbed with the seed 21.
    let scrubbed: Capture

    var testDescription: String { name }

    /// All captures below `Fixtures/`, in the order of their names.
    static let all: [ScrubFixture] = {
        let folder = FixtureFolder()
        return folder.captures.compactMap { name in
            guard let capture = try? folder.capture(name),
                let scrubbed = try? capture.scrubbed(seed: 21).capture
            else { return nil }
            return ScrubFixture(
                name: String(name.dropLast(5)), capture: capture, scrubbed: scrubbed)
        }
    }()

    /// The packets in order.
    var packets: [CapturePacket] { capture.lines.compactMap(\.packet) }
}

extension Capture {
    /// The packets in order.
    var packets: [CapturePacket] { lines.compactMap(\.packet) }

    /// The packets as decoders receive them: big-data frames are joined.
    var wholePackets: [WholePacket] {
        var whole: [WholePacket] = []
        var streams: [Direction: BigDataReassembler] = [:]
        for packet in packets {
            guard packet.channel == .bigData else {
                whole.append(WholePacket(packet.channel, packet.direction, packet.bytes))
                continue
            }
            var reassembler = streams[packet.direction] ?? BigDataReassembler()
            reassembler.receive(packet.bytes)
            while let event = reassembler.nextEvent() {
                switch event {
                case .frame(let frame):
                    whole.append(WholePacket(.bigData, packet.direction, frame.bytes))
                case .uart(let frame):
                    whole.append(WholePacket(.uart, packet.direction, Array(frame.bytes)))
                case .fault: break
                }
            }
            streams[packet.direction] = reassembler
        }
        return whole
    }
}

/// A whole packet, for tests.
struct WholePacket {
    let channel: CaptureChannel
    let direction: Direction
    let bytes: [UInt8]

    init(_ channel: CaptureChannel, _ direction: Direction, _ bytes: [UInt8]) {
        self.channel = channel
        self.direction = direction
        self.bytes = bytes
    }

    var explanation: Explanation? {
        channel.packetKind.map { Explanation(of: bytes, as: $0, direction: direction) }
    }

    /// The name under which the fields are listed.
    var subject: String? {
        if case .characteristic(let uuid) = channel {
            return CharacteristicCatalog.entry(uuid)?.name.description
        }
        return explanation?.packet?.subject.description
    }
}
