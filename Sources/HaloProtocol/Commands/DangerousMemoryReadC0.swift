/// **Dangerous**: reads the ring's memory, in a way that is not described.
///
///     → C0 …                           not described: kept as it is
///     ← C0 …                           not described: kept as it is
///
/// Vendor notes only; here so that logs can name it. A frame C0 EE and nothing else is a refusal of
/// 40.
public enum DangerousMemoryReadC0: DangerousCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0xC0 }
    @inlinable public static var name: FieldName { "DangerousMemoryReadC0" }
    @inlinable public static var title: FieldName { "memory read (C0)" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// The bytes of an answer.
    public typealias Reply = RawReply<DangerousMemoryReadC0>
}
