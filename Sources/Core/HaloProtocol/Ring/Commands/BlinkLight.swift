/// Blinks the ring's green light twice, to identify the ring among others.
///
///     → 10
///     ← 10 …                           some firmware repeats the opcode
///
/// The H59 band vibrates instead; rings have no motor. In vendor notes this is the effect of a
/// successful pairing. One source wrongly has opcode 0F, which is dangerous.
public enum BlinkLight: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x10, "BlinkLight", "blink the light", .severalSources)
    }
}
