import TestSupport
import Testing

@testable import HaloDBus

/// Maximum lengths and depths, and the offsets of faults.
@Suite(.computes) struct WireBoundsTests {
    /// The first 16 bytes of a message with these lengths of fields and body.
    private static func start(_ fields: UInt32, _ body: UInt32, isBig: Bool) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            withUnsafeBytes(of: isBig ? value.bigEndian : value.littleEndian) { Array($0) }
        }
        return [isBig ? 0x42 : 0x6C, 1, 0, 1] + number(body) + number(1) + number(fields)
    }

    /// Fields end at a multiple of eight; the body does not.
    @Test(
        arguments: [
            (0, 0, 16), (1, 0, 24), (7, 0, 24), (8, 0, 24), (9, 0, 32), (8, 5, 29), (0, 1, 17),
            (1 << 26, 0, 16 + 1 << 26), (0, 1 << 27 - 16, 1 << 27),
            (1 << 26, 1 << 26 - 16, 1 << 27),
        ] as [(UInt32, UInt32, Int)])
    func theLengthIsThatOfHeaderAndBody(_ fields: UInt32, _ body: UInt32, _ length: Int) throws {
        for isBig in [false, true] {
            let bytes = Self.start(fields, body, isBig: isBig)
            #expect(try DBusMessage.length(beginning: bytes.span) == length)
        }
    }

    @Test(
        arguments: [
            (1 << 26 + 1, 0, 12), (.max, 0, 12), (0, 1 << 27 - 15, 4), (0, 1 << 27, 4),
            (0, .max, 4),
            (1 << 26, 1 << 26 - 15, 4), (1 << 26, .max, 4),
        ] as [(UInt32, UInt32, Int)])
    func lengthsAreCheckedBeforeTheBytesCome(_ fields: UInt32, _ body: UInt32, _ place: Int) {
        for isBig in [false, true] {
            let bytes = Self.start(fields, body, isBig: isBig)
            #expect(throws: DBusWireError(.tooLong, at: place)) {
                try DBusMessage.length(beginning: bytes.span)
            }
        }
    }

    @Test func sixteenBytesGiveTheLength() {
        let bytes = Array(Self.start(0, 0, isBig: false).dropLast())
        #expect(throws: DBusWireError(.truncated, at: 15)) {
            try DBusMessage.length(beginning: bytes.span)
        }
    }

    /// A message of 2²⁷ bytes is encoded; one byte more is refused.
    @Test func theLongestMessageIsSent() throws {
        let half = [UInt8](repeating: 7, count: 1 << 26)
        var message = DBusMessage(.reply(to: 1), body: [.bytes(half), .bytes([])])
        // Two arrays with their lengths; the second one fills the rest.
        let rest = 1 << 27 - (try message.encoded().count)
        message.body[1] = .bytes([UInt8](repeating: 7, count: rest))
        #expect(try message.encoded().count == 1 << 27)
        message.body[1] = .bytes([UInt8](repeating: 7, count: rest + 1))
        #expect(throws: DBusWireError(.tooLong, at: 1 << 27 + 1)) { try message.encoded() }
    }

    /// The length of an array of arrays counts all of them.
    @Test func theLongestArrayIsWritten() {
        let inner = 1 << 26 - 4
        for (count, isAllowed) in [(inner, true), (inner + 1, false)] {
            var writer = DBusWriter()
            let value = DBusValue.array(
                .array(.byte), [.bytes([UInt8](repeating: 7, count: count))])
            #expect(((try? writer.put(value)) != nil) == isAllowed)
            guard isAllowed else { continue }
            #expect(writer.bytes.count == 4 + 1 << 26)
            #expect(writer.bytes.prefix(8) == [0, 0, 0, 4, 0xFC, 0xFF, 0xFF, 3])
        }
    }

    /// Nesting: an array or a structure is one level, a dictionary with its entries two. 64 levels
    /// are allowed.
    @Test(
        arguments: [
            (.array(.uint16, [.uint16(1)]), 1), (.structure([.byte(1)]), 1),
            (.dictionary(key: .byte, value: .byte, [DBusEntry(.byte(1), .byte(2))]), 2),
        ] as [(DBusValue, Int)])
    func eachContainerCounts(_ content: DBusValue, _ levels: Int) throws {
        for (variants, isAllowed) in [(64 - levels, true), (65 - levels, false)] {
            let value = (0..<variants).reduce(content) { value, _ in .variant(value) }
            var writer = DBusWriter()
            #expect(((try? writer.put(value)) != nil) == isAllowed)
            // The same bytes without the check of the encoder.
            var other = DBusWriter()
            for _ in 1..<variants { other.append([1, DBusType.variant.firstCode, 0]) }
            try other.put(.variant(content))
            #expect(((try? decode(.variant, other.bytes)) != nil) == isAllowed)
        }
    }

    /// Arrays and structures may each be nested 32 deep, in signatures of types and of values.
    @Test func signaturesOfValuesAreBoundedAsThoseOfTypes() {
        func type(_ depth: Int, _ wrap: (DBusType) -> DBusType) -> DBusType {
            (0..<depth).reduce(.uint16) { type, _ in wrap(type) }
        }
        let wraps: [(DBusType) -> DBusType] = [
            { .array($0) }, { .structure([$0]) }, { .dictionary(key: .byte, value: $0) },
            { .array(.structure([$0])) }, { .structure([.array($0)]) },
            { .structure([.byte, .dictionary(key: .string, value: $0)]) },
        ]
        for wrap in wraps {
            for (depth, isAllowed) in [(1, true), (31, true), (32, true), (33, false)] {
                let type = type(depth, wrap)
                let read = try? DBusType.types(parsing: Array(type.code.utf8))
                #expect(read == (isAllowed ? [type] : nil), "\(type)")
                var characters: [UInt8] = []
                let isWritten = (try? Self.empty(of: type).type.append(to: &characters)) != nil
                #expect(isWritten == isAllowed, "\(type)")
                if isAllowed { #expect(String(decoding: characters, as: UTF8.self) == type.code) }
            }
        }
    }

    /// The smallest value of a type.
    private static func empty(of type: DBusType) -> DBusValue {
        switch type {
        case .array(let element): .array(element, [])
        case .dictionary(let key, let value): .dictionary(key: key, value: value, [])
        case .structure(let members): .structure(members.map(empty))
        case .byte: .byte(0)
        default: .uint16(0)
        }
    }

    /// A signature of 255 characters is encoded, of a body and of a variant.
    @Test func theLongestSignatureIsWritten() throws {
        for (count, isAllowed) in [(255, true), (256, false)] {
            let values = Array(repeating: DBusValue.byte(1), count: count)
            let message = DBusMessage(.reply(to: 1), body: values)
            #expect(((try? decode(message.encoded())) == message) == isAllowed)
        }
        for (count, isAllowed) in [(253, true), (254, false)] {
            let value = DBusValue.structure(Array(repeating: .byte(1), count: count))
            let message = DBusMessage(.reply(to: 1), body: [.variant(value)])
            #expect(((try? decode(message.encoded())) == message) == isAllowed)
        }
    }

    @Test(arguments: [
        ("a", 1), ("()", 0), ("(", 1), (")", 0), ("(y", 2), ("y)", 1), ("{sv}", 0), ("a{s}", 3),
        ("a{svy}", 4), ("a{vs}", 2), ("a{ays}", 2), ("a{sv", 4), ("a{", 2), ("yz", 1), ("y\0", 1),
        ("y()", 1), ("a()", 1), (String(repeating: "a", count: 33) + "y", 32),
        (String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33), 32),
        (String(repeating: "y", count: 256), 255),
    ])
    func faultsOfSignaturesHaveAnOffset(_ text: String, _ place: Int) {
        #expect(throws: DBusWireError(.wrongSignature, at: place)) {
            try DBusType.types(parsing: Array(text.utf8))
        }
    }

    @Test(arguments: [
        ("", 0), ("a", 0), ("//", 1), ("/a/", 2), ("/a//b", 3), ("/-", 1), ("/a b", 2),
    ])
    func faultsOfPathsHaveAnOffset(_ text: String, _ place: Int) {
        #expect(throws: DBusWireError(.wrongPath, at: place)) { try DBusObjectPath(text) }
    }

    /// `/a`, `a.b`, `M`, `u` at 16, 32, 48 and 64; the body at 72, the end at 76.
    private static let call = DBusMessage(
        .call(path: path("/a"), interface: "a.b", member: "M"), body: [.uint32(1)])

    @Test(
        arguments: [
            (0, 0x78, DBusWireError(.wrongEndianness, at: 0)),
            (1, 0, DBusWireError(.wrongMessageType, at: 1)),
            (1, 5, DBusWireError(.wrongMessageType, at: 1)),
            (1, 2, DBusWireError(.wrongHeader, at: 16)),
            (3, 2, DBusWireError(.wrongVersion, at: 3)),
            (4, 5, DBusWireError(.truncated, at: 76)),
            (4, 3, DBusWireError(.excess, at: 75)),
            (8, 0, DBusWireError(.wrongSerial, at: 8)),
            // The fields: an unknown number, a skipped one, a wrong type, an invalid path.
            (16, 0, DBusWireError(.wrongHeader, at: 12)),
            (16, 200, DBusWireError(.wrongHeader, at: 16)),
            (16, 6, DBusWireError(.wrongType, at: 12)),
            (18, 0x73, DBusWireError(.wrongType, at: 12)),
            (19, 1, DBusWireError(.wrongText, at: 19)),
            (24, 0x61, DBusWireError(.wrongPath, at: 20)),
            (27, 1, DBusWireError(.wrongPadding, at: 27)),
            // Invalid names; a field that is there twice.
            (41, 0x61, DBusWireError(.wrongName, at: 16)),
            (48, 2, DBusWireError(.wrongHeader, at: 12)),
            (56, 0x2D, DBusWireError(.wrongName, at: 16)),
            // A body without types, of shorter and of longer ones.
            (64, 200, DBusWireError(.wrongSignature, at: 72)),
            (69, 0x79, DBusWireError(.excess, at: 73)),
            (69, 0x74, DBusWireError(.truncated, at: 72)),
            (71, 1, DBusWireError(.wrongPadding, at: 71)),
        ] as [(Int, UInt8, DBusWireError)])
    func faultsOfMessagesHaveAnOffset(
        _ place: Int, _ byte: UInt8, _ error: DBusWireError
    ) throws {
        var bytes = try Self.call.encoded()
        #expect(bytes.count == 76)
        bytes[place] = byte
        #expect(throws: error) { try decode(bytes) }
    }

    /// Each message type requires its fields.
    @Test func eachTypeRequiresItsFields() throws {
        let place = DBusValue.structure([.byte(1), .variant(.objectPath(path("/a")))])
        let interface = DBusValue.structure([.byte(2), .variant(.string("a.b"))])
        let member = DBusValue.structure([.byte(3), .variant(.string("M"))])
        let error = DBusValue.structure([.byte(4), .variant(.string("a.E"))])
        func serial(_ number: UInt32) -> DBusValue {
            .structure([.byte(5), .variant(.uint32(number))])
        }
        let cases: [(UInt8, [DBusValue], DBusMessage.Kind?)] = [
            (1, [place, member], .call(path: path("/a"), interface: nil, member: "M")),
            (1, [place, interface], nil), (1, [interface, member], nil), (1, [], nil),
            (
                4, [place, interface, member],
                .signal(path: path("/a"), interface: "a.b", member: "M")
            ),
            (4, [interface, member], nil), (4, [place, member], nil), (4, [place, interface], nil),
            (2, [serial(7)], .reply(to: 7)), (2, [serial(0)], nil), (2, [], nil),
            (3, [error, serial(7)], .error(name: "a.E", to: 7)), (3, [error, serial(0)], nil),
            (3, [error], nil), (3, [serial(7)], nil),
        ]
        for (type, fields, kind) in cases {
            if let kind {
                #expect(try Self.decoded(type, fields).kind == kind)
            } else {
                #expect(throws: DBusWireError(.wrongHeader, at: 16), "\(type) \(fields)") {
                    try Self.decoded(type, fields)
                }
            }
        }
        let local = [
            DBusValue.structure([
                .byte(1), .variant(.objectPath(path("/org/freedesktop/DBus/Local"))),
            ]),
            interface, member,
        ]
        #expect(throws: DBusWireError(.wrongName, at: 16)) { try Self.decoded(4, local) }
        // An unknown field may have any value, but it has to be complete.
        for value in [
            DBusValue.byte(1), .strings(["a", "b"]), .structure([.uint64(1), .byte(2)]),
        ] {
            let future = DBusValue.structure([.byte(10), .variant(value)])
            #expect(try Self.decoded(2, [future, serial(7), future]).kind == .reply(to: 7))
        }
    }

    /// A message without a body and with these fields.
    private static func decoded(_ type: UInt8, _ fields: [DBusValue]) throws -> DBusMessage {
        var writer = DBusWriter()
        for byte in [0x6C, type, 0, 1] as [UInt8] { writer.put(byte) }
        writer.put(UInt32(0))
        writer.put(UInt32(1))
        try writer.put(.array(.structure([.byte, .variant]), fields))
        writer.align(8)
        return try decode(writer.bytes)
    }

    /// The content of an unknown field counts the depth of the array and the structure around it.
    @Test func unknownFieldsAreBounded() throws {
        for (variants, isAllowed) in [(62, true), (63, false)] {
            var writer = DBusWriter()
            for byte in [0x6C, 2, 0, 1] as [UInt8] { writer.put(byte) }
            writer.put(UInt32(0))
            writer.put(UInt32(1))
            let (place, start) = writer.beginArray(aligned: 8)
            writer.append([5, 1, 0x75, 0, 7, 0, 0, 0])
            writer.append([10])
            for _ in 1..<variants { writer.append([1, 0x76, 0]) }
            writer.append([1, 0x79, 0, 1])
            try writer.endArray(place, start)
            writer.align(8)
            #expect(((try? decode(writer.bytes)) != nil) == isAllowed)
        }
    }
}

extension DBusWriter {
    fileprivate mutating func append(_ bytes: [UInt8]) { for byte in bytes { put(byte) } }
}
