import HaloTransport

@testable import HaloDBus

/// Random values, types and messages.
struct Samples {
    var numbers: SplitMix
    var descriptorCount: UInt32 = 0

    init(_ seed: UInt64) { numbers = SplitMix(seed: seed) }

    private mutating func choose(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

    mutating func type(_ depth: Int = 0) -> DBusType {
        let simple: [DBusType] = [
            .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string,
            .objectPath, .signature, .unixFD, .variant,
        ]
        switch choose(depth < 4 ? 20 : 14) {
        case 14, 15: return .array(type(depth + 1))
        case 16, 17: return .structure((0...choose(3)).map { _ in type(depth + 1) })
        case 18, 19: return .dictionary(key: simple[choose(13)], value: type(depth + 1))
        case let index: return simple[index]
        }
    }

    mutating func value(_ type: DBusType, _ depth: Int = 0) -> DBusValue {
        let number = numbers.next()
        switch type {
        case .byte: return .byte(UInt8(truncatingIfNeeded: number))
        case .boolean: return .boolean(number & 1 == 1)
        case .int16: return .int16(Int16(truncatingIfNeeded: number))
        case .uint16: return .uint16(UInt16(truncatingIfNeeded: number))
        case .int32: return .int32(Int32(truncatingIfNeeded: number))
        case .uint32: return .uint32(UInt32(truncatingIfNeeded: number))
        case .int64: return .int64(Int64(truncatingIfNeeded: number))
        case .uint64: return .uint64(number)
        case .double: return .double(Double(Int32(truncatingIfNeeded: number)) / 8)
        case .string: return .string(["", "a", "Ring Ω", "日本語", "o'clock"][choose(5)])
        case .objectPath: return .objectPath(path(["/", "/a", "/org/bluez/hci0"][choose(3)]))
        case .signature:
            let types = depth < 6 ? (0..<choose(3)).map { _ in self.type(3) } : []
            let characters = types.flatMap { Array($0.code.utf8) }
            return .signature((try? DBusType.types(parsing: characters)) ?? [])
        case .unixFD:
            return descriptorCount == 0
                ? .unixFD(0) : .unixFD(UInt32(number % UInt64(descriptorCount)))
        case .variant: return .variant(value(depth < 6 ? self.type(2) : .byte, depth + 1))
        case .array(.byte):
            return .bytes((0..<choose(9)).map { UInt8(truncatingIfNeeded: $0) })
        case .array(let element):
            return .array(element, (0..<choose(4)).map { _ in value(element, depth + 1) })
        case .dictionary(let key, let entry):
            return .dictionary(
                key: key, value: entry,
                (0..<choose(4)).map { _ in
                    DBusEntry(value(key, depth + 1), value(entry, depth + 1))
                })
        case .structure(let members): return .structure(members.map { value($0, depth + 1) })
        }
    }

    mutating func message() -> DBusMessage {
        descriptorCount = 1 + UInt32(choose(3))
        let kinds: [DBusMessage.Kind] = [
            .call(path: path("/a/b"), interface: "org.example.Thing", member: "Do"),
            .call(path: .root, interface: nil, member: "Do_2"),
            .reply(to: 7), .error(name: "org.example.Error.No", to: .max),
            .signal(path: path("/s"), interface: "a.b", member: "S"),
        ]
        var message = DBusMessage(
            kinds[choose(5)], serial: 1 + UInt32(choose(1000)),
            destination: [nil, "org.bluez", ":1.5"][choose(3)],
            flags: DBusMessage.Flags(rawValue: UInt8(choose(8))),
            body: (0..<choose(4)).map { _ in value(type()) }, descriptorCount: descriptorCount)
        message.sender = [nil, ":1.77"][choose(2)]
        return message
    }
}

/// A valid path.
func path(_ text: String) -> DBusObjectPath {
    (try? DBusObjectPath(text)) ?? .root
}

/// Bytes from hexadecimal digits; spaces are ignored.
func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }
    return stride(from: 0, to: digits.count, by: 2).compactMap { start in
        let from = digits.index(digits.startIndex, offsetBy: start)
        return UInt8(digits[from...].prefix(2), radix: 16)
    }
}

/// Decodes a message.
func decode(_ bytes: some Sequence<UInt8>) throws(DBusWireError) -> DBusMessage {
    let bytes = Array(bytes)
    return try DBusMessage(decoding: bytes.span)
}

/// Decodes a value; returns its end, too.
func decode(
    _ type: DBusType, _ bytes: some Sequence<UInt8>, isBigEndian: Bool = false,
    descriptors: UInt32 = .max
) throws(DBusWireError) -> (DBusValue, end: Int) {
    let bytes = Array(bytes)
    var reader = DBusReader(
        isBigEndian: isBigEndian, position: 0, end: bytes.count, descriptorCount: descriptors)
    let value = try reader.value(type, bytes.span)
    return (value, reader.position)
}
