struct SimulatorCommand: Hashable, Sendable {
    /// The word, in lower case.
    let word: String
    let words: String
    let takesPercent: Bool

    init(_ word: String, _ words: String, takesPercent: Bool = false) {
        self.word = word
        self.words = words
        self.takesPercent = takesPercent
    }

    static let takeOff = SimulatorCommand("take-off", "take it off")
    static let putOn = SimulatorCommand("put-on", "put it on")
    static let drain = SimulatorCommand("drain", "drain the battery by 20 %")
    static let battery = SimulatorCommand(
        "battery", "set the battery to N percent", takesPercent: true)
    /// The command that the host of a device executes, not the device.
    static let loseLink = SimulatorCommand("lose-link", "lose the link")

    static var help: String {
        var commands: [SimulatorCommand] = []
        for command in DeviceKind.all.flatMap({ $0.commands }) + [loseLink]
        where !commands.contains(command) {
            commands.append(command)
        }
        let rows = commands.map { command in
            ["  \(command.word)\(command.takesPercent ? " N" : "")", command.words]
        }
        return TextLayout.lines(of: rows).joined(separator: "\n")
    }
}
