import TestSupport

/// The real daemon's interfaces, as recorded by the machine in `Tests/Tools/EndToEnd`.
enum RecordedSurface {
    /// The members of each interface.
    static func read() throws -> [String: [String]] {
        let text = try packageText("Tests/Tools/EndToEnd/guest/surfaces/5.66.txt")
        var interfaces: [String: [String]] = [:]
        var name = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("    ") {
                interfaces[name, default: []].append(String(line.dropFirst(4)))
            } else {
                name = String(line)
            }
        }
        return interfaces
    }
}
