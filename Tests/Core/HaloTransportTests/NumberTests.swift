import HaloProtocol
import TestSupport
import Testing

@testable import HaloTransport

/// Numbers that must not be mixed up.
@Suite(.passesTime) struct NumberTests {
    @Test(
        arguments: [
            ([], nil, nil), ([.read, .notify], nil, nil),
            ([.write], .withResponse, .withResponse),
            ([.writeWithoutResponse], .withoutResponse, .withoutResponse),
            ([.write, .writeWithoutResponse], .withResponse, .withoutResponse),
        ] as [(GATTProperties, WriteMode?, WriteMode?)])
    func theWayToWriteIsThePreferredOneIfItIsAllowed(
        properties: GATTProperties, response: WriteMode?, command: WriteMode?
    ) {
        #expect(properties.writeMode(preferring: .withResponse) == response)
        #expect(properties.writeMode(preferring: .withoutResponse) == command)
    }

    /// The first numbers of the authors' program.
    @Test func numbersFollowFromTheSeed() {
        var zero = SplitMix(seed: 0)
        #expect(zero.next() == 0xE220_A839_7B1D_CDAF)
        #expect(zero.next() == 0x6E78_9E6A_A1B9_65F4)
        #expect(zero.next() == 0x06C4_5D18_8009_454F)
        var other = SplitMix(seed: 1_234_567)
        let numbers: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(numbers.map { _ in other.next() } == numbers)
    }

    @Test func numbersAreDrawnWithinTheirLimits() {
        let start = SplitMix(seed: 7)
        var chance = start
        #expect([Int64.min, 0, 1].map { chance.below($0) } == [0, 0, 0])
        #expect(chance == start)
        #expect(Set((0..<50).map { _ in chance.below(2) }) == [0, 1])
        #expect(Set((0..<50).map { _ in chance.number(in: -1...1) }) == [-1, 0, 1])
        #expect(Set((0..<50).map { _ in chance.remainder(in: 5...6) }) == [5, 6])
        #expect(SplitMix.number(in: 0...9, from: .max) == 9)
        #expect(SplitMix.number(in: UInt64.min...UInt64.max, from: 7) == 7)
        var (whole, same) = (start, start)
        #expect(whole.remainder(in: 0...UInt64.max) == same.next())
    }
}
