/// **Dangerous**: runs a factory test; the layout is not described.
///
/// A frame with only CA EE is a refusal of 4A.
public enum DangerousFactoryTestCA: DangerousRawCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(
            0xCA, "DangerousFactoryTestCA", "factory test (CA)",
            danger: "runs a factory test, with effects that are not known")
    }
}
