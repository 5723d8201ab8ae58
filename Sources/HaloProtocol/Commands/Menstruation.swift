/// The wearer's cycle, as the app knows it.
///
///     → 2B 02 …                        02 00 06 1C 38 33 00 02 02 10 23 from the vendor's app
///     ← 2B 00 …
///
/// One exchange with an R12 was captured. What its bytes mean is not known; that 02 writes is
/// likely, as in other commands.
public enum Menstruation: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x2B }
    @inlinable public static var name: FieldName { "Menstruation" }
    @inlinable public static var title: FieldName { "menstruation" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Says that it arrived.
    public typealias Reply = Acknowledgement<Menstruation>
}
