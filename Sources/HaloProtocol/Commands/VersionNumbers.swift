/// The numbers of hardware and firmware, which the device information service has as well.
///
///     → 93 …                           not described: kept as it is
///     ← 93 …
///
/// Vendor notes name it and say no more. A frame 93 EE and nothing else is a refusal of 13.
public enum VersionNumbers: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x93 }
    @inlinable public static var name: FieldName { "VersionNumbers" }
    @inlinable public static var title: FieldName { "version numbers" }
    @inlinable public static var onlyReads: Bool { true }
}
