import Testing

@testable import HaloTransport

/// The queue below everything, compared with an array.
@Suite struct FIFOTests {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func behavesAsAnArrayDoes(_ seed: UInt64) {
        var queue = FIFO<Int>()
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
        }
        #expect(queue.removeAll() == model)
    }
}
