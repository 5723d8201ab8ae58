/// A record without a known name. One source has 01 01 06 from an H59 band.
public enum Undescribed5A: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x5A, "Undescribed5A", "undescribed (5A)", .oneSource)
    }
}
