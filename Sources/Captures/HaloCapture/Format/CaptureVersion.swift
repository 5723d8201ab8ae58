/// A version of the format.
public enum CaptureVersion: Int, CaseIterable, Hashable, Sendable {
    /// Lines have no actions.
    case one = 1
    /// Lines can have actions. All lines of version 1 keep their meaning.
    case two

    /// The version of written captures.
    public static let current = CaptureVersion.two

    static let keyword = "halo-capture"

    /// The first line of a recording of this version.
    var line: String { "\(Self.keyword) \(rawValue)" }
}
