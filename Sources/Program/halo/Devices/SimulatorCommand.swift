struct SimulatorCommand: Hashable, Sendable {
    /// The word, in lower case.
    let word: String
    let words: String
    var takesPercent = false

    static let takeOff = SimulatorCommand(word: "take-off", words: "take it off")
    static let putOn = SimulatorCommand(word: "put-on", words: "put it on")
    static let drain = SimulatorCommand(word: "drain", words: "drain the battery by 20 %")
    static let battery = SimulatorCommand(
        word: "battery", words: "set the battery to N percent", takesPercent: true)
    /// The command that the host of a device executes, not the device.
    static let loseLink = SimulatorCommand(word: "lose-link", words: "lose the link")

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
