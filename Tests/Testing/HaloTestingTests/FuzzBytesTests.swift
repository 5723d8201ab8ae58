import HaloTesting
import TestSupport
import Testing

@Suite(.passesTime) struct FuzzBytesTests {
    @Test func isTheSameForTheSameSeed() {
        #expect(FuzzBytes(seed: 7, count: 100).all == FuzzBytes(seed: 7, count: 100).all)
        #expect(FuzzBytes(seed: 7, count: 100).all != FuzzBytes(seed: 8, count: 100).all)
    }

    /// One seed for each kind of bytes: uniform, zeros, ends of ranges, small numbers.
    @Test(
        arguments: [
            (6, [0xB2, 0x03, 0x12, 0xCA, 0xDE, 0xBB]), (1, [0x00, 0x00, 0x00, 0x00, 0xFF, 0x00]),
            (2, [0x02, 0xFF, 0x7A, 0xFF, 0x02, 0x7F]), (7, [0xD7, 0x00, 0x10, 0x06, 0x06, 0x01]),
        ] as [(UInt64, [UInt8])])
    func isTheSameOnEveryMachine(_ seed: UInt64, _ expected: [UInt8]) {
        #expect(FuzzBytes(seed: seed, count: 6).all == expected)
        #expect(FuzzBytes(seed: seed, count: -1).all == [])
    }

    @Test func eachDecisionUsesItsBytes() {
        var bytes = FuzzBytes([0x34, 0x12, 7, 0xFF, 1, 3, 9, 8])
        #expect(bytes.integer(UInt16.self) == 0x1234)
        #expect(bytes.integer(in: 10...12) == 11)
        #expect(bytes.integer(in: -1000...1000) == -489)
        #expect(bytes.flag() == true)
        // Nine is more than what is left.
        #expect(bytes.length(upTo: 100) == 1)
        #expect(bytes.choice(of: ["first", "second", "third"]) == "third")
        #expect(bytes.remaining == 0 && bytes.all.count == 8)
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
