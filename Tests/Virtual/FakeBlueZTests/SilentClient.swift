import Glibc
import HaloDBus

/// A client of a bus that sends messages, and reads nothing.
final class SilentClient {
    private let socket: DBusDescriptor
    private var serial: UInt32 = 0

    /// Connects. The bus has replied to nothing yet, which does not matter to this client.
    init(_ bus: PrivateBus) throws {
        socket = try bus.socket()
        guard write(Array("\0AUTH EXTERNAL\r\nDATA\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n".utf8))
        else { throw DBusError(.disconnected) }
        try call("Hello", of: DBusName.bus, at: .bus, on: DBusName.bus)
    }

    /// Calls a method; throws after the end of the connection.
    func call(
        _ member: String, of interface: String, at path: DBusObjectPath, on destination: String,
        _ body: [DBusValue] = []
    ) throws {
        serial += 1
        let kind = DBusMessage.Kind.call(path: path, interface: interface, member: member)
        let message = DBusMessage(kind, serial: serial, destination: destination, body: body)
        guard write(try message.encoded()) else { throw DBusError(.disconnected) }
    }

    /// Waits for the end of the connection.
    func waitForEnd() {
        var entry = pollfd(fd: socket.number, events: 0, revents: 0)
        while poll(&entry, 1, 60_000) < 0 {}
    }

    /// Writes bytes, when there is room; `false` after the end of the connection.
    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                guard errno == EAGAIN else { return false }
                var entry = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            }
        }
        return true
    }
}
