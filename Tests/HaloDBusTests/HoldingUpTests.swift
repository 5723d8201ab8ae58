#if os(Linux)
import Testing

@testable import HaloDBus

/// Clients that ask and do not listen.
@Suite(.takesTurns) struct HoldingUpTests {
    /// A socket whose other end the bus holds, without a connection that would listen.
    private struct Mute: ~Copyable {
        private let socket: DBusDescriptor
        private var stream = DBusMessageStream()
        private var line = AuthenticationLine()
        private var isLetIn = false
        private(set) var answerCount = 0

        init(_ socket: consuming DBusDescriptor) { self.socket = socket }

        /// Writes as much as the bus takes; how much that was.
        func say(_ bytes: some Sequence<UInt8>) -> Int {
            let outcome = Array(bytes).withUnsafeBytes { SystemSocket.send(socket.number, $0, []) }
            if case .bytes(let count) = outcome { return count }
            return 0
        }

        /// Waits until the bus has said something, and counts its answers; whether it goes on.
        mutating func listen() throws -> Bool {
            var poll = SystemPoll()
            poll.append(socket.number)
            poll.wait(for: nil)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var control: [UInt8] = []
            let (outcome, _) = SystemSocket.receive(
                socket.number, into: &buffer, control: &control)
            guard case .bytes(let count) = outcome else { return false }
            var start = 0
            while !isLetIn, start < count {
                isLetIn = try line.receive(buffer[start]) != nil
                start += 1
            }
            stream.append(buffer.span.extracting(start..<count))
            while let (message, _) = try stream.next() {
                if case .answer = message.kind { answerCount += 1 }
            }
            return true
        }
    }

    private static let question = DBusCall(
        "Introspect", of: DBusInterface.introspectable.name, at: .bus, on: DBusName.bus)

    /// The bus does not keep answers without end for somebody who does not take them; who does
    /// in the end gets them all.
    @Test func whoDoesNotListenIsNotHeard() async throws {
        // However long it takes on a busy computer, nobody is cut off.
        let bus = try PrivateBus(BusPatience(longest: .max))
        let other = try await bus.connect()
        var client = Mute(try bus.socket())
        var authentication = DBusAuthentication(userID: SystemSocket.userID)
        let hello = try DBusCall.bus("Hello").message(serial: 1).encoded()
        let beginning = authentication.start() + AuthenticationLine.encode("BEGIN") + hello
        #expect(client.say(beginning) == beginning.count)
        let question = try Self.question.message(serial: 2).encoded()
        let block = Array(repeating: question, count: 256).flatMap { $0 }
        var (said, isHeard) = (0, true)
        while isHeard, said < 1 << 21 {
            isHeard = false
            while case let count = client.say(block[(said % question.count)...]), count > 0 {
                said += count
                isHeard = true
            }
            // Whoever else asks is answered, and by then the bus has heard what it wants to hear.
            for _ in 0..<4 { _ = try await other.call(.bus("GetId")) }
        }
        #expect(said < 1 << 21)
        let expected = 1 + said / question.count
        while client.answerCount < expected { try #require(try client.listen()) }
        #expect(client.answerCount == expected)
    }
}
#endif
