#if os(Linux)
internal import HaloDBus

/// The daemon's settings: `main.conf`, as far as it could be read.
///
/// Groups stand in brackets, `key = value` lines below them; `#` begins a comment. The defaults
/// depend on the version.
struct DaemonSettings: Hashable, Sendable {
    static let usualPath = "/etc/bluetooth/main.conf"

    var path = usualPath
    var access = LocalSystem.Access.missing
    private(set) var groups: Set<String> = []
    private var values: [String: String] = [:]

    init() {}

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
                values["\(group)/\(key)"] = String(Self.trimmed(line[line.index(after: equals)...]))
            }
        }
    }

    subscript(group: String, key: String) -> String? { values["\(group)/\(key)"] }

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
