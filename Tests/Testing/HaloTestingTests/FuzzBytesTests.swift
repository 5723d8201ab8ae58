import HaloTesting
import Testing

@Suite struct FuzzBytesTests {
    @Test func isTheSameForTheSameSeed() {
        #expect(FuzzBytes(seed: 7, count: 100).all == FuzzBytes(seed: 7, count: 100).all)
        #expect(FuzzBytes(seed: 7, count: 100).all != FuzzBytes(seed: 8, count: 100).all)
    }

    @Test func givesZerosBehindTheEnd() {
        var bytes = FuzzBytes([1])
        #expect(bytes.integer(UInt32.self) == 1)
        #expect(bytes.remaining == 0)
        #expect(bytes.bytes(3) == [0, 0, 0])
        #expect(bytes.choice(of: ["first", "second"]) == "first")
        #expect(bytes.choice(of: [String]()) == nil)
    }

    @Test func staysWithinLimits() {
        var bytes = FuzzBytes(seed: 1, count: 100_000)
        for _ in 0..<1000 {
            #expect(-3...3 ~= bytes.integer(in: -3...3 as ClosedRange<Int8>))
            #expect(-100...100 ~= bytes.integer(in: -100...100 as ClosedRange<Int8>))
            #expect(0...999 ~= bytes.integer(in: 0...999))
            _ = bytes.integer(in: Int64.min...Int64.max)
            _ = bytes.integer(in: Int8.min...Int8.max)
            #expect(bytes.length(upTo: 10) <= 10)
        }
        #expect(bytes.integer(in: 5...5) == 5)
    }

    @Test func loseNothingInPieces() {
        var bytes = FuzzBytes(seed: 2, count: 1000)
        let whole = Array(0...UInt8.max)
        #expect(bytes.pieces(of: whole, upTo: 20).joined().elementsEqual(whole))
        #expect(bytes.shuffled(whole).sorted() == whole)
        #expect(bytes.pieces(of: [], upTo: 0).isEmpty)
        var ones = FuzzBytes([UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 99))
        #expect(ones.pieces(of: whole, upTo: .max).joined().elementsEqual(whole))
    }
}
