import HaloCapture
import HaloProtocol
import Testing

/// A packet of a fixture, with what stands around it.
struct FixturePacket: Sendable {
    /// The file it stands in.
    let file: FixtureFile
    /// The line of its last piece, counted from 1.
    let line: Int
    /// Which way it went.
    let direction: Direction
    /// Where it was written, or where it came from.
    let channel: CaptureChannel
    /// All its bytes: the pieces of a big-data frame are joined.
    let bytes: [UInt8]
    /// Its tags, those that hold for one packet only.
    let tags: [String: String]
    /// Its `=` lines.
    var readings: [String]
    /// Its `!` line.
    var error: String?
    /// Blocks of lines without a blank one between are numbered.
    let paragraph: Int

    /// Where a failure is reported.
    var location: SourceLocation { file.location(line: line) }

    /// Why the packet may break a rule, if it may.
    var exception: String? { tags["exception"] }

    /// The packets of a file, in order.
    static func all(of file: FixtureFile) -> [FixturePacket] {
        var collector = Collector(file: file)
        for (index, line) in file.capture.lines.enumerated() { collector.take(line, index) }
        return collector.finish()
    }

    private struct Collector {
        let file: FixtureFile
        var packets: [FixturePacket] = []
        var paragraph = 0
        var tags: [String: String] = [:]
        var pending: (packet: CapturePacket, bytes: [UInt8], tags: [String: String])?
        var whole: FixturePacket?
        var readings: [String] = []
        var error: String?

        mutating func take(_ line: CaptureLine, _ index: Int) {
            switch line {
            case .blank: paragraph += 1
            case .comment(let text):
                if let tag = text.tag { tags[tag] = text.tagged }
            case .packet(let packet): take(packet, index)
            case .reading(let text): readings.append(text.text)
            case .error(let text): error = text.text
            case .version, .name, .event, .elapsed: break
            }
        }

        private mutating func take(_ packet: CapturePacket, _ index: Int) {
            flush()
            var bytes = packet.bytes
            var tags = tags
            if packet.channel == .bigData, file.folder != "Invalid" {
                if let pending, pending.packet.direction == packet.direction {
                    bytes = pending.bytes + bytes
                    tags = pending.tags
                }
                pending = nil
                if Self.isUnfinished(bytes) {
                    pending = (packet, bytes, tags)
                    self.tags = [:]
                    return
                }
            }
            whole = FixturePacket(
                file: file, line: index + 1, direction: packet.direction,
                channel: packet.channel, bytes: bytes, tags: tags, readings: [], error: nil,
                paragraph: paragraph)
            self.tags = [:]
        }

        /// Whether more pieces of a big-data frame must follow.
        private static func isUnfinished(_ bytes: [UInt8]) -> Bool {
            guard bytes.count >= BigDataFrame.headerLength else { return true }
            return bytes.count < BigDataFrame.headerLength + Int(bytes[2]) + Int(bytes[3]) << 8
        }

        private mutating func flush() {
            if var whole {
                whole.readings = readings
                whole.error = error
                packets.append(whole)
            }
            whole = nil
            readings = []
            error = nil
        }

        mutating func finish() -> [FixturePacket] {
            flush()
            return packets
        }
    }
}
