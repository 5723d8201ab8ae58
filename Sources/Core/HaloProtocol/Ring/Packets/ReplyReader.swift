#if !hasFeature(Embedded)
/// The frames of one command from a device, received one after another.
///
/// A reply begins with the last frame that can begin one, and has no frame too many and none that
/// its assembly refuses. So a stray frame costs at most the reply in whose middle it stands. An
/// assembly has a bounded size, and each frame is joined once.
package struct ReplyReader: Sendable {
    /// The reply that has begun, with the frames so far.
    private var begun: (assembly: any ReplyAssembly, frames: [Frame])?

    /// More than any reply has; a capture may repeat one frame for ever.
    private static let maximumFrames = 1024

    package init() {}

    /// Receives the next frame; returns the reply whose last frame it is, with the frames that were
    /// joined and those that the reply encodes as, else `nil`.
    package mutating func receive(
        _ frame: Frame, _ type: any ReplyAssembly.Type
    ) -> (reading: String, joined: [Frame], encoded: [Frame])? {
        if type.begins(frame) { begun = (type.init(), []) }
        guard var (assembly, frames) = begun.take(), frames.count < Self.maximumFrames else {
            return nil
        }
        frames.append(frame)
        do throws(PacketError) {
            guard let answer = try assembly.join(frame) else {
                begun = (assembly, frames)
                return nil
            }
            guard let reply = answer.value, reply.frames.count == frames.count else { return nil }
            return (reply.reading, frames, reply.frames)
        } catch {
            return nil
        }
    }
}

extension ReplyAssembly {
    /// Receives one frame; returns the text and the frames of a reply of any type.
    package mutating func join(
        _ frame: Frame
    ) throws(PacketError) -> Answer<(reading: String, frames: [Frame])>? {
        try receive(frame)?.map { ($0.description, $0.frames) }
    }
}
#endif
