import TestSupport
import Testing

@testable import HaloDBus

/// Swift values of D-Bus values: variants are unwrapped, other types give `nil`.
@Suite(.computes) struct ValueTests {
    /// An integer of any width is accepted if it fits.
    @Test(
        arguments: [
            (.byte(200), 200), (.int16(-1), -1), (.uint16(.max), 65535), (.int32(.min), -1 << 31),
            (.uint32(.max), 1 << 32 - 1), (.int64(.min), .min), (.uint64(1 << 63 - 1), .max),
            (.uint64(1 << 63), nil), (.uint64(.max), nil), (.string("1"), nil), (.double(1), nil),
            (.boolean(true), nil), (.unixFD(1), nil), (.bytes([1]), nil),
        ] as [(DBusValue, Int64?)])
    func integersOfAnyWidthFitOrAreNone(_ value: DBusValue, _ number: Int64?) {
        #expect(value.integer == number)
        #expect(DBusValue.variant(value).integer == number)
    }

    /// One value of each type, and the accessor that has it.
    @Test func otherTypesAreNone() throws {
        let entry = DBusEntry(.string("a"), .variant(.byte(1)))
        let values: [(DBusValue, String)] = [
            (.string("a"), "string"), (.objectPath(.root), "path"), (.boolean(true), "boolean"),
            (.bytes([1, 2]), "bytes"), (.strings(["a"]), "elements"), (.byte(1), "integer"),
            (.properties(["a": .byte(1)]), "entries"), (.structure([.byte(1)]), ""),
            (.unixFD(3), ""), (.double(1), ""), (.signature([]), ""),
        ]
        for (value, accessor) in values {
            for value in [value, .variant(value), .variant(.variant(value))] {
                let found = [
                    value.string.map { _ in "string" }, value.objectPath.map { _ in "path" },
                    value.boolean.map { _ in "boolean" }, value.bytes.map { _ in "bytes" },
                    value.elements.map { _ in "elements" }, value.integer.map { _ in "integer" },
                    value.entries.map { _ in "entries" },
                ].compactMap(\.self)
                #expect(found == (accessor.isEmpty ? [] : [accessor]), "\(value)")
            }
        }
        #expect(DBusValue.variant(.properties(["a": .byte(1)])).entries == [entry])
        #expect(DBusValue.variant(.variant(.string("a"))).unwrapped == .string("a"))
        #expect(DBusValue.string("a").unwrapped == .string("a"))
    }

    /// Of several entries with one key the last one counts.
    @Test func aKeyFindsItsValue() {
        let value = DBusValue.dictionary(
            key: .string, value: .variant,
            [
                DBusEntry(.string("a"), .variant(.byte(1))),
                DBusEntry(.string("b"), .variant(.variant(.byte(2)))),
                DBusEntry(.string("a"), .variant(.byte(3))),
            ])
        #expect(value["a"] == .byte(3) && value["b"] == .byte(2) && value["c"] == nil)
        #expect(DBusValue.variant(value)["a"] == .byte(3))
        #expect(DBusValue.byte(1)["a"] == nil)
    }

    @Test func collectionsHaveTheirTypes() {
        #expect(DBusValue.strings(["a", "b"]) == .array(.string, [.string("a"), .string("b")]))
        #expect(DBusValue.strings([]).type.code == "as")
        #expect(
            DBusValue.properties(["b": .byte(1), "a": .boolean(true)])
                == .dictionary(
                    key: .string, value: .variant,
                    [
                        DBusEntry(.string("a"), .variant(.boolean(true))),
                        DBusEntry(.string("b"), .variant(.byte(1))),
                    ]))
        #expect(DBusValue.properties([:]).type.code == "a{sv}")
    }

    @Test func aReplyHasItsFirstValueOrNone() throws {
        #expect(try DBusReply([.byte(1), .byte(2)]).first() == .byte(1))
        #expect(
            throws: DBusError(.unexpectedReply, details: "a reply without a value")
        ) { try DBusReply().first() }
    }
}
