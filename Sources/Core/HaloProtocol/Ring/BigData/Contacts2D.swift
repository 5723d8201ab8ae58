/// Contacts of the phone, under the second of two ids. The difference to 29 is not known.
public enum Contacts2D: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x2D, "Contacts2D", "contacts (2D)") }
}
