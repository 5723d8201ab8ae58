/// A command with requests for one day, counted back from the ring's today.
public protocol DayCommand: RequestCommand where Request == DayRequest<Self> {
    /// Returns the day that a frame of the reply contains; `nil` for most frames.
    static func day(of frame: Frame) -> DaysAgo?
}
