/// A command with requests for one day, counted back from the ring's today.
public protocol DayCommand: RequestCommand where Request == DayRequest<Self> {
    /// The bytes that follow the day in a request; none for most commands.
    static var bytesAfterDay: InlineBytes { get }
    /// Returns the day that a frame of the reply contains; `nil` for most frames.
    static func day(of frame: Frame) -> DaysAgo?
}

extension DayCommand {
    @inlinable public static var bytesAfterDay: InlineBytes { InlineBytes() }
}
