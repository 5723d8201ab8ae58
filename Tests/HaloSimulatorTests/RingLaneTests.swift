import HaloProtocol
import HaloTransport
import Testing

@testable import HaloSimulator

/// What waits in a ring: requests that are answered one after the other, and what it is to send.
@Suite struct RingLaneTests {
    private func at(_ milliseconds: Int) -> Moment { .origin + .milliseconds(milliseconds) }

    @Test func requestsAreAnsweredInOrderAndOneAtATime() {
        var lane = RingLane<Int>()
        lane.put(1, at: at(0), after: .milliseconds(30))
        lane.put(2, at: at(1), after: .milliseconds(30))
        #expect(lane.due == at(30))
        #expect(lane.take(at: at(29)) == nil)
        #expect(lane.take(at: at(30)) == 1)
        // The second one waits until the first answer has been sent.
        #expect(lane.due == nil && lane.take(at: at(1000)) == nil)
        lane.answered(until: at(100), nextAfter: .milliseconds(5))
        #expect(lane.freeAt == at(100) && lane.due == at(105))
        #expect(lane.take(at: at(105)) == 2)
        lane.answered(until: at(200), nextAfter: .milliseconds(5))
        #expect(lane.due == nil)
        // A request that comes while an answer is sent waits for its end.
        lane.put(3, at: at(150), after: .milliseconds(30))
        #expect(lane.due == at(230))
    }

    @Test func theOtherServicesTurnPutsNothingForward() {
        for (other, due) in [(10, 130), (100, 130), (300, 330)] {
            var lane = RingLane<Int>()
            lane.answered(until: at(100), nextAfter: .zero)
            lane.wait(until: at(other))
            #expect(lane.freeAt == at(max(other, 100)))
            lane.put(1, at: at(0), after: .milliseconds(30))
            #expect(lane.due == at(due))
        }
        for (other, due) in [(10, 30), (30, 30), (500, 500)] {
            var lane = RingLane<Int>()
            lane.put(1, at: at(0), after: .milliseconds(30))
            lane.wait(until: at(other))
            #expect(lane.due == at(due))
        }
    }

    @Test func whatIsTooMuchIsLostAndCounted() {
        var lane = RingLane<Int>()
        for number in 0..<10 { lane.put(number, at: at(0), after: .milliseconds(1)) }
        #expect(lane.dropped == 2)
        var taken: [Int] = []
        while let due = lane.due, let next = lane.take(at: due) {
            taken.append(next)
            lane.answered(until: due, nextAfter: .milliseconds(1))
        }
        #expect(taken == Array(0..<8))
        lane.put(1, at: at(0), after: .seconds(1))
        lane.removeAll()
        #expect(lane.due == nil && lane.take(at: .distantFuture) == nil)
        lane.put(2, at: at(0), after: .zero)
        #expect(lane.due == at(0))
    }

    /// What is due at the same moment goes in the order in which it was put in.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func notificationsGoAtTheirMomentAndInOrder(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var outbox = RingOutbox()
        var model: [(due: Moment, bytes: [UInt8])] = []
        for step in 0..<2000 {
            let now = at(step)
            if random.below(3) > 0 {
                let due = at(step + Int(random.below(40)))
                let bytes = [UInt8(step & 0xFF), UInt8(step >> 8)]
                outbox.put(bytes, to: RingAttributes.uartNotify, at: due)
                let place = model.firstIndex { $0.due > due } ?? model.count
                model.insert((due, bytes), at: place)
            }
            while let first = model.first, first.due <= now {
                #expect(outbox.due == first.due)
                #expect(outbox.take(at: now)?.bytes == first.bytes)
                model.removeFirst()
            }
            #expect(outbox.take(at: now)?.bytes == nil)
            #expect(outbox.isEmpty == model.isEmpty && outbox.due == model.first?.due)
        }
        #expect(outbox.dropped == 0)
    }

    @Test func aFullOutboxDropsWhatComesOnTop() {
        var outbox = RingOutbox()
        for number in 0..<1030 {
            outbox.put([UInt8(number & 0xFF)], to: RingAttributes.uartNotify, at: at(0))
        }
        #expect(outbox.dropped == 6)
        var count = 0
        while outbox.take(at: at(0)) != nil { count += 1 }
        #expect(count == 1024 && outbox.isEmpty)
        outbox.put([1], to: RingAttributes.uartNotify, at: at(0))
        #expect(outbox.take(at: at(0))?.bytes == [1])
    }
}
