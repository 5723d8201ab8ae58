#if os(Linux)
import Foundation
import _HaloTestPlumbing
import Synchronization
import Testing

@testable import HaloDBus

/// Packet sockets.
@Suite(.takesTurns) struct PacketSocketTests {
    /// The events of a socket: lengths of packets, and the end.
    private final class Listener: Sendable {
        let heard = Collector<String>()
        let far: DBusDescriptors
        private let file: String
        private let near: Mutex<DBusPacketSocket?>

        init(_ connection: DBusConnection, saying packets: [[UInt8]] = []) throws {
            let ends = try DBusDescriptor.socketPair(keepingPackets: true)
            guard let one = ends.take(0), let other = ends.take(1) else { throw TestBus.Missing() }
            for packet in packets { _ = SystemSocket.send(other.number, packet: packet) }
            far = DBusDescriptors(other)
            file = openFiles()[Int(one.number)] ?? ""
            let heard = heard
            let socket = DBusPacketSocket(owning: one, on: connection) { packet in
                heard.append("\(packet.count)")
            } ended: {
                heard.append("end")
            }
            near = Mutex(socket)
        }

        /// `true` while our end is open in this process.
        var isOpen: Bool { openFiles().values.contains(file) }

        var socket: DBusPacketSocket? { near.withLock { $0 } }

        func letGo() {
            let socket = near.withLock { socket in
                defer { socket = nil }
                return socket
            }
            withExtendedLifetime(socket) {}
        }

        func say(_ packets: [[UInt8]]) {
            for packet in packets {
                far.withNumbers { _ = SystemSocket.send($0[0], packet: packet) }
            }
        }

        func hangUp() { _ = far.take(0) }

        func shutDown() { far.withNumbers { _ = shutdown($0[0], Int32(SHUT_WR)) } }

        /// The packets that the other side receives until none is left.
        func read() -> [[UInt8]] {
            var packets: [[UInt8]] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            far.withNumbers { numbers in
                while case .bytes(let count) = SystemSocket.receivePacket(numbers[0], into: &buffer)
                { packets.append(Array(buffer[..<count])) }
            }
            return packets
        }
    }

    private static func packet(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    }

    private static let lengths = [20, 1, 0, 512, 0, 0, 65536, 3]

    @Test func allPacketsComeBeforeTheEnd() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let expected = Self.lengths.map { "\($0)" } + ["end"]
        for isHalf in [false, true] {
            // All are sent before the thread polls, and one after another.
            var started: Listener?
            try await hold(connection) {
                let listener = try Listener(connection, saying: Self.lengths.map(Self.packet))
                isHalf ? listener.shutDown() : listener.hangUp()
                started = listener
            }
            let early = try #require(started)
            #expect(try await early.heard.wait(for: expected.count) == expected)
            early.hangUp()
            let late = try Listener(connection)
            for (count, length) in zip(1..., Self.lengths) {
                late.say([Self.packet(length)])
                #expect(try await late.heard.wait(for: count).last == "\(length)")
            }
            isHalf ? late.shutDown() : late.hangUp()
            #expect(try await late.heard.wait(for: expected.count) == expected)
            late.socket?.close()
            late.hangUp()
            _ = try await connection.call(.bus("GetId"))
            #expect(late.heard.all == expected, "the end comes once")
            #expect(!early.isOpen && !late.isOpen)
        }
    }

    /// An empty packet is delivered if any byte follows.
    @Test(arguments: [
        ([0, 1], ["0", "1", "end"]), ([0, 0, 1], ["0", "0", "1", "end"]), ([1, 0], ["1", "end"]),
    ])
    func emptyPacketsAreDelivered(_ lengths: [Int], _ expected: [String]) async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        var started: Listener?
        try await hold(connection) {
            let listener = try Listener(connection, saying: lengths.map(Self.packet))
            listener.hangUp()
            started = listener
        }
        let listener = try #require(started)
        #expect(try await listener.heard.wait(for: expected.count) == expected)
    }

    @Test func itEndsOnEveryPath() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let closed = try Listener(connection)
        closed.socket?.close()
        closed.socket?.close()
        let dropped = try Listener(connection)
        dropped.letGo()
        for listener in [closed, dropped] {
            #expect(try await listener.heard.wait(for: 1) == ["end"])
            #expect(!listener.isOpen)
        }

        let abandoned = try Listener(connection, saying: [Self.packet(4)])
        let ends = Collector<[String]>()
        connection.onEnd { _ in ends.append(abandoned.heard.all) }
        connection.close()
        #expect(try await ends.wait(for: 1) == [["4", "end"]])
        let late = try Listener(connection)
        #expect(late.heard.all == ["end"])
        #expect(!abandoned.isOpen && !late.isOpen)
        let sent = Collector<Bool>()
        late.socket?.send([1]) { sent.append($0) }
        #expect(sent.all == [false])
    }

    @Test func otherDescriptorsEndAtOnce() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let pipe = Pipe()
        for number in [pipe.fileHandleForReading.fileDescriptor, 1, -1] {
            let ends = Collector<Int>()
            let socket = DBusPacketSocket(
                owning: DBusDescriptor(owning: number < 0 ? -1 : dup(number)), on: connection
            ) {
                ends.append($0.count)
            } ended: {
                ends.append(-1)
            }
            #expect(try await ends.wait(for: 1) == [-1])
            withExtendedLifetime(socket) {}
        }
    }

    @Test func longPacketsAreDropped() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let listener = try Listener(connection, saying: [Self.packet(65537), Self.packet(2)])
        #expect(try await listener.heard.wait(for: 1) == ["2"])
    }

    @Test func nothingIsDeliveredAfterClosing() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let ends = try DBusDescriptor.socketPair(keepingPackets: true)
        let heard = Collector<Int>()
        let own = Collector<DBusPacketSocket>()
        try await hold(connection) {
            guard let one = ends.take(0), let other = ends.take(1) else { return }
            for length in 1...9 { _ = SystemSocket.send(other.number, packet: Self.packet(length)) }
            let socket = DBusPacketSocket(owning: one, on: connection) { packet in
                heard.append(packet.count)
                if packet.count == 3 { own.all.first?.close() }
            } ended: {
                heard.append(-1)
            }
            own.append(socket)
        }
        #expect(try await heard.wait(for: 4) == [1, 2, 3, -1])
        let taken = Collector<Bool>()
        own.all.first?.send([1]) { taken.append($0) }
        #expect(try await taken.wait(for: 1) == [false])
    }

    @Test func packetsWaitForRoom() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let listener = try Listener(connection)
        let results = Collector<String>()
        // More than the system buffers, and more than the queue holds.
        let count = 2000
        for number in 0..<count {
            listener.socket?.send([UInt8(truncatingIfNeeded: number)]) {
                results.append("\(number) \($0)")
            }
        }
        let refused = count - DBusPacketSocket.queueLength
        _ = try await connection.call(.bus("GetId"))
        let taken = results.all.count { $0.hasSuffix("true") }
        #expect(results.all.count == refused)
        #expect(taken > 0)
        let kept = taken + DBusPacketSocket.queueLength
        var read: [[UInt8]] = []
        try await eventually("\(kept) packets, after \(read.count)") {
            read += listener.read()
            return read.count >= kept
        }
        #expect(read == (0..<kept).map { [UInt8(truncatingIfNeeded: $0)] })
        #expect(
            try await results.wait(for: count).suffix(DBusPacketSocket.queueLength)
                == (taken..<kept).map { "\($0) true" })
    }

    @Test func waitingPacketsFailAtTheEnd() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        for isClosed in [false, true] {
            let listener = try Listener(connection)
            let results = Collector<Bool>()
            for _ in 0..<1000 { listener.socket?.send([1]) { results.append($0) } }
            isClosed ? listener.socket?.close() : listener.hangUp()
            #expect(try await results.wait(for: 1000).last == false)
            #expect(try await listener.heard.wait(for: 1) == ["end"])
        }
    }

    @Test func aHundredSocketsShareTheThread() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let listeners = try (0..<100).map { _ in try Listener(connection) }
        for round in 0..<20 {
            for listener in listeners { listener.say([Self.packet(round)]) }
        }
        for listener in listeners { listener.hangUp() }
        let expected = (0..<20).map { "\($0)" } + ["end"]
        for listener in listeners {
            #expect(try await listener.heard.wait(for: 21) == expected)
            #expect(!listener.isOpen)
        }
    }

    /// Blocks the connection's thread while the body runs.
    private func hold(
        _ connection: DBusConnection, _ body: () async throws -> Void
    ) async throws {
        let (begun, gate) = (Collector<Int>(), DispatchSemaphore(value: 0))
        _ = connection.perform {
            begun.append(0)
            gate.wait()
        }
        _ = try await begun.wait(for: 1)
        defer { gate.signal() }
        try await body()
    }

    @Test func socketsAreServedInTurns() async throws {
        let bus = try PrivateBus()
        let connection = try await bus.connect()
        let order = Collector<Int>()
        var kept: [DBusPacketSocket] = []
        var far: [DBusDescriptors] = []
        try await hold(connection) {
            for index in 0..<2 {
                let ends = try DBusDescriptor.socketPair(keepingPackets: true)
                guard let one = ends.take(0), let other = ends.take(1) else { return }
                for _ in 0..<(index == 0 ? 100 : 1) {
                    _ = SystemSocket.send(other.number, packet: [1])
                }
                far.append(DBusDescriptors(other))
                kept.append(
                    DBusPacketSocket(owning: one, on: connection) { _ in order.append(index) })
            }
        }
        #expect(
            try await order.wait(for: 101).prefix(DBusHub.packetsAtOnce + 1)
                .contains(1))
        withExtendedLifetime((kept, far)) {}
    }

    /// Packets that were sent before a signal of the bus are delivered before it.
    @Test(arguments: TestBus.available)
    func packetsComeBeforeLaterSignals(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        let listener = try Listener(receiver)
        let heard = listener.heard
        let subscription = try await receiver.subscription(DBusMatchRule(member: "Gone")) {
            heard.append($0.member)
        }
        try await hold(receiver) {
            listener.say((0..<100).map { _ in Self.packet(7) })
            listener.hangUp()
            try sender.emit(DBusSignal("Gone", of: "a.b", at: .root))
            _ = try await sender.call(.bus("GetId"))
        }
        #expect(
            try await heard.wait(for: 102)
                == [String](repeating: "7", count: 100) + ["end", "Gone"])
        withExtendedLifetime(subscription) {}
    }
}
#endif
