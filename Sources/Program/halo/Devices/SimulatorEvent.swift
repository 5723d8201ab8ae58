import HaloProtocol

/// Something that has happened to a simulated device: a line for people, or an object of JSON.
struct SimulatorEvent: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case connected
        case disconnected
        /// A value is read from this characteristic or descriptor.
        case read(String)
        /// A value is written to this characteristic or descriptor; with the name of a known
        /// packet, and the opcode of a ring's.
        case write(String, packet: String?, opcode: String?, [UInt8])
        /// The notifications of this characteristic are turned on or off.
        case subscription(String, isOn: Bool)
        case light(String)
        /// A key or a command was obeyed; with what has happened, or `nil` for nothing.
        case command(String, result: String?)
    }

    let device: String
    let kind: Kind
    /// The time from the start of the device.
    let seconds: Double

    var words: String { forms.words }

    var object: (type: String, members: JSONObject) {
        (forms.type, ["device": device] + forms.members + ["seconds": seconds])
    }

    /// The event for people, and the type and the own members of its object.
    private var forms: (words: String, type: String, members: JSONObject) {
        switch kind {
        case .connected: ("a program connects", "connected", [:])
        case .disconnected: ("it disconnects", "disconnected", [:])
        case .read(let attribute):
            ("it reads \(attribute)", "read", ["attribute": attribute])
        case .write(let attribute, let packet, let opcode, let bytes):
            (
                "it writes \(attribute): "
                    + (packet.map { [$0, opcode ?? ""].filter { $0 != "" }.joined(separator: " ") }
                        ?? TextLayout.count(bytes.count, "byte")),
                "write",
                [
                    "attribute": attribute, "packet": packet, "code": opcode,
                    "bytes": HexText.bytes(bytes),
                ]
            )
        case .subscription(let attribute, let isOn):
            (
                isOn ? "it subscribes to \(attribute)" : "it unsubscribes from \(attribute)",
                "subscription", ["attribute": attribute, "isOn": isOn]
            )
        case .light(let light): ("the light is \(light)", "light", ["light": light])
        case .command(let word, let result):
            (
                result ?? "nothing to do for '\(word)'", "command",
                ["command": word, "result": result]
            )
        }
    }
}
