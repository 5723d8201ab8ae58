#if os(Linux)
import HaloTesting
import Testing

@testable import HaloDBus

/// Properties that are told again and again, of which only the bytes are read.
@Suite struct PropertyNewsTests {
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

    /// All that differs from the usual news in one respect, between the usual ones.
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

    @Test func newsAreReadAsEverythingElse() throws {
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for message in try Self.messages() + Self.messages().reversed() {
            for _ in 0..<3 {
                let bytes = try message.encoded()
                #expect(try DBusMessage(decoding: bytes.span, &cache) == message)
            }
        }
    }

    /// What is remembered of an object has an end: names longer than any are not.
    @Test(arguments: [
        (8, 8, true), (400, 400, true), (1000, 8, false), (8, 991, true), (8, 992, false),
    ])
    func longNamesAreNotRemembered(_ interface: Int, _ name: Int, _ isShort: Bool) throws {
        let values = try Self.message(
            .bytes([1]), String(repeating: "i", count: interface),
            String(repeating: "n", count: name)
        ).body
        var writer = DBusWriter()
        for value in values { try writer.put(value) }
        let bytes = writer.bytes
        #expect((DBusPropertyNews(values, bytes.span) != nil) == isShort)
    }

    /// With one bit changed anywhere, they are read, or refused, as they are without a cache.
    @Test func noBitIsOverlooked() throws {
        let known = try Self.message(.bytes([1, 2, 3, 4, 5])).encoded()
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for place in known.indices {
            for bit in 0..<8 {
                // The usual one first, so that it is what is remembered.
                for _ in 0..<2 { _ = try DBusMessage(decoding: known.span, &cache) }
                var bytes = known
                bytes[place] ^= 1 << bit
                let plain = try? DBusMessage(decoding: bytes.span)
                let quick = try? DBusMessage(decoding: bytes.span, &cache)
                #expect(plain == quick, "byte \(place), bit \(bit)")
            }
        }
    }

    /// A value of 65,536 bytes is read quickly; one more is read in the ordinary way.
    @Test func longValuesAreReadInTheOrdinaryWay() throws {
        func bytes(_ count: Int) throws -> [UInt8] {
            var writer = DBusWriter()
            let value = DBusValue.bytes(Array(repeating: 7, count: count))
            for value in try Self.message(value).body { try writer.put(value) }
            return writer.bytes
        }
        let usual = try bytes(3)
        let news = try #require(
            DBusPropertyNews(try Self.message(.bytes([7, 7, 7])).body, usual.span))
        for (count, isQuick) in [(0, true), (1, true), (65_536, true), (65_537, false)] {
            let bytes = try bytes(count)
            #expect(news.value(bytes.span)?.count == (isQuick ? count : nil))
        }
        // Less than there has to be, byte by byte.
        for count in usual.indices { #expect(news.value(usual.span.extracting(0..<count)) == nil) }
        #expect(news.interface == .string("a.b") && news.name == .string("Value"))
    }
}
#endif
