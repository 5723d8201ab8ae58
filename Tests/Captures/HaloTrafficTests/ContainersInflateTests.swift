import TestSupport
import Testing

@testable import HaloTraffic

/// DEFLATE and its wrappers. The streams were made with zlib 1.3.1.
@Suite(.computes) struct ContainersInflateTests {
    private static let rates = "heart rate 72, heart rate 74, heart rate 73\n"

    /// A block in fixed codes.
    private static let fixed: [UInt8] = [
        0xCB, 0x48, 0x4D, 0x2C, 0x2A, 0x51, 0x28, 0x4A, 0x2C, 0x49, 0x55, 0x30, 0x37, 0xD2, 0x51,
        0xC8, 0x40, 0xE2, 0x9A, 0xA0, 0x72, 0x8D, 0xB9, 0x32, 0x68, 0xA4, 0x16, 0x00,
    ]

    private static func unpack(
        _ input: [UInt8], _ wrapper: Unpacker.Wrapper = .none, inPieces size: Int = 1 << 16
    ) -> Unpacking {
        Unpacking(input, wrapper, inPieces: size)
    }

    private static func text(_ count: Int) -> [UInt8] {
        var random: UInt64 = 7
        let words = ["heart", "rate", "ring", "steps", "sleep", "stress", "oxygen"]
        var text = ""
        while text.utf8.count < count {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text += words[Int(random >> 33) % words.count] + " "
            if random >> 60 == 0 { text += String(random) }
        }
        return Array(text.utf8)
    }

    @Test func hasTheChecksumsOfTheStandards() {
        let digits = ContiguousArray("123456789".utf8)
        var checksum = CRC32()
        checksum.update(digits.span)
        #expect(checksum.value == 0xCBF4_3926)
        var bytewise = CRC32()
        for byte in digits { bytewise.update(byte) }
        #expect(bytewise.value == 0xCBF4_3926)
        var sums = Adler32()
        sums.update(digits.span)
        #expect(sums.value == 0x091E_01DE)
        var pieces = sums
        sums.update(ContiguousArray(repeating: 0xFF, count: 20_000).span)
        for _ in 0..<20_000 { pieces.update(ContiguousArray(repeating: 0xFF, count: 1).span) }
        #expect(sums.value == pieces.value)
    }

    @Test func unpacksStoredAndFixedBlocks() {
        let text = Self.text(70_000)
        let stored = PackedFile.stored(text, blockLength: 999)
        #expect(Self.unpack(stored).bytes == text)
        #expect(Self.unpack(stored).error == nil)
        #expect(Self.unpack(PackedFile.stored([])).error == nil)
        let repeated = Array(String(repeating: Self.rates, count: 3).utf8)
        #expect(Self.unpack(Self.fixed).bytes == repeated)
        #expect(Self.unpack(Self.fixed).error == nil)
    }

    @Test(arguments: [0, 1, 6, 9])
    func unpacksWhatZlibPacks(_ level: Int) throws {
        let zlib = try #require(SystemZlib.shared)
        for count in [0, 1, 100, 32_768, 100_000, 300_000] {
            let text = Self.text(count)
            let packed = zlib.packed(text, level: level)
            let whole = Self.unpack(packed, .zlib)
            #expect(whole.bytes == text && whole.error == nil, "\(count)")
            #expect(Self.unpack(packed, .zlib, inPieces: 1000) == whole)
        }
        let zeros = [UInt8](repeating: 0, count: 200_000)
        #expect(Self.unpack(zlib.packed(zeros, level: level), .zlib).bytes == zeros)
        // Nothing repeats nearer than the window is long.
        let half = (0..<32_768).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7 ^ $0) }
        let far = Self.unpack(zlib.packed(half + half + half + half, level: level), .zlib)
        #expect(far.bytes == half + half + half + half && far.error == nil)
    }

    @Test func whatIsTruncatedIsUnpackedAsFarAsItGoes() throws {
        let zlib = try #require(SystemZlib.shared)
        let text = Self.text(1500)
        let packed = zlib.packed(text, level: 9)
        var last = 0
        for count in 0..<packed.count {
            let found = Self.unpack(Array(packed.prefix(count)), .zlib)
            #expect(found.error?.kind == .truncated && found.error?.offset == found.bytes.count)
            #expect(text.starts(with: found.bytes) && found.bytes.count >= last, "\(count)")
            last = found.bytes.count
        }
        #expect(last == text.count)
    }

    @Test func cutsAnywhereHaveNoEffect() throws {
        let zlib = try #require(SystemZlib.shared)
        let text = Self.text(2000)
        let packed = zlib.packed(text, level: 9)
        for size in 1...40 {
            #expect(Self.unpack(packed, .zlib, inPieces: size).bytes == text, "\(size)")
        }
    }

    @Test func damageIsFoundAsZlibFindsIt() throws {
        let zlib = try #require(SystemZlib.shared)
        let packed = zlib.packed(Self.text(1200), level: 9)
        var random: UInt64 = 5
        let next = { (limit: Int) -> Int in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        for round in 0..<3000 {
            var broken = packed
            for _ in 0...next(3) {
                // The codes stand at the beginning.
                let limit = round % 2 == 0 ? min(broken.count, 60) : broken.count
                broken[next(limit)] ^= UInt8(1 << next(8))
            }
            let found = Self.unpack(broken, .zlib)
            let other = zlib.unpacked(broken, windowBits: 15)
            #expect(found.bytes == other.bytes, "\(round)")
            #expect((found.error == nil) == other.isComplete, "\(round)")
        }
    }

    /// Each is a whole stream, except for what is wrong with it.
    @Test(
        arguments: [
            ([0x07], "no known kind"), ([0x01, 1, 0, 1, 0xFF, 0], "two lengths"),
            // Fixed codes: a literal, then a distance of 2; the length symbol 286; distance 30.
            ([0x4B, 0x04, 0x62, 0], "before the beginning"), ([0x1B, 0x03, 0, 0], "no meaning"),
            // 30 is one more than the distances that there are; all lengths are 0.
            ([0x05, 0x1E, 0, 0, 0], "codes"), ([0x05, 0, 0, 0, 0, 0], "codes"),
        ] as [([UInt8], String)])
    func saysWhatIsDamaged(_ input: [UInt8], _ words: String) {
        let error = Self.unpack(input).error
        #expect(error?.kind == .damaged)
        #expect(error?.hint?.contains(words) == true, "\(error?.hint ?? "")")
    }

    /// Bits of a stream, the first one lowest.
    private struct BitWriter {
        var bytes: [UInt8] = []
        private var count = 0

        /// Writes a number from its lowest bit on.
        mutating func put(_ number: Int, _ bits: Int) {
            for bit in 0..<bits {
                if count % 8 == 0 { bytes.append(0) }
                bytes[count / 8] |= UInt8(number >> bit & 1) << UInt8(count % 8)
                count += 1
            }
        }

        /// Writes a code from its highest bit on.
        mutating func putCode(_ code: Int, _ bits: Int) {
            for bit in (0..<bits).reversed() { put(code >> bit & 1, 1) }
        }

        /// A block in fixed codes: a letter, and its repetition of 258 bytes.
        mutating func putFixed(_ letter: Int, isLast: Bool) {
            put(isLast ? 1 : 0, 1)
            put(1, 2)
            putCode(0x30 + letter, 8)
            putCode(0xC5, 8)
            putCode(0, 5)
            putCode(0, 7)
        }

        /// A block in which A is 0 and the end is 1: three times A. Of the code lengths, 18 is 0,
        /// 0 is 10, 1 is 110 and 17 is 111. `zeros` are written by 17 behind the last length.
        mutating func putDynamic(distances: Int, zeros: Int?) {
            put(0, 1)
            put(2, 2)
            put(0, 5)
            put(distances - 1, 5)
            put(14, 4)
            for length in [0, 3, 1, 2] + [Int](repeating: 0, count: 13) + [3] { put(length, 3) }
            for (count, isFollowedByOne) in [(65, true), (138, false), (52, true)] {
                putCode(0, 1)
                put(count - 11, 7)
                if isFollowedByOne { putCode(6, 3) }
            }
            if let zeros {
                putCode(7, 3)
                put(zeros - 3, 3)
            } else {
                for _ in 0..<distances { putCode(2, 2) }
            }
            put(0b1000, 4)
        }
    }

    @Test func blocksOfAllKindsFollowEachOther() {
        var stream = BitWriter()
        stream.putFixed(0x42, isLast: false)
        stream.putDynamic(distances: 1, zeros: nil)
        stream.putFixed(0x43, isLast: false)
        stream.putFixed(0x44, isLast: false)
        stream.putDynamic(distances: 4, zeros: 4)
        stream.putFixed(0x45, isLast: true)
        let long = { (letter: UInt8) in [UInt8](repeating: letter, count: 259) }
        let three = [UInt8](repeating: 0x41, count: 3)
        let wanted = long(0x42) + three + long(0x43) + long(0x44) + three + long(0x45)
        for size in [1, 3, 100] {
            #expect(Self.unpack(stream.bytes, inPieces: size).bytes == wanted)
            #expect(Self.unpack(stream.bytes, inPieces: size).error == nil)
        }
    }

    @Test func codeLengthsEndWithTheirNumber() {
        for (distances, zeros) in [(2, 3), (1, 3), (9, 10), (3, 10)] {
            var stream = BitWriter()
            stream.putDynamic(distances: distances, zeros: zeros)
            stream.putFixed(0x42, isLast: true)
            let error = Self.unpack(stream.bytes).error
            #expect(error?.hint?.contains("codes") == true, "\(distances) \(zeros)")
        }
    }

    // MARK: Wrappers

    @Test func readsAllFieldsOfGzip() {
        let text = Array("heart".utf8)
        let name = Array("log\0remark\0".utf8)
        let begin: [UInt8] = [0x1F, 0x8B, 8, 0x1E, 1, 2, 3, 4, 0, 3]
        let fields: [UInt8] = [3, 0, 9, 9, 9] + name
        let sum = PackedFile.little(UInt16(PackedFile.checksum(begin + fields) & 0xFFFF))
        let file = PackedFile.gzip(text, flags: 0x1E, header: fields + sum)
        for size in [1, 2, 100] {
            #expect(Self.unpack(file, .gzip, inPieces: size).bytes == text)
            #expect(Self.unpack(file, .gzip, inPieces: size).error == nil)
        }
        let wrong = PackedFile.gzip(text, flags: 0x1E, header: fields + [sum[0] ^ 1, sum[1]])
        #expect(Self.unpack(wrong, .gzip).error?.kind == .wrongChecksum)
        let empty = PackedFile.gzip(text, flags: 0x04, header: [0, 0])
        #expect(Self.unpack(empty, .gzip).bytes == text)
        let reserved = PackedFile.gzip(text, flags: 0x20)
        #expect(Self.unpack(reserved, .gzip).error?.kind == .damaged)
    }

    @Test func readsSeveralMembers() {
        let one = PackedFile.gzip([1, 2, 3])
        let many = one + PackedFile.gzip([]) + PackedFile.gzip([4]) + [0, 0, 0]
        #expect(Self.unpack(many, .gzip).bytes == [1, 2, 3, 4])
        #expect(Self.unpack(many, .gzip).error == nil)
        let other = Self.unpack(one + [7], .gzip)
        #expect(other.bytes == [1, 2, 3] && other.error?.kind == .damaged)
        let begun = Self.unpack(one + [0x1F, 0x8B], .gzip)
        #expect(begun.bytes == [1, 2, 3] && begun.error?.kind == .truncated)
    }

    @Test func comparesChecksums() {
        for file in [
            PackedFile.gzip([1, 2], checksum: 3), PackedFile.gzip([1, 2], length: 3),
            PackedFile.gzip([]) + PackedFile.gzip([1, 2], length: 1),
        ] {
            let found = Self.unpack(file, .gzip)
            #expect(found.bytes == [1, 2])
            #expect(found.error?.kind == .wrongChecksum && found.error?.offset == 2)
        }
        var stream = PackedFile.zlib([1, 2])
        #expect(Self.unpack(stream, .zlib).error == nil)
        #expect(Self.unpack(stream + [0], .zlib).error?.kind == .damaged)
        stream[stream.count - 1] ^= 1
        #expect(Self.unpack(stream, .zlib).error?.kind == .wrongChecksum)
        for header in [[0x78, 0x02], [0x79, 0x01], [0x88, 0x1C], [0x78, 0x20]] as [[UInt8]] {
            #expect(Self.unpack(header, .zlib).error?.kind == .damaged, "\(header)")
        }
    }
}
