import TestSupport
import Testing

@testable import HaloDBus

/// The order in which queued messages of several senders are sent.
@Suite(.computes) struct SendQueueTests {
    private static let half = DBusSendQueue.turnLength / 2

    /// Sends up to a number of messages; returns the first byte of each.
    private func send(_ queue: inout DBusSendQueue, most: Int = .max) -> [UInt8] {
        var sent: [UInt8] = []
        queue.send { bytes, _ in
            guard sent.count < most else { return nil }
            sent.append(bytes[0])
            return bytes.count
        }
        return sent
    }

    private func message(_ first: UInt8, _ count: Int = 10) -> [UInt8] {
        [first] + [UInt8](repeating: 0, count: count - 1)
    }

    @Test func theOrderIsThatOfArrival() {
        var queue = DBusSendQueue()
        for number in UInt8(0)..<20 {
            let sender = [nil, 1, 2][Int(number % 3)] as UInt64?
            queue.append(message(number), from: sender, isUnasked: number % 2 == 0)
        }
        #expect(send(&queue) == Array(0..<20))
        #expect(queue.isEmpty && queue.byteCount == 0 && queue.foreignByteCount == 0)
    }

    /// A sender that has queued much waits for the others, and keeps its own order.
    @Test func sendersTakeTurns() {
        var queue = DBusSendQueue()
        for number in UInt8(0)..<7 {
            queue.append(message(number, Self.half), from: 1, isUnasked: number != 5)
        }
        for number in UInt8(10)..<13 {
            queue.append(message(number, Self.half), from: 2, isUnasked: true)
        }
        queue.append(message(20))
        // The bus says that the first client has gone.
        queue.append(message(21), after: 1)
        queue.append(message(22), after: 3)
        #expect(send(&queue) == [0, 1, 10, 11, 20, 22, 2, 3, 12, 4, 5, 6, 21])
        #expect(queue.isEmpty && queue.byteCount == 0 && queue.foreignByteCount == 0)
    }

    /// The turns of earlier messages are over.
    @Test func aSenderThatHasWaitedWaitsNoMore() {
        var queue = DBusSendQueue()
        for number in UInt8(0)..<6 { queue.append(message(number, Self.half), from: 1) }
        queue.append(message(10), from: 2)
        #expect(send(&queue, most: 5) == [0, 1, 10, 2, 3])
        queue.append(message(11), from: 2)
        queue.append(message(12), after: 1)
        #expect(send(&queue) == [4, 5, 11, 12])
    }

    @Test func messagesOfASenderAreRemovedFromAllTurns() {
        var queue = DBusSendQueue()
        for number in UInt8(0)..<6 {
            queue.append(message(number, Self.half), from: 1, isUnasked: number != 4)
        }
        queue.append(message(10), from: 2)
        queue.removeMessages(from: 1)
        #expect(queue.byteCount == Self.half + 10)
        #expect(send(&queue) == [10, 4])
    }
}
