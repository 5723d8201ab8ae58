/// A many-frame answer's assembly as a value.
public struct FrameJoiner: Sendable {
    /// A whole answer, whatever its type.
    public struct Joined: Hashable, Sendable {
        /// The answer as captures write it.
        public let reading: String
        /// The answer cut into frames again.
        public let frames: [Frame]

        /// Equal frames say the same.
        public static func == (left: Joined, right: Joined) -> Bool {
            left.frames == right.frames
        }

        /// Hashes the frames.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(frames)
        }
    }

    /// Joins frames until one completes the answer, and says how many that took.
    ///
    /// Faults on the way are collected; they do not end the assembly.
    public let join:
        @Sendable (ArraySlice<Frame>) -> (
            answer: Answer<Joined>?, used: Int, faults: [PacketError]
        )

    init<Assembly: ReplyAssembly>(_ type: Assembly.Type) {
        join = { frames in
            var assembly = Assembly()
            var faults: [PacketError] = []
            for (index, frame) in frames.enumerated() {
                do throws(PacketError) {
                    guard let answer = try assembly.receive(frame) else { continue }
                    let joined = answer.map {
                        Joined(reading: $0.description, frames: $0.frames)
                    }
                    return (joined, index + 1, faults)
                } catch {
                    faults.append(error)
                }
            }
            return (nil, frames.count, faults)
        }
    }
}
