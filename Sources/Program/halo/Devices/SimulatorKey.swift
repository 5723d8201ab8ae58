struct SimulatorKey: Hashable, Sendable {
    /// The character, in lower case.
    let character: Character
    let words: String
    /// The commands of the key. The first one that changes something is executed.
    let commands: [SimulatorCommand]

    init(_ character: Character, _ command: SimulatorCommand) {
        self.init(character, command.words, [command])
    }

    init(_ character: Character, _ words: String, _ commands: [SimulatorCommand]) {
        self.character = character
        self.words = words
        self.commands = commands
    }

    static let wear = SimulatorKey("w", "take it off, or put it on", [.takeOff, .putOn])
    static let drain = SimulatorKey("d", .drain)
    /// The key that the host of a device obeys, not the device.
    static let loseLink = SimulatorKey("l", .loseLink)

    static var help: String {
        var keys: [SimulatorKey] = []
        for key in DeviceKind.all.flatMap({ $0.keys }) + [loseLink]
        where !keys.contains(key) {
            keys.append(key)
        }
        return keys.map { "  \($0.character)  \($0.words)" }.joined(separator: "\n")
    }

    static func line(_ keys: [SimulatorKey]) -> String {
        "keys: " + keys.map { "\($0.character) \($0.words)" }.joined(separator: " · ")
    }
}
