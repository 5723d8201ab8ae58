import Testing

@testable import HaloDBus

/// A client that sends and receives only on command.
final class DeafClient {
    /// The unique name.
    private(set) var name = ""
    private let socket: DBusDescriptor
    private var stream = DBusMessageStream()
    private var serial: UInt32 = 1

    convenience init(_ bus: PrivateBus) throws { try self.init(bus.socket()) }

    convenience init(_ bus: RunningBus) throws {
        guard let place = bus.address.socket, let socket = try SystemSocket.connect(to: place)
        else { throw TestBus.Missing() }
        try self.init(DBusDescriptor(owning: socket))
    }

    private init(_ socket: consuming DBusDescriptor) throws {
        self.socket = socket
        let words = "\0AUTH EXTERNAL\r\nDATA\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n"
        #expect(try say(Array(words.utf8)) && ask("Hello"))
        // Three lines reply to the first ones; messages follow.
        var lines = 0
        while lines < 3, let bytes = listen() {
            var rest = bytes[...]
            while lines < 3, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                lines += 1
                rest = rest[(end + 1)...]
            }
            if lines == 3 { stream.append(Array(rest).span) }
        }
        guard case .string(let name)? = try next()?.body.first else { throw TestBus.Missing() }
        self.name = name
    }

    /// Calls the bus, or a client; `false` if the socket takes no more.
    func ask(
        _ member: String, _ body: [DBusValue] = [], of interface: String = DBusName.bus,
        at path: DBusObjectPath = .bus, on destination: String = DBusName.bus
    ) throws -> Bool {
        let call = DBusMessage.Kind.call(path: path, interface: interface, member: member)
        let message = DBusMessage(call, serial: serial, destination: destination, body: body)
        serial += 1
        return say(try message.encoded())
    }

    /// Sends bytes, when there is room; `false` if the socket takes no more.
    func say(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ SystemSocket.send(socket.number, $0, []) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .later: wait(reads: false)
            case .ended: return false
            }
        }
        return true
    }

    /// Waits for the next message; `nil` after the end.
    func next() throws -> DBusMessage? {
        while true {
            if let (message, _) = try stream.next() { return message }
            guard let bytes = listen() else { return nil }
            stream.append(bytes.span)
        }
    }

    /// Waits for bytes; `nil` after the end.
    private func listen() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var control: [UInt8] = []
        while true {
            let (outcome, _) = SystemSocket.receive(
                socket.number, into: &buffer, control: &control)
            switch outcome {
            case .bytes(let count): return Array(buffer[..<count])
            case .later: wait(reads: true)
            case .ended: return nil
            }
        }
    }

    private func wait(reads: Bool) {
        var poll = SystemPoll()
        poll.append(socket.number, reads: reads, writes: !reads)
        poll.wait(for: nil)
    }
}
