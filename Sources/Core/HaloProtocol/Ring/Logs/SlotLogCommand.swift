/// A command whose reply is a day of samples at equal intervals, in many frames.
///
///     ← op 00 partCount minutesPerSample    header
///     ← op 01 day samples…             day is 1 or 4 bytes, samples fill the frame
///     ← op n  13 samples               n = 2 … partCount − 1
///     ← op FF                          no data
///
/// 0 is "no sample". Samples after the end of the day are zeros.
public protocol SlotLogCommand: RequestCommand, ManyFrameCommand {
    /// One frame of the reply.
    associatedtype Part = SlotLogPart<Self>
    /// The state that joins the frames.
    associatedtype Assembly = SlotLogAssembly<Self>
    /// The day in the second frame; by default the number of days before the ring's today.
    associatedtype Day: SlotLogDay = DaysAgo
    /// The unit of a sample.
    static var unit: FieldUnit { get }
    /// The quantity of a sample.
    static var quantity: BodyQuantity { get }
}

extension SlotLogCommand {
    /// The whole reply.
    public typealias Reply = SlotLog<Self>
}
