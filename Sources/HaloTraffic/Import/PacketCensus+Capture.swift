public import HaloCapture
import HaloProtocol

extension PacketCensus {
    /// Decodes the packets of a capture and counts them; a record is a line of its text.
    public init(of capture: Capture) {
        var links: [CaptureName?: Int] = [:]
        for case .packet(let packet) in capture.lines where links[packet.link] == nil {
            links[packet.link] = links.count
        }
        var sink = CensusSink(linkCount: links.count)
        for line in capture.timedLines {
            guard let packet = line.line.packet, let link = links[packet.link]
            else { continue }
            let place = RecordPlace(
                number: line.number, offset: 0, microseconds: line.moment.microseconds)
            packet.bytes.withUnsafeBufferPointer {
                sink.take(
                    .value(packet.direction, packet.channel, packet.action), $0.span, on: link,
                    at: place)
            }
        }
        sink.finish()
        self.init()
        entries = sink.tallies.entries
        recordCount = capture.lines.count
    }
}
