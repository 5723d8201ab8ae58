/// The automatic measurement of stress.
///
///     → 36 01                          reads
///     → 36 02 enabled                  enabled: 1 on, 0 off
///     ← 36 01 enabled
///     ← 36 02 enabled                  the written byte again
public enum AutoStress: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x36, "AutoStress", "automatic stress", .captured)
    }

    /// The switch of the measurement.
    public typealias Setting = ToggleSetting
    /// The written switch again.
    public typealias Echo = ToggleSetting
}
