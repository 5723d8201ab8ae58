import HaloTesting
import TestSupport
import Testing

@testable import HaloDBus

/// Repeated changes of a property, of which only the bytes are decoded.
@Suite(.computes) struct PropertyTemplateTests {
    private static func message(
        _ value: DBusValue, _ interface: String = "a.b", _ name: String = "Value",
        gone: [DBusValue] = [], isMore: Bool = false
    ) throws -> DBusMessage {
        var entries = [DBusEntry(.string(name), .variant(value))]
        if isMore { entries.append(DBusEntry(.string("More"), .variant(.byte(1)))) }
        return DBusMessage(
            .signal(
                path: path("/a"), interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged"),
            body: [
                .string(interface), .dictionary(key: .string, value: .variant, entries),
                .array(.string, gone),
            ])
    }

    /// Messages that differ from the usual change in one respect, between usual ones.
    private static func messages() throws -> [DBusMessage] {
        let lengths = [0, 1, 2, 3, 4, 5, 16, 244, 512, 70_000]
        var messages: [DBusMessage] = []
        for length in lengths {
            messages.append(try message(.bytes(Array(repeating: 7, count: length))))
            messages.append(try message(.bytes([1]), "a.bb"))
            messages.append(try message(.bytes([1]), "a.b", "Valve"))
            messages.append(try message(.string("x")))
            messages.append(try message(.byte(1)))
            messages.append(try message(.bytes([1, 2]), gone: [.string("Gone")]))
            messages.append(try message(.bytes([1, 2]), isMore: true))
        }
        return messages
    }

    @Test func templatesDecodeTheSame() throws {
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for message in try Self.messages() + Self.messages().reversed() {
            for _ in 0..<3 {
                let bytes = try message.encoded()
                #expect(try DBusMessage(decoding: bytes.span, &cache) == message)
            }
        }
    }

    /// Templates are bounded: of longer names none is stored.
    @Test(arguments: [
        (8, 8, true), (400, 400, true), (1000, 8, false), (8, 991, true), (8, 992, false),
    ])
    func longNamesAreNotStored(_ interface: Int, _ name: Int, _ isShort: Bool) throws {
        let values = try Self.message(
            .bytes([1]), String(repeating: "i", count: interface),
            String(repeating: "n", count: name)
        ).body
        var writer = DBusWriter()
        for value in values { try writer.put(value) }
        let bytes = writer.bytes
        #expect((DBusPropertyTemplate(values, bytes.span) != nil) == isShort)
    }

    /// With any bit changed, decoding gives the same with a cache and without.
    @Test func noBitIsOverlooked() throws {
        let known = try Self.message(.bytes([1, 2, 3, 4, 5])).encoded()
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for place in known.indices {
            for bit in 0..<8 {
                // The usual one first, so that it is stored.
                for _ in 0..<2 { _ = try DBusMessage(decoding: known.span, &cache) }
                var bytes = known
                bytes[place] ^= 1 << bit
                let plain = try? DBusMessage(decoding: bytes.span)
                let quick = try? DBusMessage(decoding: bytes.span, &cache)
                #expect(plain == quick, "byte \(place), bit \(bit)")
            }
        }
    }

    /// A value of 65,536 bytes is decoded by template; one more byte is not.
    @Test func longValuesAreDecodedWithoutATemplate() throws {
        func bytes(_ count: Int) throws -> [UInt8] {
            var writer = DBusWriter()
            let value = DBusValue.bytes(Array(repeating: 7, count: count))
            for value in try Self.message(value).body { try writer.put(value) }
            return writer.bytes
        }
        let usual = try bytes(3)
        let template = try #require(
            DBusPropertyTemplate(try Self.message(.bytes([7, 7, 7])).body, usual.span))
        for (count, isQuick) in [(0, true), (1, true), (65_536, true), (65_537, false)] {
            let bytes = try bytes(count)
            #expect(template.value(bytes.span)?.count == (isQuick ? count : nil))
        }
        // Every truncation.
        for count in usual.indices {
            #expect(template.value(usual.span.extracting(0..<count)) == nil)
        }
        #expect(template.interface == .string("a.b") && template.name == .string("Value"))
    }
}
