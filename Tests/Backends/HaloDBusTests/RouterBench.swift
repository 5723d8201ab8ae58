import Testing

@testable import HaloDBus

/// The private bus without its sockets: messages of clients in, effects out as text.
struct RouterBench {
    static let busID = "0123456789abcdef0123456789abcdef"

    var router = BusRouter(busID: busID, machineID: "0f0f")
    /// The serial number of a client's last message.
    private(set) var serial: UInt32 = 0

    /// Adds clients, with the names `:1.1`, `:1.2` …
    init(_ ids: UInt64...) {
        for id in ids {
            router.add(id, (process: UInt32(id) * 10, user: 1000))
            ask(id, "Hello")
        }
        _ = router.drainEffects()
        serial = 0
    }

    /// A client calls the bus itself.
    mutating func ask(_ id: UInt64, _ member: String, _ values: DBusValue...) {
        say(
            id, .call(path: .bus, interface: DBusName.bus, member: member), to: DBusName.bus,
            values)
    }

    /// A client calls the method `M` of another one.
    mutating func call(
        _ id: UInt64, _ destination: String, flags: DBusMessage.Flags = [],
        descriptors: UInt32 = 0
    ) {
        say(
            id, .call(path: .root, interface: "a.b", member: "M"), to: destination, flags: flags,
            descriptors: descriptors)
    }

    /// A client emits the signal `S`.
    mutating func signal(_ id: UInt64, to destination: String? = nil, descriptors: UInt32 = 0) {
        say(
            id, .signal(path: .root, interface: "a.b", member: "S"), to: destination,
            descriptors: descriptors)
    }

    /// A client sends a message with a forged sender.
    mutating func say(
        _ id: UInt64, _ kind: DBusMessage.Kind, to destination: String? = nil,
        _ values: [DBusValue] = [], flags: DBusMessage.Flags = [], descriptors: UInt32 = 0
    ) {
        serial += 1
        var message = DBusMessage(
            kind, serial: serial, destination: destination, flags: flags, body: values,
            descriptorCount: descriptors)
        message.sender = ":1.777"
        router.receive(message, DBusDescriptors(), from: id)
    }

    /// The effects since the last call: `1>2+3 S` is a signal of client 1 to clients 2 and 3,
    /// `bus>1 =7 x` a reply of the bus to message 7, `!` an error and `?` a call.
    mutating func effects() -> [String] {
        router.drainEffects().map { effect in
            switch effect {
            case .disconnect(let id): return "cut \(id)"
            case .send(let message, _, let receivers, let sender):
                #expect(message.sender == sender.map { ":1.\($0)" } ?? DBusName.bus)
                #expect(message.serial != 0)
                if sender == nil { #expect(message.flags == .noReplyExpected) }
                let from = sender.map { "\($0)" } ?? "bus"
                let to = receivers.map { "\($0)" }.joined(separator: "+")
                let words = [Self.words(message.kind)] + message.body.map(Self.words)
                return "\(from)>\(to) " + words.joined(separator: " ")
            }
        }
    }

    private static func words(_ kind: DBusMessage.Kind) -> String {
        switch kind {
        case .call(_, _, let member): "\(member)?"
        case .reply(let serial): "=\(serial)"
        case .error(let name, let serial):
            "!\(serial) " + name.replacing("org.freedesktop.DBus.Error.", with: "")
        case .signal(_, _, let member): member
        }
    }

    private static func words(_ value: DBusValue) -> String {
        switch value {
        case .string(let text): text.isEmpty ? "-" : text
        case .boolean(let flag): "\(flag)"
        case .uint32(let number): "\(number)"
        case .variant(let content): words(content)
        case .array(_, let elements): "[" + elements.map(words).joined(separator: " ") + "]"
        case .dictionary(_, _, let entries):
            "{" + entries.map { words($0.key) + ":" + words($0.value) }.joined(separator: " ") + "}"
        default: "\(value)"
        }
    }
}
