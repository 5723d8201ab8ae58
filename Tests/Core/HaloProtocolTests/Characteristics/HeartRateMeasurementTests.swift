import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@Suite(.computes) struct HeartRateMeasurementTests {
    /// Every combination of flags, with zero to three intervals where they are allowed.
    static let encodings: [[UInt8]] = (UInt8.min...UInt8.max).flatMap { flags -> [[UInt8]] in
        var head = [flags, 60]
        if flags & 1 != 0 { head.append(0) }
        if flags & 8 != 0 { head += [0x34, 0x12] }
        guard flags & 16 != 0 else { return [head] }
        return (0...3).map { count in
            head + (0..<count).flatMap { [UInt8($0), 0x03] }
        }
    }

    @Test func survivesBothDirectionsWithEveryFlag() throws {
        for bytes in Self.encodings {
            let value = try HeartRateMeasurement(decoding: bytes)
            #expect(value.bytes == bytes)
            #expect(value.beatsPerMinute == 60)
            #expect(value.width == (bytes[0] & 1 == 0 ? .oneByte : .twoBytes))
            #expect(value.energyKilojoules == (bytes[0] & 8 == 0 ? nil : 0x1234))
            #expect(value.reservedFlags == bytes[0] & 0xE0)
            let contact: [HeartRateMeasurement.Contact] = [
                .notSupported, .notSupported, .notDetected, .detected,
            ]
            #expect(value.contact == contact[Int(bytes[0] >> 1 & 3)])
        }
    }

    @Test func refusesEveryTruncation() throws {
        for bytes in Self.encodings {
            for length in 0..<bytes.count {
                let cut = Array(bytes[..<length])
                let headLength = 2 + Int(bytes[0] & 1) + (bytes[0] & 8 == 0 ? 0 : 2)
                if bytes[0] & 16 != 0 && length >= headLength && (length - headLength) % 2 == 0 {
                    #expect(try HeartRateMeasurement(decoding: cut).bytes == cut)
                } else {
                    #expect(kind { try HeartRateMeasurement(decoding: cut) } == .truncated)
                }
            }
        }
    }

    @Test func refusesTrailingBytes() {
        for bytes in Self.encodings {
            let kind = kind { try HeartRateMeasurement(decoding: bytes + [1]) }
            #expect(kind == (bytes[0] & 16 == 0 ? .trailingBytes : .truncated))
        }
    }

    @Test(arguments: [HeartRateMeasurement.Contact.notSupported, .notDetected, .detected])
    func madeValuesSurviveBothDirections(contact: HeartRateMeasurement.Contact) throws {
        for width in [nil, HeartRateMeasurement.Width.oneByte, .twoBytes] {
            for energy in [nil, 0, UInt16.max] {
                for intervals in [[], [0], [UInt16.max, 1024, 1]] {
                    let value = try HeartRateMeasurement(
                        beatsPerMinute: 255, width: width, contact: contact,
                        energyKilojoules: energy, rrIntervals: intervals)
                    #expect(try HeartRateMeasurement(decoding: value.bytes) == value)
                    #expect(value.contact == contact)
                    #expect(value.width == width ?? .oneByte)
                }
            }
        }
    }

    @Test func refusesWhatCannotBeEncoded() throws {
        #expect(throws: ValueError("beatsPerMinute", allowed: 0...255, found: 256)) {
            try HeartRateMeasurement(beatsPerMinute: 256, width: .oneByte)
        }
        let intervals = [UInt16](repeating: 900, count: 255)
        let longest = try HeartRateMeasurement(beatsPerMinute: 60, rrIntervals: intervals)
        #expect(longest.bytes.count == 512)
        #expect(throws: ValueError.self) {
            try HeartRateMeasurement(beatsPerMinute: 300, rrIntervals: intervals)
        }
    }

    @Test(arguments: [4, 5, 6, 7, 8, 20, 23, 100, 512])
    func piecesFitAndKeepEverything(maximumLength: Int) throws {
        for energy in [nil, UInt16(7)] {
            for count in 0...40 {
                let intervals = (0..<count).map { UInt16($0 * 31) }
                let whole = try HeartRateMeasurement(
                    beatsPerMinute: 70, contact: .detected, energyKilojoules: energy,
                    rrIntervals: intervals)
                let pieces = try whole.split(maximumLength: maximumLength)
                #expect(pieces.allSatisfy { $0.bytes.count <= maximumLength })
                #expect(pieces.flatMap(\.rrIntervals) == intervals)
                #expect(pieces.compactMap(\.energyKilojoules) == [energy].compactMap(\.self))
                #expect(pieces.allSatisfy { $0.contact == .detected && $0.beatsPerMinute == 70 })
                #expect(pieces.first?.energyKilojoules == energy)
            }
        }
    }

    @Test func doesNotSplitIntoLessThanOneInterval() throws {
        let whole = try HeartRateMeasurement(
            beatsPerMinute: 300, energyKilojoules: 1, rrIntervals: [1, 2])
        #expect(try whole.split(maximumLength: 5).map(\.rrIntervals) == [[], [1], [2]])
        #expect(throws: ValueError("maximumLength", allowed: 5...512, found: 4)) {
            try whole.split(maximumLength: 4)
        }
        #expect(throws: ValueError.self) { try whole.split(maximumLength: .min) }
    }

    @Test func millisecondsAreExact() throws {
        let value = try HeartRateMeasurement(
            beatsPerMinute: 60, rrIntervals: [0, 1, 1024, 832, 65_535])
        #expect(value.rrMilliseconds == [0, 0.976_562_5, 1000, 812.5, 63_999.023_437_5])
    }

    /// Nine intervals are stored inline, ten are not, and a packet has 255 at most.
    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 30, 254, 255])
    func intervalsAreTheSameWhereverTheyLie(count: Int) throws {
        var chance = FuzzBytes(seed: UInt64(count), count: 2_000)
        let numbers = (0..<count).map { _ in chance.integer(UInt16.self) }
        let built = try HeartRateMeasurement(beatsPerMinute: 60, rrIntervals: numbers)
        let read = try HeartRateMeasurement(decoding: built.bytes)
        #expect(built == read)
        #expect(built.hashValue == read.hashValue)
        var bytes: [UInt8] = [count == 0 ? 0 : 16, 60]
        for number in numbers { bytes += [UInt8(number & 0xFF), UInt8(number >> 8)] }
        #expect(built.bytes == bytes)
        for intervals in [built.rrIntervals, read.rrIntervals] {
            #expect(Array(intervals) == numbers)
            #expect(intervals.count == count)
            #expect(intervals.indices.map { intervals[$0] } == numbers)
            #expect([-1, .min, count, count + 1, .max].allSatisfy { intervals[$0] == 0 })
            #expect(Array(intervals.reversed()) == numbers.reversed())
            #expect(intervals.description == numbers.description)
        }
        var other = numbers
        for index in numbers.indices {
            other[index] ^= 0x100
            let changed = try HeartRateMeasurement(beatsPerMinute: 60, rrIntervals: other)
            #expect(changed.rrIntervals != built.rrIntervals, "\(index)")
            other[index] ^= 0x100
        }
    }

    /// A short slice of many intervals equals the same few intervals.
    @Test func slicesOfIntervalsAreIntervals() throws {
        let numbers = (0..<20).map { UInt16($0 * 1000) }
        let all = HeartRateMeasurement.RRIntervals(numbers)
        for start in 0...20 {
            for end in start...20 {
                let slice = HeartRateMeasurement.RRIntervals(all[start..<end])
                let built = HeartRateMeasurement.RRIntervals(numbers[start..<end])
                #expect(slice == built && slice.hashValue == built.hashValue)
                #expect(Array(slice) == Array(numbers[start..<end]))
                let measured = try HeartRateMeasurement(
                    beatsPerMinute: 60, rrIntervals: all[start..<end])
                #expect(measured.rrIntervals == slice)
                #expect((slice.count < 20) == (slice != all))
            }
        }
        #expect(all.prefix(2).elementsEqual([0, 1000]))
        #expect(
            [HeartRateMeasurement.RRIntervals(), []] == [[], HeartRateMeasurement.RRIntervals([])])
    }
}

/// Returns the kind of error that a decoding throws.
func kind<Value>(_ decode: () throws -> Value) -> PacketError.Kind? {
    do {
        _ = try decode()
        return nil
    } catch {
        return (error as? PacketError)?.kind
    }
}
