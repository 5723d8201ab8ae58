#if os(Linux)
/// The daemon's settings: `main.conf`, as far as it was read.
///
/// A file of groups in brackets and `key = value` below them; a line that begins with `#` says
/// nothing. What is not set has a default that depends on the version.
struct DaemonSettings: Hashable, Sendable {
    /// Where they usually are.
    static let usualPath = "/etc/bluetooth/main.conf"

    /// Where they are.
    var path = usualPath
    /// Whether the file could be read.
    var access = LocalSystem.Access.missing
    /// The groups that the file has.
    private(set) var groups: Set<String> = []
    private var values: [String: String] = [:]

    /// Nothing is set.
    init() {}

    /// What a file says.
    init(_ text: String, path: String = usualPath) {
        self.path = path
        access = .usable
        var group = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.first == "[", line.last == "]" {
                group = String(line.dropFirst().dropLast())
                groups.insert(group)
            } else if line.first != "#", let equals = line.firstIndex(of: "=") {
                let key = Self.trimmed(line[..<equals])
                values["\(group)/\(key)"] = String(
                    Self.trimmed(line[line.index(after: equals)...]))
            }
        }
    }

    /// What is set under a key, if anything is.
    subscript(group: String, key: String) -> String? { values["\(group)/\(key)"] }

    /// What is set under a key, if it is true or false.
    func flag(_ group: String, _ key: String) -> Bool? {
        switch self[group, key] {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
#endif
