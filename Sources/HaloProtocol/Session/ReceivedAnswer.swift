/// The frames that a ring sent for one request.
///
/// Those of a whole answer are just the frames that say it, in order; those of half an answer are
/// what came, without repeats.
public struct ReceivedAnswer: Hashable, Sendable {
    /// Frames of the UART service.
    public var frames: [Frame]
    /// Frames of the second service.
    public var bigData: [BigDataFrame]

    /// Nothing yet.
    public init(frames: [Frame] = [], bigData: [BigDataFrame] = []) {
        self.frames = frames
        self.bigData = bigData
    }

    /// How many frames there are.
    var count: Int { frames.count + bigData.count }

    /// The last record of an id: what came first may have been overtaken.
    func last(_ id: UInt8) -> BigDataFrame? { bigData.last { $0.id == id } }

    /// Adds what came, unless it is there.
    mutating func insert(_ incoming: Incoming) {
        switch incoming {
        case .frame(let frame): if !frames.contains(frame) { frames.append(frame) }
        case .record(let record): if !bigData.contains(record) { bigData.append(record) }
        }
    }
}
