import TestSupport
import Testing

@testable import HaloDBus

/// Clients of the private bus that send the beginning of a message, and not its end.
@Suite(.takesTurns) struct IncompleteMessageTests {
    /// Fewer bytes than the bus reads at once.
    private static let limit = 1 << 15

    private static func bus() throws -> (PrivateBus, Collector<PrivateBus.Expulsion>) {
        let bus = try PrivateBus(limits: .init(incompleteBytes: limit))
        let expelled = Collector<PrivateBus.Expulsion>()
        bus.onExpulsion { expelled.append($0) }
        return (bus, expelled)
    }

    /// A signal with so many bytes, and some for its header.
    private static func signal(_ count: Int) throws -> [UInt8] {
        try DBusMessage(
            .signal(path: .root, interface: "a.b", member: "S"), serial: 1000,
            body: [.bytes([UInt8](repeating: 1, count: count))]
        ).encoded()
    }

    /// The next reply to a client.
    private static func reply(to client: DeafClient) throws -> DBusMessage? {
        while let message = try client.next() {
            if message.type == .reply { return message }
        }
        return nil
    }

    /// The client with the most bytes is disconnected, whichever sends the last one.
    @Test(arguments: [true, false])
    func theClientWithTheMostBytesIsDisconnected(sendsLast: Bool) async throws {
        let (bus, expelled) = try Self.bus()
        let (worst, other) = (try DeafClient(bus), try DeafClient(bus))
        let message = try Self.signal(Self.limit)
        let parts = [(worst, Self.limit * 5 / 8), (other, Self.limit * 4 / 8)]
        for (client, count) in sendsLast ? parts.reversed() : parts {
            // A client that is disconnected meanwhile cannot send the rest.
            _ = client.say(Array(message[..<count]))
        }
        let expulsion = PrivateBus.Expulsion(
            client: worst.name, process: SystemSocket.processID, reason: .incompleteMessage)
        #expect(try await expelled.wait(for: 1) == [expulsion])
        // The other one goes on, and so do those that come later.
        #expect(other.say(Array(message[parts[1].1...])))
        for client in [other, try DeafClient(bus)] {
            #expect(try client.ask("GetId"))
            #expect(try Self.reply(to: client)?.body == [.string(bus.id)])
        }
        #expect(expelled.all.count == 1)
    }

    /// A complete message does not count, nor do those of clients that have gone.
    @Test func whatIsCompleteOrGoneDoesNotCount() async throws {
        let (bus, expelled) = try Self.bus()
        let message = try Self.signal(Self.limit * 7 / 8)
        let client = try DeafClient(bus)
        for _ in 0..<4 { #expect(client.say(message)) }
        let connection = try await bus.connect()
        let name = client.name
        for _ in 0..<4 {
            do {
                let gone = try DeafClient(bus)
                #expect(gone.say(Array(message.dropLast())))
            }
            try await eventually("its end") { try await connection.names().count <= 3 }
        }
        #expect(client.say(Array(message.dropLast())))
        #expect(client.say([message.last ?? 0]))
        #expect(try client.ask("GetNameOwner", [.string(name)]))
        #expect(try Self.reply(to: client)?.body == [.string(name)])
        #expect(expelled.all == [])
    }

    /// The maximum is allowed, and not one byte more.
    @Test func theMaximumIsExact() async throws {
        let (bus, expelled) = try Self.bus()
        let message = try Self.signal(Self.limit - 1000)
        let (client, other) = (try DeafClient(bus), try DeafClient(bus))
        let rest = Self.limit - message.count + 1
        #expect(client.say(Array(message.dropLast())))
        #expect(other.say(Array(message[..<rest])))
        let connection = try await bus.connect()
        // Both have been read when the bus has answered a later client twice.
        for _ in 0..<2 { _ = try await connection.names() }
        #expect(expelled.all == [])
        #expect(other.say([message[rest]]))
        #expect(try await expelled.wait(for: 1).map(\.client) == [client.name])
    }

    @Test func aMalformedMessageIsReported() async throws {
        let (bus, expelled) = try Self.bus()
        let client = try DeafClient(bus)
        #expect(client.say([UInt8](repeating: 7, count: 16)))
        let expulsion = try await expelled.wait(for: 1)[0]
        #expect(expulsion.client == client.name)
        #expect("\(expulsion.reason)".hasPrefix("it sent a malformed message: "))
    }
}
