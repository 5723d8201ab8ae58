/// Contacts of the phone, under the first of two ids. The difference to 2D is not known.
public enum Contacts29: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x29, "Contacts29", "contacts (29)") }
}
