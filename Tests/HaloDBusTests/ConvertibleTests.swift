#if os(Linux)
import HaloDBus
import Testing

/// Swift values as D-Bus values, and back.
@Suite struct ConvertibleTests {
    private enum Color: String, DBusConvertible { case red, green }

    /// A structure of a program, as in the documentation.
    private struct Point: DBusConvertible, Hashable {
        var (x, y) = (Int32(0), Int32(0))

        init(_ x: Int32, _ y: Int32) { (self.x, self.y) = (x, y) }

        static var dbusType: DBusType { .structure([.int32, .int32]) }
        var dbusValue: DBusValue { .structure(of: x, y) }
        init(dbusValue: DBusValue) throws(DBusError) {
            (x, y) = try dbusValue.members(Int32.self, Int32.self)
        }
    }

    private func survives<Value: DBusConvertible & Equatable>(
        _ value: Value, as expected: DBusValue, _ code: String
    ) throws {
        #expect(value.dbusValue == expected)
        #expect(Value.dbusType.code == code && expected.type.code == code)
        #expect(try expected.decoded(as: Value.self) == value)
        #expect(try DBusValue.variant(expected).decoded(as: Value.self) == value)
    }

    @Test func basicTypesSurviveBothDirections() throws {
        try survives(true, as: .boolean(true), "b")
        try survives(UInt8.max, as: .byte(.max), "y")
        try survives(Int16.min, as: .int16(.min), "n")
        try survives(UInt16.max, as: .uint16(.max), "q")
        try survives(Int32.min, as: .int32(.min), "i")
        try survives(UInt32.max, as: .uint32(.max), "u")
        try survives(Int64.min, as: .int64(.min), "x")
        try survives(UInt64.max, as: .uint64(.max), "t")
        try survives(Int.max, as: .int64(.max), "x")
        try survives(0.5, as: .double(0.5), "d")
        try survives("a", as: .string("a"), "s")
        try survives(try DBusObjectPath("/a"), as: .objectPath(try DBusObjectPath("/a")), "o")
        let signature = try DBusSignature("as")
        try survives(signature, as: .signature(signature), "g")
        try survives(Color.green, as: .string("green"), "s")
    }

    @Test func containersSurviveBothDirections() throws {
        try survives([UInt8](1...3), as: .bytes([1, 2, 3]), "ay")
        try survives(["a", "b"], as: .strings(["a", "b"]), "as")
        try survives([[UInt8]](), as: .array(.array(.byte), []), "aay")
        try survives(
            [Point(1, -2)],
            as: .array(
                .structure([.int32, .int32]),
                [
                    .structure([.int32(1), .int32(-2)])
                ]), "a(ii)")
        try survives(
            ["a": UInt16(1)],
            as: .dictionary(
                key: .string, value: .uint16, [DBusEntry(.string("a"), .uint16(1))]), "a{sq}")
        let variants = ["a": DBusVariant(true)]
        #expect(variants.dbusValue == .properties(["a": .boolean(true)]))
        #expect(try variants.dbusValue.decoded(as: [String: DBusVariant].self) == variants)
    }

    /// An integer of any width is accepted if it fits.
    @Test func integersOfOtherWidthsFitOrAreRefused() throws {
        #expect(try DBusValue.byte(200).decoded(as: Int.self) == 200)
        #expect(try DBusValue.int64(-1).decoded(as: Int16.self) == -1)
        #expect(try DBusValue.uint64(.max).decoded(as: UInt64.self) == .max)
        for (value, message) in [
            (DBusValue.int16(-1), "a value of type n, not y"),
            (.uint16(256), "a value of type q, not y"),
            (.uint64(.max), "a value of type t, not y"), (.string("1"), "a value of type s, not y"),
            (.double(1), "a value of type d, not y"),
        ] {
            #expect(throws: DBusError(.unexpectedReply, details: message)) {
                try value.decoded(as: UInt8.self)
            }
        }
    }

    @Test func otherTypesAreRefused() {
        let mismatched: [@Sendable () throws -> Void] = [
            { _ = try DBusValue.byte(1).decoded(as: Bool.self) },
            { _ = try DBusValue.byte(1).decoded(as: String.self) },
            { _ = try DBusValue.byte(1).decoded(as: Double.self) },
            { _ = try DBusValue.string("/").decoded(as: DBusObjectPath.self) },
            { _ = try DBusValue.string("s").decoded(as: DBusSignature.self) },
            { _ = try DBusValue.string("blue").decoded(as: Color.self) },
            { _ = try DBusValue.byte(1).decoded(as: [UInt8].self) },
            { _ = try DBusValue.strings(["a"]).decoded(as: [UInt8].self) },
            { _ = try DBusValue.strings(["a"]).decoded(as: [String: String].self) },
            { _ = try DBusValue.byte(1).members(UInt8.self) },
            { _ = try DBusValue.structure([.byte(1)]).members(UInt8.self, UInt8.self) },
            { _ = try DBusValue.structure([.byte(1)]).members(String.self) },
            { _ = try DBusReply().first(as: Int.self) },
            { _ = try DBusReply([.byte(1), .byte(2)]).values(UInt8.self) },
        ]
        for (index, body) in mismatched.enumerated() {
            do {
                try body()
                Issue.record("\(index) is accepted")
            } catch {
                #expect((error as? DBusError)?.kind == .unexpectedReply, "\(index): \(error)")
            }
        }
    }

    @Test func severalResultsAreRead() throws {
        let (name, numbers) = try DBusReply([.string("a"), .array(.uint16, [.uint16(1)])])
            .values(String.self, [Int].self)
        #expect(name == "a" && numbers == [1])
    }
}
#endif
