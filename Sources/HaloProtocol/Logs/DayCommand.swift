/// A command that is asked for one day, counted back from the ring's today.
public protocol DayCommand: Command {
    /// The day that a frame of the answer says it is of; most frames say none.
    static func day(of frame: Frame) -> DaysAgo?
}

extension SlotLogCommand {
    /// The day that a frame of the answer says it is of: only the second one does.
    public static func day(of frame: Frame) -> Day? {
        guard case .first(let first)? = try? SlotLogPart<Self>(decoding: frame).content else {
            return nil
        }
        return first.day
    }
}
