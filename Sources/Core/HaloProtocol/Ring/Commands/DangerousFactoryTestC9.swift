/// **Dangerous**: runs a factory test; the layout is not described.
///
/// A frame with only C9 EE is a refusal of 49.
public enum DangerousFactoryTestC9: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xC9, "DangerousFactoryTestC9", "factory test (C9)",
            danger: "runs a factory test, with effects that are not known")
    }
}
