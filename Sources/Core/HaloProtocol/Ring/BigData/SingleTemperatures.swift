/// Temperatures that were measured one at a time. The request is said to contain a day.
public enum SingleTemperatures: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x26, "SingleTemperatures", "single temperatures")
    }
}
