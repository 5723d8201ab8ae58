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

    var words: String {
        switch kind {
        case .connected: "a program connects"
        case .disconnected: "it disconnects"
        case .read(let attribute): "it reads \(attribute)"
        case .write(let attribute, let packet, let opcode, let bytes):
            "it writes \(attribute): "
                + (packet.map { [$0, opcode ?? ""].filter { $0 != "" }.joined(separator: " ") }
                    ?? TextLayout.count(bytes.count, "byte"))
        case .subscription(let attribute, isOn: true): "it subscribes to \(attribute)"
        case .subscription(let attribute, isOn: false): "it unsubscribes from \(attribute)"
        case .light(let light): "the light is \(light)"
        case .command(let word, let result): result ?? "nothing to do for '\(word)'"
        }
    }

    var object: (type: String, members: JSONValue.Members) {
        let (type, own): (String, JSONValue.Members) =
            switch kind {
            case .connected: ("connected", [])
            case .disconnected: ("disconnected", [])
            case .read(let attribute): ("read", [("attribute", .string(attribute))])
            case .write(let attribute, let packet, let opcode, let bytes):
                (
                    "write",
                    [
                        ("attribute", .string(attribute)), ("packet", .string(packet)),
                        ("code", .string(opcode)), ("bytes", .string(HexText.bytes(bytes))),
                    ]
                )
            case .subscription(let attribute, let isOn):
                ("subscription", [("attribute", .string(attribute)), ("isOn", .boolean(isOn))])
            case .light(let light): ("light", [("light", .string(light))])
            case .command(let word, let result):
                ("command", [("command", .string(word)), ("result", .string(result))])
            }
        return (type, [("device", .string(device))] + own + [("seconds", .decimal(seconds))])
    }
}
