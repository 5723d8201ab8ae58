import HaloProtocol

/// The replies of many frames in a capture: a run of frames of one command from a device, without a
/// request of that command between them, has one reply after another.
struct RecordedReplies: Sendable {
    private struct Command: Hashable {
        let link: CaptureName?
        let opcode: UInt8
    }

    private var readers: [Command: ReplyReader] = [:]
    /// The maximum number of commands that are kept apart. With one more, open replies are lost.
    private let limit: Int

    init(limit: Int = .max) {
        self.limit = limit
    }

    /// Receives a packet of a connection; returns the reply whose last frame it is, with the frames
    /// that were joined and those that the reply encodes as, otherwise `nil`.
    mutating func receive(
        _ packet: CapturePacket, link: CaptureName?
    ) -> (reading: String, joined: [Frame], encoded: [Frame])? {
        guard packet.channel == .uart, let frame = try? Frame(decoding: packet.bytes),
            let assembly = CommandCatalog.entry(opcode: frame.opcode)?.assembly
        else { return nil }
        let command = Command(link: link, opcode: frame.opcode)
        guard packet.direction == .fromDevice else {
            readers[command] = nil
            return nil
        }
        if readers.count >= limit, readers[command] == nil { readers = [:] }
        return readers[command, default: ReplyReader()].receive(frame, assembly)
    }

    mutating func end(_ link: CaptureName?) {
        readers = readers.filter { $0.key.link != link }
    }
}
