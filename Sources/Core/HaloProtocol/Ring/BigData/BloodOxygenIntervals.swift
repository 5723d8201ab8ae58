/// Blood oxygen at intervals.
public enum BloodOxygenIntervals: RawRecord {
    public static var facts: CommandFacts {
        CommandFacts(0x5F, "BloodOxygenIntervals", "blood oxygen at intervals")
    }
}
