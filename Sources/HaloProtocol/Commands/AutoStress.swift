/// Whether the ring measures stress by itself.
///
///     → 36 01                          reads
///     → 36 02 on                       on: 1 on, 0 off
///     ← 36 01 on
///     ← 36 02 on                       the written byte again
public enum AutoStress: SettingCommand {
    @inlinable public static var opcode: UInt8 { 0x36 }
    @inlinable public static var name: FieldName { "AutoStress" }
    @inlinable public static var title: FieldName { "automatic stress" }
    @inlinable public static var evidence: Evidence { .captured }

    /// On or off.
    public typealias Setting = ToggleSetting
}
