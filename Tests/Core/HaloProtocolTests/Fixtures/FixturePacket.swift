import HaloCapture
import HaloProtocol
import Testing

/// A packet of a fixture, with its tags and expected readings.
struct FixturePacket: Sendable {
    /// The file of the packet.
    let file: FixtureFile
    /// The 1-based line of its last part.
    let line: Int
    /// The direction.
    let direction: Direction
    /// The channel on which it was written or notified.
    let channel: CaptureChannel
    /// The bytes; the parts of a big-data frame are joined.
    let bytes: [UInt8]
    /// The tags of this packet only.
    let tags: [String: String]
    /// The `=` lines.
    var readings: [String]
    /// The `!` line, or `nil`.
    var error: String?
    /// The number of its block: blank lines separate blocks.
    let paragraph: Int

    /// The source location for failures.
    var location: SourceLocation { file.location(line: line) }

    /// The reason why the packet may break a rule, or `nil`.
    var exception: String? { tags["exception"] }

    /// Returns the packets of a file, in order.
    static func all(of file: FixtureFile) -> [FixturePacket] {
        var collector = Collector(file: file)
        for (index, line) in file.capture.lines.enumerated() { collector.receive(line, index) }
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

        mutating func receive(_ line: CaptureLine, _ index: Int) {
            switch line {
            case .blank: paragraph += 1
            case .comment(let text):
                if let tag = text.tag { tags[tag] = text.tagged }
            case .packet(let packet): receive(packet, index)
            case .reading(let text): readings.append(text.text)
            case .error(let text): error = text.text
            case .version, .name, .event, .elapsed: break
            }
        }

        private mutating func receive(_ packet: CapturePacket, _ index: Int) {
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

        /// `true` if more parts of a big-data frame must follow.
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
