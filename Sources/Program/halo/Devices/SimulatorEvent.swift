/// Something that has happened to a simulated device: in words for people, and an object of JSON.
struct SimulatorEvent: Sendable {
    let words: String
    let type: String
    /// The members of the object but for the device and the time.
    var members: JSONObject = [:]

    /// Something that a program does with a characteristic or a descriptor.
    static func access(
        to attribute: String, _ words: String, _ type: String, _ others: JSONObject = [:]
    ) -> SimulatorEvent {
        SimulatorEvent(words: words, type: type, members: ["attribute": attribute] + others)
    }

    /// A key or a command was obeyed; with what has happened, or `nil` for nothing.
    static func command(_ word: String, result: String?) -> SimulatorEvent {
        SimulatorEvent(
            words: result ?? "nothing to do for '\(word)'", type: "command",
            members: ["command": word, "result": result])
    }
}
