/// Blinks the ring's green light twice, to tell it from others.
///
///     → 10
///     ← 10 …                           some firmware repeats the opcode
///
/// The H59 band vibrates instead; rings have no motor. In vendor notes this is the effect of a
/// successful pairing. Not 0F, as one source has it: see ``DangerousOTASwitch``.
public enum BlinkLight: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x10 }
    @inlinable public static var name: FieldName { "BlinkLight" }
    @inlinable public static var title: FieldName { "blink the light" }
    @inlinable public static var evidence: Evidence { .severalSources }

    /// Says that it arrived; not all firmware does.
    public typealias Reply = Acknowledgement<BlinkLight>

    /// Blinks.
    public typealias Request = PlainRequest<BlinkLight>
}
