#if os(Linux)
import Testing

@testable import HaloDBus

/// Headers that are recognised by their bytes.
@Suite(.takesTurns) struct HeaderCacheTests {
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

    /// Whether it was read before or not, a message is the same: with headers that differ in one
    /// letter, in nothing, in the types of the values, and in the byte order.
    @Test func knownHeadersChangeNothing() throws {
        let messages = [
            try Self.signal("One", .byte(1)), try Self.signal("One", .byte(2)),
            try Self.signal("Two", .byte(1)), try Self.signal("One", .string("1")),
            DBusMessage(.answer(to: 1), body: [.byte(1)]),
            DBusMessage(.error(name: "a.b", to: 1), body: [.byte(1)]),
        ]
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for round in 0..<3 {
            for var message in messages {
                message.serial += UInt32(round)
                message.flags = round == 1 ? .noAutoStart : []
                let bytes = try message.encoded()
                let whole = Self.read(bytes, &cache)
                #expect(whole == message)
                let cut = Self.read(bytes.dropLast(), &cache)
                #expect(cut == nil)
            }
        }
    }

    /// What could not be read is not kept.
    @Test func whatIsWrongStaysWrong() throws {
        var bytes = try Self.signal("One", .byte(1)).encoded()
        guard let place = bytes.firstRange(of: Array("One".utf8))?.lowerBound else { return }
        bytes[place] = UInt8(ascii: "-")
        var cache: DBusHeaderCache? = DBusHeaderCache()
        for _ in 0..<3 {
            let message = Self.read(bytes, &cache)
            #expect(message == nil)
        }
    }
}
#endif
