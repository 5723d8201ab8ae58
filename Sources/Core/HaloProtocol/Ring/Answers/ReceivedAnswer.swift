/// The frames that a ring sent for one request.
///
/// A complete reply has only its own frames, in order. An incomplete one has all received frames,
/// without repeats.
public struct ReceivedAnswer: Hashable, Sendable {
    /// Frames of the UART channel.
    public var frames: [Frame]
    /// Records of the big-data channel.
    public var bigData: [BigDataFrame]

    package init(frames: [Frame] = [], bigData: [BigDataFrame] = []) {
        self.frames = frames
        self.bigData = bigData
    }

    var count: Int { frames.count + bigData.count }

    /// Returns the last record of an id, as earlier ones may be outdated.
    func last(_ id: UInt8) -> BigDataFrame? { bigData.last { $0.id == id } }

    /// Adds a frame, unless an equal one was added before.
    mutating func insert(_ incoming: ChannelFrame) {
        switch incoming {
        case .frame(let frame): if !frames.contains(frame) { frames.append(frame) }
        case .record(let record): if !bigData.contains(record) { bigData.append(record) }
        }
    }
}

extension Frame {
    /// Checks whether this is the refusal of a command.
    ///
    /// An opcode with bit 7 set is refused as if bit 7 were clear.
    func refuses(_ opcode: UInt8) -> Bool {
        refusedOpcode == Refusal(of: opcode).opcode
    }
}
