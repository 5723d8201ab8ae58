import Foundation
import TestSupport
import Testing

@testable import HaloDBus

/// Packet sockets.
@Suite(.takesTurns) struct PacketSocketTests {
    /// The events of a socket: lengths of packets, and the end. The other end says what the test
    /// wants.
    private final class Listener: Sendable {
        let heard = Collector<String>()
        let far: DBusDescriptors
        let socket: PacketSocket
        private let file: String

        init(saying packets: [[UInt8]] = []) throws {
            let ends = try DBusDescriptor.socketPair(keepingPackets: true)
            guard let one = ends.take(0), let other = ends.take(1) else { throw TestBus.Missing() }
            for packet in packets { _ = SystemSocket.send(other.number, packet: packet) }
            far = DBusDescriptors(owning: [other.release()])
            file = openFiles()[Int(one.number)] ?? ""
            let heard = heard
            let socket = PacketSocket(owning: one) { packet in
                heard.append("\(packet.count)")
            } ended: {
                heard.append("end")
            }
            self.socket = try #require(socket)
        }

        /// `true` while our end is open in this process.
        var isOpen: Bool { openFiles().values.contains(file) }

        func say(_ packets: [[UInt8]]) {
            for packet in packets {
                far.withNumbers { _ = SystemSocket.send($0[0], packet: packet) }
            }
        }

        func hangUp() { _ = far.take(0) }

        func shutDown() { far.withNumbers { _ = shutdown($0[0], Int32(SHUT_WR)) } }

        /// The packets that the other side receives until none is left, and whether that is the
        /// end.
        func read() -> (packets: [[UInt8]], isEnd: Bool) {
            var packets: [[UInt8]] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            return far.withNumbers { numbers in
                while true {
                    switch SystemSocket.receivePacket(numbers[0], into: &buffer) {
                    case .bytes(let count): packets.append(Array(buffer[..<count]))
                    case .later: return (packets, false)
                    case .ended: return (packets, true)
                    }
                }
            }
        }
    }

    private static func packet(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    }

    private static let lengths = [20, 1, 0, 512, 0, 0, 65536, 3]

    @Test(arguments: [false, true]) func allPacketsComeBeforeTheEnd(_ isHalf: Bool) async throws {
        let expected = Self.lengths.map { "\($0)" } + ["end"]
        // All are sent before the thread reads, and one after another.
        let early = try Listener(saying: Self.lengths.map(Self.packet))
        isHalf ? early.shutDown() : early.hangUp()
        #expect(try await early.heard.wait(for: expected.count) == expected)
        let late = try Listener()
        for (count, length) in zip(1..., Self.lengths) {
            late.say([Self.packet(length)])
            #expect(try await late.heard.wait(for: count).last == "\(length)")
        }
        isHalf ? late.shutDown() : late.hangUp()
        #expect(try await late.heard.wait(for: expected.count) == expected)
        late.socket.close()
        #expect(late.heard.all == expected, "the end comes once")
        #expect(!early.isOpen && !late.isOpen)
        #expect(!late.socket.send([1]))
    }

    /// An empty packet is delivered if any byte follows.
    @Test(arguments: [
        ([0, 1], ["0", "1", "end"]), ([0, 0, 1], ["0", "0", "1", "end"]), ([1, 0], ["1", "end"]),
    ])
    func emptyPacketsAreDelivered(_ lengths: [Int], _ expected: [String]) async throws {
        let ends = try SystemSocket.pair(keepingPackets: true)
        for length in lengths { _ = SystemSocket.send(ends.1, packet: Self.packet(length)) }
        SystemSocket.close(ends.1)
        let heard = Collector<String>()
        let socket = PacketSocket(owning: DBusDescriptor(owning: ends.0)) { packet in
            heard.append("\(packet.count)")
        } ended: {
            heard.append("end")
        }
        #expect(try await heard.wait(for: expected.count) == expected)
        withExtendedLifetime(socket) {}
    }

    /// The other side reads what was sent, and then the end. Nothing is received any more.
    @Test func closingEndsBothSides() async throws {
        let listener = try Listener()
        #expect(listener.socket.send([1, 2]))
        #expect(listener.socket.send([]))
        #expect(listener.socket.send([3]))
        listener.socket.close()
        listener.say([[9]])
        listener.socket.close()
        #expect(try await listener.heard.wait(for: 1) == ["end"])
        #expect(!listener.isOpen)
        #expect(!listener.socket.send([4]))
        let (packets, isEnd) = listener.read()
        #expect(packets == [[1, 2], [], [3]])
        #expect(isEnd)
    }

    @Test func nothingIsDeliveredAfterClosing() async throws {
        let ends = try DBusDescriptor.socketPair(keepingPackets: true)
        let heard = Collector<Int>()
        let own = Collector<PacketSocket>()
        guard let one = ends.take(0), let other = ends.take(1) else { throw TestBus.Missing() }
        let gate = DispatchSemaphore(value: 0)
        let socket = PacketSocket(owning: one) { packet in
            if packet.count == 1 { gate.wait() }
            heard.append(packet.count)
            if packet.count == 3 { own.all.first?.close() }
        } ended: {
            heard.append(-1)
        }
        own.append(try #require(socket))
        for length in 1...9 { _ = SystemSocket.send(other.number, packet: Self.packet(length)) }
        gate.signal()
        #expect(try await heard.wait(for: 4) == [1, 2, 3, -1])
    }

    @Test func otherDescriptorsEndAtOnce() async throws {
        let pipe = Pipe()
        for number in [pipe.fileHandleForReading.fileDescriptor, 1, -1] {
            let ends = Collector<Int>()
            let descriptor = DBusDescriptor(owning: number < 0 ? -1 : dup(number))
            let socket = PacketSocket(owning: descriptor) {
                ends.append($0.count)
            } ended: {
                ends.append(-1)
            }
            #expect(try await ends.wait(for: 1) == [-1])
            withExtendedLifetime(socket) {}
        }
    }

    @Test func longPacketsAreDropped() async throws {
        let listener = try Listener(saying: [Self.packet(65537), Self.packet(2)])
        #expect(try await listener.heard.wait(for: 1) == ["2"])
        listener.hangUp()
    }

    /// What the other side does not read fills the system's room; the rest is not accepted.
    @Test func aFullSocketRefuses() throws {
        let listener = try Listener()
        let count = 2000
        let results = (0..<count).map { listener.socket.send([UInt8(truncatingIfNeeded: $0)]) }
        let accepted = results.count { $0 }
        #expect(accepted > 0 && accepted < count)
        #expect(results == (0..<count).map { $0 < accepted })
        #expect(
            listener.read().packets == (0..<accepted).map { [UInt8(truncatingIfNeeded: $0)] })
        #expect(listener.socket.send([7]), "there is room again")
        listener.hangUp()
    }

    @Test func manySocketsDoNotWaitForEachOther() async throws {
        let listeners = try (0..<20).map { _ in try Listener() }
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
}
