/// **Dangerous**: reads the ring's memory, in a way that is not described.
///
///     → C1 …                           not described: kept as it is
///     ← C1 …                           not described: kept as it is
///
/// Vendor notes only; here so that logs can name it. A frame C1 EE and nothing else is a refusal of
/// 41.
public enum DangerousMemoryReadC1: DangerousCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0xC1 }
    @inlinable public static var name: FieldName { "DangerousMemoryReadC1" }
    @inlinable public static var title: FieldName { "memory read (C1)" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// The bytes of an answer.
    public typealias Reply = RawReply<DangerousMemoryReadC1>
}
