#if !hasFeature(Embedded)
/// The frames of one command from a device, received one after another.
///
/// A reply begins with the last frame that can begin one, and has no frame too many and none that
/// its assembly refuses. So a stray frame costs at most the reply in whose middle it stands. An
/// assembly has a bounded size, and each frame is joined once.
package struct ReplyReader: Sendable {
    private var assembly: (any ReplyAssembly)?
    private var count = 0

    /// Creates a reader that has received no frame.
    package init() {}

    /// Receives the next frame; returns the reply whose last frame it is, else `nil`.
    package mutating func receive(
        _ frame: Frame, _ type: any ReplyAssembly.Type
    ) -> (reading: String, frames: [Frame])? {
        if type.begins(frame) { (assembly, count) = (type.init(), 0) }
        count += 1
        do throws(PacketError) {
            guard let answer = try assembly?.join(frame) else { return nil }
            assembly = nil
            guard let reply = answer.value, reply.frames.count == count else { return nil }
            return reply
        } catch {
            assembly = nil
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
