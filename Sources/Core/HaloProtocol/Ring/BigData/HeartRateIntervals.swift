/// Heart rates at intervals.
public enum HeartRateIntervals: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x75, "HeartRateIntervals", "heart rate at intervals")
    }
}
