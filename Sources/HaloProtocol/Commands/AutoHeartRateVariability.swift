/// Whether the ring measures heart-rate variability by itself.
///
///     → 38 01                          reads; the vendor's app on iOS sends 38 01 02
///     → 38 02 on                       on: 1 on; off is 0 from one app, 2 from another
///     ← 38 01 on
///     ← 38 02 on                       the written byte again, 0 or 2
public enum AutoHeartRateVariability: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x38 }
    @inlinable public static var name: FieldName { "AutoHeartRateVariability" }
    @inlinable public static var title: FieldName { "automatic heart-rate variability" }
    @inlinable public static var evidence: Evidence { .captured }

    /// On or off.
    public typealias Setting = ToggleSetting
}
