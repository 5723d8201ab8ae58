/// **Dangerous**: makes the ring wait for new firmware, from which it may not come back.
///
///     → 0F …                           not described: kept as it is
///     ← 0F …                           not described: kept as it is
///
/// Vendor notes only; here so that logs can name it. One source has it for "blink": that is
/// ``BlinkLight``, 10.
public enum DangerousOTASwitch: DangerousCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x0F }
    @inlinable public static var name: FieldName { "DangerousOTASwitch" }
    @inlinable public static var title: FieldName { "switch to firmware update" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// The bytes of an answer.
    public typealias Reply = RawReply<DangerousOTASwitch>
}
