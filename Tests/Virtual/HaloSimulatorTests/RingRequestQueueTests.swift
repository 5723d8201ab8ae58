import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// The queues of a ring: requests, and notifications to send.
@Suite(.passesTime) struct RingRequestQueueTests {
    private func at(_ milliseconds: Int) -> Moment { .origin + .milliseconds(milliseconds) }

    @Test func requestsAreAnsweredInOrderAndOneAtATime() {
        var lane = RingRequestQueue<Int>()
        lane.append(1, at: at(0), after: .milliseconds(30))
        lane.append(2, at: at(1), after: .milliseconds(30))
        #expect(lane.due == at(30))
        #expect(lane.popFirst(dueBy: at(29)) == nil)
        #expect(lane.popFirst(dueBy: at(30)) == 1)
        // The second one waits until the first answer has been sent.
        #expect(lane.due == nil && lane.popFirst(dueBy: at(1000)) == nil)
        lane.answered(until: at(100), nextAfter: .milliseconds(5))
        #expect(lane.freeAt == at(100) && lane.due == at(105))
        #expect(lane.popFirst(dueBy: at(105)) == 2)
        lane.answered(until: at(200), nextAfter: .milliseconds(5))
        #expect(lane.due == nil)
        // A request that comes while an answer is sent waits for its end.
        lane.append(3, at: at(150), after: .milliseconds(30))
        #expect(lane.due == at(230))
    }

    @Test func theOtherServicesTurnPutsNothingForward() {
        for (other, due) in [(10, 130), (100, 130), (300, 330)] {
            var lane = RingRequestQueue<Int>()
            lane.answered(until: at(100), nextAfter: .zero)
            lane.wait(until: at(other))
            #expect(lane.freeAt == at(max(other, 100)))
            lane.append(1, at: at(0), after: .milliseconds(30))
            #expect(lane.due == at(due))
        }
        for (other, due) in [(10, 30), (30, 30), (500, 500)] {
            var lane = RingRequestQueue<Int>()
            lane.append(1, at: at(0), after: .milliseconds(30))
            lane.wait(until: at(other))
            #expect(lane.due == at(due))
        }
    }

    @Test func whatIsTooMuchIsLostAndCounted() {
        var lane = RingRequestQueue<Int>()
        for number in 0..<10 { lane.append(number, at: at(0), after: .milliseconds(1)) }
        #expect(lane.dropped == 2)
        var taken: [Int] = []
        while let due = lane.due, let next = lane.popFirst(dueBy: due) {
            taken.append(next)
            lane.answered(until: due, nextAfter: .milliseconds(1))
        }
        #expect(taken == Array(0..<8))
        lane.append(1, at: at(0), after: .seconds(1))
        lane.removeAll()
        #expect(lane.due == nil && lane.popFirst(dueBy: .distantFuture) == nil)
        lane.append(2, at: at(0), after: .zero)
        #expect(lane.due == at(0))
    }

    /// Notifications of the same moment keep their order.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func notificationsGoAtTheirMomentAndInOrder(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var notifications = NotificationQueue()
        var model: [(due: Moment, bytes: [UInt8])] = []
        for step in 0..<2000 {
            let now = at(step)
            if random.below(3) > 0 {
                let due = at(step + Int(random.below(40)))
                let bytes = [UInt8(step & 0xFF), UInt8(step >> 8)]
                notifications.append(bytes, to: VirtualRingAttributes.uartNotify, at: due)
                let place = model.firstIndex { $0.due > due } ?? model.count
                model.insert((due, bytes), at: place)
            }
            while let first = model.first, first.due <= now {
                #expect(notifications.due == first.due)
                #expect(notifications.popFirst(dueBy: now)?.bytes == first.bytes)
                model.removeFirst()
            }
            #expect(notifications.popFirst(dueBy: now)?.bytes == nil)
            #expect(notifications.due == model.first?.due)
        }
        #expect(notifications.dropped == 0)
    }

    @Test func aFullOutboxDropsWhatComesOnTop() {
        var notifications = NotificationQueue()
        for number in 0..<1030 {
            notifications.append(
                [UInt8(number & 0xFF)], to: VirtualRingAttributes.uartNotify, at: at(0))
        }
        #expect(notifications.dropped == 6)
        var count = 0
        while notifications.popFirst(dueBy: at(0)) != nil { count += 1 }
        #expect(count == 1024 && notifications.due == nil)
        notifications.append([1], to: VirtualRingAttributes.uartNotify, at: at(0))
        #expect(notifications.popFirst(dueBy: at(0))?.bytes == [1])
    }
}
