/// The type of a ``ReplyAssembly`` as a value.
package struct FrameJoiner: Sendable {
    /// A whole reply of any type.
    package struct Joined: Hashable, Sendable {
        /// The text that fixtures and captures show.
        package let reading: String
        /// The frames that the reply encodes as.
        package let frames: [Frame]

        init(_ reply: some ManyFrameReply) {
            reading = reply.description
            frames = reply.frames
        }

        /// Compares the frames.
        package static func == (left: Joined, right: Joined) -> Bool {
            left.frames == right.frames
        }

        /// Hashes the frames.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(frames)
        }
    }

    /// Joins frames until one completes the reply; `used` is the number of frames up to it.
    ///
    /// Errors on the way are collected; they do not end the assembly.
    package let join:
        @Sendable (ArraySlice<Frame>) -> (
            answer: Answer<Joined>?, used: Int, faults: [PacketError]
        )

    #if !hasFeature(Embedded)
    /// Returns an assembly that begins with a frame; `nil` if no reply begins with it.
    package let assembly: @Sendable (Frame) -> (any ReplyAssembly)?
    #endif

    init<Assembly: ReplyAssembly>(_ type: Assembly.Type) {
        #if !hasFeature(Embedded)
        assembly = { Assembly.begins($0) ? Assembly() : nil }
        #endif
        join = { frames in
            var assembly = Assembly()
            var faults: [PacketError] = []
            for (index, frame) in frames.enumerated() {
                do throws(PacketError) {
                    guard let answer = try assembly.receive(frame) else { continue }
                    return (answer.map { Joined($0) }, index + 1, faults)
                } catch {
                    faults.append(error)
                }
            }
            return (nil, frames.count, faults)
        }
    }
}
