/// Blood pressures that were measured by hand.
///
///     → 14
///     ← 14 entries…                    time 4 bytes LE, diastolic, systolic; FF FF FF FF ends
///
/// Vendor notes only; the bands and rings that were asked sent nothing. Whether an answer has one
/// frame or many is not known, so the bytes are kept as they are.
public enum ManualBloodPressure: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x14 }
    @inlinable public static var name: FieldName { "ManualBloodPressure" }
    @inlinable public static var title: FieldName { "manual blood pressures" }
    @inlinable public static var onlyReads: Bool { true }
}
