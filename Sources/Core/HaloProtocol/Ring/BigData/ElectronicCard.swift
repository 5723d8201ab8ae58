/// A card that the device shows.
public enum ElectronicCard: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x2F, "ElectronicCard", "electronic card")
    }
}
