import TestSupport
import Testing

@testable import HaloTransport

/// The queue, compared with an array.
@Suite(.passesTime) struct QueueTests {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func queueBehavesAsAnArray(_ seed: UInt64) {
        var queue = Queue<Int>()
        var model: [Int] = []
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        for step in 0..<500 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            switch random >> 60 {
            case 0..<8:
                queue.append(step)
                model.append(step)
            case 8..<13:
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            case 13:
                queue.updateFirst { $0 += 1000 }
                if !model.isEmpty { model[0] += 1000 }
            case 14:
                let found = queue.removeFirst { $0.isMultiple(of: 5) }
                let index = model.firstIndex { $0.isMultiple(of: 5) }
                #expect(found == index.map { model.remove(at: $0) })
            default:
                if step.isMultiple(of: 7) {
                    #expect(queue.removeAll() == model)
                    model = []
                }
            }
            #expect(queue.count == model.count)
            #expect(queue.isEmpty == model.isEmpty)
            #expect(queue.first == model.first)
            #expect(queue.all == model)
        }
        #expect(queue.removeAll() == model)
    }

    /// The slots of removed elements are released when they are half of all, and at least 32.
    @Test(arguments: [
        (62, 31, 62), (63, 32, 31), (64, 31, 64), (64, 32, 32), (65, 32, 65), (65, 33, 32),
        (100, 49, 100), (100, 50, 50), (100, 51, 50), (100, 100, 0), (10, 9, 10), (10, 10, 0),
    ])
    func removedSlotsAreReleased(_ appended: Int, taken: Int, places: Int) {
        var queue = Queue<Int>()
        for number in 0..<appended { queue.append(number) }
        for number in 0..<taken { #expect(queue.popFirst() == number) }
        #expect(queue.elements.count == places)
        #expect(queue.count == appended - taken)
        #expect(queue.first == (taken < appended ? taken : nil))
    }

    @Test func smallCapacityIsKeptAndLargeReleased() {
        var queue = Queue<Int>()
        for number in 0..<10 { queue.append(number) }
        for number in 0..<10 { #expect(queue.popFirst() == number) }
        #expect(queue.elements.capacity >= 10)
        for number in 0..<1000 { queue.append(number) }
        for number in 0..<1000 { #expect(queue.popFirst() == number) }
        #expect(queue.elements.capacity < 64)
    }

    private final class Thing {}

    @Test func removedElementsAreReleased() {
        var queue = Queue<Thing>()
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            queue.append(thing)
        }
        queue.append(Thing())
        #expect(first != nil)
        do {
            let taken = queue.popFirst()
            #expect(taken === first)
        }
        #expect(first == nil)
        #expect(queue.count == 1)
    }
}
