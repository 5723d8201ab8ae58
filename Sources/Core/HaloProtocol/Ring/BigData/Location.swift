/// The location of the phone or the ring.
public enum Location: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x20, "Location", "location") }
}
