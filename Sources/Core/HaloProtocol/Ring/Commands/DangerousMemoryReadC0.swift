/// **Dangerous**: reads the ring's memory; the layout is not described.
///
/// A frame with only C0 EE is a refusal of 40.
public enum DangerousMemoryReadC0: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xC0, "DangerousMemoryReadC0", "memory read (C0)",
            danger: "reads the ring's memory, with effects that are not known")
    }
}
