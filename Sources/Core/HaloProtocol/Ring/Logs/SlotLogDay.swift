/// The day of a log, as the second frame contains it.
public protocol SlotLogDay: FrameFields, CustomStringConvertible {
    /// The number of samples after the day in its frame.
    static var samplesBeside: Int { get }
}
