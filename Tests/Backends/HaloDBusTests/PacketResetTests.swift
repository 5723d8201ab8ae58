import TestSupport
import Testing

@testable import HaloDBus

/// The other side closes a packet socket while a packet of ours is unread.
@Suite(.takesTurns) struct PacketResetTests {
    @Test(arguments: [0, 1, 3]) func whatItHadSaidIsRead(_ unread: Int) throws {
        let ends = try SystemSocket.pair(keepingPackets: true)
        defer { SystemSocket.close(ends.0) }
        for _ in 0..<unread { _ = SystemSocket.send(ends.0, packet: [1]) }
        for length in [3, 0, 5] {
            _ = SystemSocket.send(ends.1, packet: Array(repeating: 2, count: length))
        }
        SystemSocket.close(ends.1)
        var buffer = [UInt8](repeating: 0, count: 16)
        var lengths: [Int] = []
        while case .bytes(let length) = SystemSocket.receivePacket(ends.0, into: &buffer) {
            lengths.append(length)
        }
        #expect(lengths == [3, 0, 5])
    }
}
