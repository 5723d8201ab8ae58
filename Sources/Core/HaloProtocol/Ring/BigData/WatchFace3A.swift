/// The face of a watch, under the first of two ids. The difference to 3F is not known.
public enum WatchFace3A: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x3A, "WatchFace3A", "watch face (3A)") }
}
