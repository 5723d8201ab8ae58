internal import HaloProtocol

/// A heart beat, as a sensor reports the interval before it in 1024ths of a second.
public struct HeartBeat: Hashable, Sendable, Codable {
    /// The number of the beat since the sensor was connected to, counted from 1.
    public let number: Int
    /// The number of its series: between two series beats may be missing.
    public let series: Int
    /// The time since the beat before.
    public let interval: Duration
    /// The time since the series began.
    public let time: Duration

    /// Creates a value, for previews and tests.
    public init(number: Int, series: Int, interval: Duration, time: Duration) {
        self.number = number
        self.series = series
        self.interval = interval
        self.time = time
    }

    init(_ beat: SensedBeat) {
        self.init(
            number: Int(clamping: beat.number), series: Int(clamping: beat.series),
            interval: .ticks(UInt64(beat.intervalTicks)), time: .ticks(beat.ticks))
    }
}

extension Duration {
    /// Returns a number of 1024ths of a second as an exact duration.
    fileprivate static func ticks(_ count: UInt64) -> Duration {
        Duration(
            secondsComponent: Int64(clamping: count / 1024),
            attosecondsComponent: Int64(count % 1024) * 976_562_500_000_000)
    }
}
