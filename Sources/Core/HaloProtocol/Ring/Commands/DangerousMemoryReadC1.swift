/// **Dangerous**: reads the ring's memory; the layout is not described.
///
/// A frame with only C1 EE is a refusal of 41.
public enum DangerousMemoryReadC1: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xC1, "DangerousMemoryReadC1", "memory read (C1)",
            danger: "reads the ring's memory, with effects that are not known")
    }
}
