/// The frames that a ring sent for one request, as they came.
public struct ReceivedAnswer: Hashable, Sendable {
    /// Frames of the UART service, in order and without repeats.
    public var frames: [Frame]
    /// Frames of the second service, in order.
    public var bigData: [BigDataFrame]

    /// Nothing yet.
    public init(frames: [Frame] = [], bigData: [BigDataFrame] = []) {
        self.frames = frames
        self.bigData = bigData
    }
}
