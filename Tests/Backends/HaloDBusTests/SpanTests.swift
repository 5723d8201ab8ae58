import TestSupport
import Testing

@testable import HaloDBus

/// Comparing and reading bytes in words.
@Suite(.computes) struct SpanTests {
    /// A differing byte matters only inside the range.
    @Test func onlyTheRangeIsCompared() {
        let one = (0..<26).map { UInt8($0) }
        for start in 0...10 {
            for end in start...26 {
                let isItself = one.span.isSame(one.span, in: start..<end)
                #expect(isItself)
                for place in one.indices {
                    var other = one
                    other[place] ^= 0x80
                    let isSame = one.span.isSame(other.span, in: start..<end)
                    #expect(isSame == !(start..<end).contains(place), "\(start)..<\(end): \(place)")
                }
            }
        }
    }

    /// A range beyond one of the two is not the same.
    @Test func theRangeHasToExist() {
        let (long, short): ([UInt8], [UInt8]) = ([1, 2, 3], [1, 2])
        for (one, other) in [(long, short), (short, long)] {
            let found = [0..<2, 0..<3, -1..<2].map { one.span.isSame(other.span, in: $0) }
            #expect(found == [true, false, false])
        }
    }

    @Test func numbersAreLittleEndian() {
        let bytes: [UInt8] = [9, 1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF]
        let numbers = [1, 5].map { bytes.span.littleEndianUInt32(at: $0) }
        #expect(numbers == [0x0403_0201, 0xFFFF_FFFF])
    }
}
