/// The face of a watch, under the second of two ids. The difference to 3A is not known.
public enum WatchFace3F: RawRecord {
    public static var facts: CommandFacts { CommandFacts(0x3F, "WatchFace3F", "watch face (3F)") }
}
