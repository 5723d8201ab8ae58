/// A key that controls a simulated device, pressed at the terminal.
struct SimulatorKey: Hashable, Sendable {
    /// The character, in lower case.
    let character: Character
    /// What the key does.
    let words: String

    init(_ character: Character, _ words: String) {
        self.character = character
        self.words = words
    }

    static let wear = SimulatorKey("w", "take it off, or put it on")
    static let drain = SimulatorKey("d", "drain the battery by 20 %")
    /// The key that the host of a device obeys, not the device.
    static let loseLink = SimulatorKey("l", "lose the link")

    /// All keys in a paragraph of the help text.
    static var help: String {
        var keys: [SimulatorKey] = []
        for key in DeviceKind.all.flatMap({ $0.keys }) + [loseLink] where !keys.contains(key) {
            keys.append(key)
        }
        let rows = keys.map { "  \($0.character)  \($0.words)" }
        return "At a terminal, these keys control the device:\n" + rows.joined(separator: "\n")
    }

    static func line(_ keys: [SimulatorKey]) -> String {
        "keys: " + keys.map { "\($0.character) \($0.words)" }.joined(separator: " · ")
    }
}
