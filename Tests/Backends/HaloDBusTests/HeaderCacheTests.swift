import TestSupport
import Testing

@testable import HaloDBus

/// Cached headers.
@Suite(.computes) struct HeaderCacheTests {
    private static func signal(_ member: String, _ value: DBusValue) throws -> DBusMessage {
        var message = DBusMessage(
            .signal(path: path("/a"), interface: "a.b", member: member), body: [value])
        message.sender = ":1.1"
        return message
    }

    private static func read(
        _ bytes: [UInt8], _ cache: inout DBusHeaderCache?
    ) -> DBusMessage? {
        try? DBusMessage(decoding: bytes.span, &cache)
    }

    /// A message decodes the same with a cached header: with headers that differ in one letter, in
    /// nothing, in the types of the values, and in the byte order.
    @Test func knownHeadersChangeNothing() throws {
        let messages = [
            try Self.signal("One", .byte(1)), try Self.signal("One", .byte(2)),
            try Self.signal("Two", .byte(1)), try Self.signal("One", .string("1")),
            DBusMessage(.reply(to: 1), body: [.byte(1)]),
            DBusMessage(.error(name: "a.b", to: 1), body: [.byte(1)]),
        ]
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for round in 0..<3 {
            for var message in messages {
                message.serial += UInt32(round)
                message.flags = round == 1 ? .noReplyExpected : []
                let bytes = try message.encoded()
                let whole = Self.read(bytes, &cache)
                #expect(whole == message)
                let cut = Self.read(bytes.dropLast(), &cache)
                #expect(cut == nil)
            }
        }
    }

    /// An invalid header is not stored.
    @Test func invalidHeadersAreNotStored() throws {
        var bytes = try Self.signal("One", .byte(1)).encoded()
        guard let place = bytes.firstRange(of: Array("One".utf8))?.lowerBound else { return }
        bytes[place] = UInt8(ascii: "-")
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for _ in 0..<3 {
            let message = Self.read(bytes, &cache)
            #expect(message == nil)
        }
    }

    /// The bytes of a change of a property at a path of some length, and the offset of the body.
    private static func change(
        _ place: String, _ value: [UInt8] = [1, 2, 3]
    ) throws -> (bytes: [UInt8], start: Int) {
        var message = DBusMessage(
            .signal(
                path: path(place), interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged"),
            body: [.string("a.b"), .properties(["Value": .bytes(value)]), .strings([])])
        message.sender = ":1.1"
        let bytes = try message.encoded()
        return (bytes, bytes.count - bytes.span.littleEndianUInt32(at: 4))
    }

    /// Headers of up to 512 bytes are stored.
    @Test func longHeadersAreNotStored() throws {
        let short = try Self.change("/a").start
        for (length, isKept) in [(512, true), (520, false)] {
            // Eight more characters are eight more bytes.
            let place = "/a" + String(repeating: "b", count: length - short)
            let (bytes, start) = try Self.change(place)
            #expect(start == length)
            var cache: DBusHeaderCache? = DBusHeaderCache()
            for _ in 0..<2 { _ = Self.read(bytes, &cache) }
            let header = bytes.span.extracting(0..<start)
            #expect((cache?.header(header) != nil) == isKept)
            #expect((cache?.propertyUpdate(beginning: bytes.span) != nil) == isKept)
        }
    }

    /// A hundred devices rarely replace each other.
    @Test func headersHaveSlotsOfTheirOwn() throws {
        #expect(DBusHeaderCache.count == 256)
        var cache: DBusHeaderCache? = DBusHeaderCache()
        let all = try (0..<100).map { number in
            try Self.change("/org/bluez/hci0/dev_C0_11_22_33_44_\(number / 10)\(number % 10)")
        }
        for (bytes, _) in all { _ = Self.read(bytes, &cache) }
        let kept = all.count { bytes, start in
            cache?.header(bytes.span.extracting(0..<start)) != nil
        }
        #expect(kept >= 75)
        // A letter at the end of the header changes the slot as well as one at the beginning.
        for (one, other) in [(":1.1", ":1.2"), (":1.10", ":1.12")] {
            var messages = [Self.answer(one), Self.answer(other)]
            for index in messages.indices { messages[index].sender = ":1.1" }
            var both: DBusHeaderCache? = DBusHeaderCache()
            let bytes = try messages.map { try $0.encoded() }
            for bytes in bytes { _ = Self.read(bytes, &both) }
            #expect(bytes.allSatisfy { both?.header($0.span) != nil })
        }
    }

    private static func cut(_ bytes: [UInt8], _ cache: DBusHeaderCache?) -> DBusPropertyUpdate? {
        cache?.propertyUpdate(beginning: bytes.span)
    }

    private static func answer(_ destination: String) -> DBusMessage {
        DBusMessage(.reply(to: 1), destination: destination)
    }

    /// Complete changes are recognised, and only these.
    @Test func completeChangesAreRecognised() throws {
        let (known, start) = try Self.change("/a")
        var cache: DBusHeaderCache? = DBusHeaderCache()
        #expect(cache?.propertyUpdate(beginning: known.span) == nil, "nothing is known yet")
        _ = Self.read(known, &cache)
        #expect(
            cache?.propertyUpdate(beginning: known.span) == nil, "it is told for the first time")
        _ = Self.read(known, &cache)
        for (value, more) in [([1, 2, 3], []), ([], [9]), ([5], known)] as [([UInt8], [UInt8])] {
            let bytes = try Self.change("/a", value).bytes
            let found = Self.cut(bytes + more, cache)
            #expect(found?.value == value)
            #expect(found?.length == bytes.count)
            #expect(found?.source.path == path("/a") && found?.source.sender == ":1.1")
            #expect(found?.source.interface == "a.b" && found?.source.name == "Value")
        }
        for count in known.indices {
            #expect(cache?.propertyUpdate(beginning: known.span.extracting(0..<count)) == nil)
        }
        // Another byte order, version, serial number, and type; another header; lengths that are
        // too long.
        let changes: [(Int, UInt8)] = [
            (0, 0x42), (3, 2), (8, 0), (1, 1), (start - 16, 0xFF), (13, 3), (15, 1), (7, 1),
        ]
        for (place, byte) in changes {
            var bytes = known
            bytes[place] = byte
            #expect(cache?.propertyUpdate(beginning: bytes.span) == nil, "byte \(place)")
        }
        // Flags and the serial number differ in each message.
        var bytes = known
        (bytes[2], bytes[9]) = (7, 1)
        #expect(cache?.propertyUpdate(beginning: bytes.span) != nil)
    }
}
