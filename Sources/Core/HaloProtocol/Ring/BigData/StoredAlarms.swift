/// Alarms. One capture, of an H59 band, has 01 00 from the device; the layout of an alarm is not
/// known.
public enum StoredAlarms: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x2C, "StoredAlarms", "stored alarms", .oneSource)
    }
}
