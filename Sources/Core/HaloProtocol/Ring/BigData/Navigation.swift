/// Satellite navigation.
public enum Navigation: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x48, "Navigation", "satellite navigation")
    }
}
