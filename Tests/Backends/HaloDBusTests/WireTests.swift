import TestSupport
import Testing

@testable import HaloDBus

/// Encoded values.
@Suite(.computes) struct WireTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let value: DBusValue
        let little: [UInt8]
        let big: [UInt8]
        var testDescription: String { "\(value.type): \(little)" }

        init(_ value: DBusValue, _ little: String, _ big: String) {
            (self.value, self.little, self.big) = (value, bytes(little), bytes(big))
        }
    }

    static let cases = [
        Case(.byte(5), "05", "05"),
        Case(.boolean(true), "01000000", "00000001"),
        Case(.boolean(false), "00000000", "00000000"),
        Case(.int16(-2), "FEFF", "FFFE"),
        Case(.uint16(0x1234), "3412", "1234"),
        Case(.int32(.min), "00000080", "80000000"),
        Case(.uint32(0x1234_5678), "78563412", "12345678"),
        Case(.int64(-1), "FFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF"),
        Case(.uint64(1), "0100000000000000", "0000000000000001"),
        Case(.double(1), "000000000000F03F", "3FF0000000000000"),
        Case(.string("foo"), "03000000 666F6F 00", "00000003 666F6F 00"),
        Case(.string(""), "00000000 00", "00000000 00"),
        Case(.objectPath(.root), "01000000 2F 00", "00000001 2F 00"),
        Case(.signature([]), "00 00", "00 00"),
        Case(.unixFD(2), "02000000", "00000002"),
        Case(.variant(.byte(7)), "01 79 00 07", "01 79 00 07"),
        Case(.variant(.uint32(7)), "01 75 00 00 07000000", "01 75 00 00 00000007"),
        Case(.bytes([1, 2]), "02000000 01 02", "00000002 01 02"),
        // The length excludes the padding before the first element, which is there even if the
        // array is empty.
        Case(
            .array(.int64, [.int64(5)]), "08000000 00000000 0500000000000000",
            "00000008 00000000 0000000000000005"),
        Case(.array(.int64, []), "00000000 00000000", "00000000 00000000"),
        Case(.array(.structure([.byte]), []), "00000000 00000000", "00000000 00000000"),
        Case(.dictionary(key: .byte, value: .byte, []), "00000000 00000000", "00000000 00000000"),
        Case(.structure([.byte(1), .uint16(2)]), "01 00 0200", "01 00 0002"),
        Case(
            .dictionary(
                key: .byte, value: .byte,
                [DBusEntry(.byte(1), .byte(2)), DBusEntry(.byte(3), .byte(4))]),
            "0A000000 00000000 0102 000000000000 0304",
            "0000000A 00000000 0102 000000000000 0304"),
        Case(
            .array(.string, [.string("a"), .string("b")]),
            "0E000000 01000000 6100 0000 01000000 6200",
            "0000000E 00000001 6100 0000 00000001 6200"),
    ]

    @Test(arguments: cases)
    func valuesSurviveBothDirections(_ sample: Case) throws {
        var writer = DBusWriter()
        try writer.put(sample.value)
        #expect(writer.bytes == sample.little)
        for (isBigEndian, bytes) in [(false, sample.little), (true, sample.big)] {
            let read = try decode(sample.value.type, bytes, isBigEndian: isBigEndian)
            #expect(read.0 == sample.value)
            #expect(read.end == bytes.count)
            for count in 0..<bytes.count {
                #expect(throws: DBusWireError.self, "the first \(count) bytes") {
                    try decode(sample.value.type, bytes.prefix(count), isBigEndian: isBigEndian)
                }
            }
        }
    }

    @Test(arguments: [
        ("b", "02000000", DBusWireError(.wrongBoolean, at: 0)),
        ("s", "01000000 61 61", DBusWireError(.wrongText, at: 5)),
        ("s", "01000000 00 00", DBusWireError(.wrongText, at: 4)),
        ("s", "02000000 C080 00", DBusWireError(.wrongText, at: 4)),
        ("s", "03000000 EDA080 00", DBusWireError(.wrongText, at: 4)),
        ("s", "FFFFFFFF 61 00", DBusWireError(.truncated, at: 4)),
        ("o", "00000000 00", DBusWireError(.wrongPath, at: 0)),
        ("o", "02000000 2F2F 00", DBusWireError(.wrongPath, at: 0)),
        ("g", "01 61 00", DBusWireError(.wrongSignature, at: 2)),
        ("v", "02 7979 00 0101", DBusWireError(.wrongSignature, at: 3)),
        ("v", "00 00", DBusWireError(.wrongSignature, at: 1)),
        ("h", "01000000", DBusWireError(.missingDescriptor, at: 0)),
        ("(yu)", "01 000001 00000000", DBusWireError(.wrongPadding, at: 3)),
        ("ax", "00000000 00000001", DBusWireError(.wrongPadding, at: 7)),
        ("ay", "01000004", DBusWireError(.tooLong, at: 0)),
        ("ay", "00000004", DBusWireError(.truncated, at: 4)),
        ("au", "05000000 01000000 02000000", DBusWireError(.truncated, at: 8)),
        ("as", "07000000 01000000 61 00 00", DBusWireError(.truncated, at: 11)),
        ("as", "08000000 01000000 61 00 00 01", DBusWireError(.wrongPadding, at: 11)),
    ])
    func refusesInvalidBytes(_ signature: String, _ text: String, _ error: DBusWireError) throws {
        let type = try #require(try DBusType.types(parsing: Array(signature.utf8)).first)
        #expect(throws: error) { try decode(type, bytes(text), descriptors: 1) }
    }

    @Test func refusesInvalidValues() {
        func error(_ value: DBusValue, descriptors: UInt32 = 0) -> DBusWireError.Kind? {
            var writer = DBusWriter(descriptorCount: descriptors)
            do throws(DBusWireError) {
                try writer.put(value)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(error(.string("a\0b")) == .wrongText)
        #expect(error(.array(.byte, [.int16(1)])) == .wrongType)
        #expect(error(.array(.array(.string), [.array(.byte, [])])) == .wrongType)
        #expect(error(.dictionary(key: .variant, value: .byte, [])) == .wrongType)
        #expect(
            error(.dictionary(key: .byte, value: .byte, [DBusEntry(.byte(1), .int16(2))]))
                == .wrongType)
        #expect(error(.structure([])) == .wrongType)
        #expect(error(.variant(.structure([]))) == .wrongSignature)
        #expect(error(.unixFD(1), descriptors: 1) == .missingDescriptor)
        #expect(error(.unixFD(0), descriptors: 1) == nil)
        #expect(error(.bytes([UInt8](repeating: 0, count: 1 << 26))) == nil)
        #expect(error(.bytes([UInt8](repeating: 0, count: 1 << 26 + 1))) == .tooLong)
    }

    /// 64 nested containers are allowed, variants among them.
    @Test func depthIsBounded() throws {
        for (depth, isAllowed) in [(1, true), (64, true), (65, false), (10_000, false)] {
            let nested = (0..<depth).reduce(DBusValue.byte(1)) { value, _ in .variant(value) }
            var writer = DBusWriter()
            #expect(((try? writer.put(nested)) != nil) == isAllowed, "\(depth)")
            let inner: [UInt8] = (0..<depth - 1).flatMap { _ in [1, 0x76, 0] as [UInt8] }
            let read = try? decode(.variant, inner + [1, 0x79, 0, 1])
            #expect((read != nil) == isAllowed, "\(depth)")
        }
    }
}
