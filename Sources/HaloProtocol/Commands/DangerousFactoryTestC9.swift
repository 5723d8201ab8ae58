/// **Dangerous**: a test of the factory, in a way that is not described.
///
///     → C9 …                           not described: kept as it is
///     ← C9 …                           not described: kept as it is
///
/// Vendor notes only; here so that logs can name it. A frame C9 EE and nothing else is a refusal of
/// 49.
public enum DangerousFactoryTestC9: DangerousCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0xC9 }
    @inlinable public static var name: FieldName { "DangerousFactoryTestC9" }
    @inlinable public static var title: FieldName { "factory test (C9)" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// The bytes of an answer.
    public typealias Reply = RawReply<DangerousFactoryTestC9>
}
