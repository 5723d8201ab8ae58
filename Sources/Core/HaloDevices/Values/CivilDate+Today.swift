public import HaloProtocol
internal import HaloTransport

extension CivilDate {
    /// Today, by the clock and the time zone of this computer.
    ///
    /// Packets never read a clock, so this is here, with the devices. The today of a read is
    /// ``RingHistory/today``, and that of virtual devices `bluetooth.time.wallClock().local.date`.
    public static var today: CivilDate { SystemTime().wallClock().local.date }
}

extension CivilDate {
    /// The last second of the day.
    package var lastSecond: CivilDateTime { CivilDateTime(self).advanced(bySeconds: 86_399) }
}
