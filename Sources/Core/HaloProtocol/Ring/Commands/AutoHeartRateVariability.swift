/// The automatic measurement of heart-rate variability.
///
///     → 38 01                          reads; the vendor's app on iOS sends 38 01 02
///     → 38 02 enabled                  enabled: 1 on; off is 0 from one app, 2 from another
///     ← 38 01 enabled
///     ← 38 02 enabled                  the written byte again, 0 or 2
public enum AutoHeartRateVariability: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0x38, "AutoHeartRateVariability", "automatic heart-rate variability", .captured)
    }

    /// The switch of the measurement.
    public typealias Setting = ToggleSetting
    /// The written switch again.
    public typealias Echo = ToggleSetting
}
