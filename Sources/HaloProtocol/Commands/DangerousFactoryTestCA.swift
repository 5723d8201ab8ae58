/// **Dangerous**: a test of the factory, in a way that is not described.
///
///     → CA …                           not described: kept as it is
///     ← CA …                           not described: kept as it is
///
/// Vendor notes only; here so that logs can name it. A frame CA EE and nothing else is a refusal of
/// 4A.
public enum DangerousFactoryTestCA: DangerousCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0xCA }
    @inlinable public static var name: FieldName { "DangerousFactoryTestCA" }
    @inlinable public static var title: FieldName { "factory test (CA)" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// The bytes of an answer.
    public typealias Reply = RawReply<DangerousFactoryTestCA>
}
