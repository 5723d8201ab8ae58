#if os(Linux)
import HaloTesting

@testable import HaloDBus

extension DBusTarget {
    /// Messages of a stream decode as each one does alone, after any other messages and for any
    /// pieces. Each message has its descriptors.
    func checkStream(_ bytes: FuzzBytes) throws(ContractViolation) {
        var drill = StreamDrill(bytes)
        if let fault = drill.play() {
            throw ContractViolation(fault, packet: "DBus", bytes: bytes.all)
        }
    }
}

/// Messages that resemble the one before, decoded with a cache and without.
private struct StreamDrill {
    private static let maximumMessages = 64
    private static let maximumDescriptors: UInt32 = 8

    private struct Part {
        let bytes: [UInt8]
        let message: DBusMessage?
        let numbers: [Int32]
    }

    private var bytes: FuzzBytes
    private var cache: DBusHeaderCache? = DBusHeaderCache()
    private var previous: [UInt8] = []
    /// The decoded messages that a stream may contain.
    private var stream: [Part] = []
    /// The system never assigns numbers as high as these: closing them does nothing.
    private var nextDescriptor: Int32 = 1 << 30

    init(_ bytes: FuzzBytes) { self.bytes = bytes }

    /// Returns the fault, if there is one.
    mutating func play() -> String? {
        let pieceLength = 1 + Int(bytes.byte()) * 8
        var count = 0
        while bytes.remaining > 0, count < Self.maximumMessages {
            let draft = draft()
            // The header is cached at its second occurrence, the body's template at the third.
            for round in 0...bytes.byte() % 3 {
                count += 1
                previous = Self.numbered(draft, round)
                if let fault = compare(previous) { return fault }
            }
        }
        return readAll(pieceLength)
    }

    /// Decodes a message with a cache and without.
    private mutating func compare(_ bytes: [UInt8]) -> String? {
        let plain = Self.result { () throws(DBusWireError) in
            try DBusMessage(decoding: bytes.span)
        }
        var known = cache.take()
        defer { cache = known }
        let quick = Self.result { () throws(DBusWireError) in
            try DBusMessage(decoding: bytes.span, &known)
        }
        switch (plain, quick) {
        case (.success(let plain), .success(let quick)):
            guard Self.isSame(plain, quick) else { return "it reads otherwise after others" }
            keep(bytes, plain, plain.descriptorCount)
        case (.failure(let plain), .failure(let quick)):
            guard plain == quick else { return "it is refused otherwise after others" }
            keepIfPassedOver(bytes)
        default:
            return "it is valid or not, as others were"
        }
        return nil
    }

    /// Keeps a message of an unknown type: a stream may contain it, and skips it.
    private mutating func keepIfPassedOver(_ bytes: [UInt8]) {
        guard bytes.count > 1, bytes[1] > 4,
            (try? DBusMessage.length(beginning: bytes.span)) == bytes.count,
            let count = try? DBusMessage.descriptorCount(of: bytes.span)
        else { return }
        keep(bytes, nil, count)
    }

    private mutating func keep(_ bytes: [UInt8], _ message: DBusMessage?, _ count: UInt32) {
        guard count <= Self.maximumDescriptors else { return }
        let next = nextDescriptor + Int32(count)
        stream.append(Part(bytes: bytes, message: message, numbers: Array(nextDescriptor..<next)))
        nextDescriptor = next
    }

    /// Decodes the stream in pieces, as from a socket. Descriptors come with the first byte of
    /// their message, or earlier.
    private func readAll(_ pieceLength: Int) -> String? {
        var reader = DBusMessageStream()
        var due = stream.filter { $0.message != nil }[...]
        let whole = stream.flatMap(\.bytes)
        var (start, begun, place) = (0, 0, 0)
        while start < whole.count {
            let end = min(start + pieceLength, whole.count)
            var numbers: [Int32] = []
            while place < stream.count, begun < end {
                numbers += stream[place].numbers
                begun += stream[place].bytes.count
                place += 1
            }
            let own = numbers.isEmpty ? nil : DBusDescriptors(owning: numbers)
            reader.append(whole.span.extracting(start..<end), own)
            start = end
            while true {
                let next = Self.result { () throws(DBusWireError) in try reader.next() }
                guard case .success(let found) = next else { return "a valid message is refused" }
                guard let (message, descriptors) = found else { break }
                guard let expected = due.popFirst(), let own = expected.message,
                    Self.isSame(own, message)
                else { return "another message comes out of the stream" }
                guard descriptors?.withNumbers({ $0 }) ?? [] == expected.numbers else {
                    return "it has other descriptors"
                }
            }
        }
        guard due.isEmpty, !reader.isInsideMessage else { return "a message is missing" }
        return readRubbish(&reader)
    }

    /// Decodes a stream that continues with any bytes.
    private func readRubbish(_ reader: inout DBusMessageStream) -> String? {
        reader.append(previous.span)
        for _ in 0...previous.count {
            let next = Self.result { () throws(DBusWireError) in try reader.next() }
            guard case .success(let found) = next, found != nil else { return nil }
        }
        return "the stream has no end"
    }

    // MARK: Messages

    private mutating func draft() -> [UInt8] {
        switch bytes.byte() % 8 {
        case 0: return bytes.bytes(bytes.length(upTo: 400))
        case 1, 2, 3: return encoded(news())
        case 4, 5: return changed(previous)
        case 6: return encoded(answer())
        default: return previous
        }
    }

    private mutating func changed(_ whole: [UInt8]) -> [UInt8] {
        guard !whole.isEmpty else { return whole }
        var whole = whole
        let place = bytes.integer(in: 0...min(whole.count - 1, 0xFFFE))
        whole[place] ^= bytes.byte()
        return whole
    }

    private mutating func encoded(_ message: DBusMessage) -> [UInt8] {
        (try? message.encoded()) ?? []
    }

    /// A change of a property, or almost one.
    private mutating func news() -> DBusMessage {
        let shape = bytes.byte()
        var entries: [DBusEntry] = []
        for _ in 0..<[1, 1, 1, 1, 1, 1, 2, 0][Int(shape & 7)] {
            let name = ["Value", "Valve", "", "RSSI"][Int(bytes.byte() % 4)]
            entries.append(DBusEntry(.string(name), .variant(value())))
        }
        let interface = ["org.bluez.GattCharacteristic1", "a.b", "", "ä"][Int(shape >> 3 & 3)]
        let paths = ["/a", "/org/bluez/hci0/dev_00/service001e/char0021"]
        var message = DBusMessage(
            .signal(
                path: (try? DBusObjectPath(paths[Int(shape >> 5 & 1)])) ?? .root,
                interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"),
            body: [
                .string(interface), .dictionary(key: .string, value: .variant, entries),
                .array(.string, shape >> 6 == 3 ? [.string("")] : []),
            ])
        message.sender = ":1.5"
        message.descriptorCount = shape >> 6 == 2 ? UInt32(bytes.byte() % 4) : 0
        return message
    }

    private mutating func value() -> DBusValue {
        switch bytes.byte() % 8 {
        case 0: return .byte(bytes.byte())
        case 1: return .string("x")
        case 2: return .variant(.bytes([1]))
        case 3:
            let lengths = [0, 511, 512, 65_535, 65_536, 65_537]
            return .bytes(Array(repeating: 7, count: bytes.choice(of: lengths) ?? 0))
        default: return .bytes(bytes.bytes(bytes.length(upTo: 20)))
        }
    }

    private mutating func answer() -> DBusMessage {
        let kinds: [DBusMessage.Kind] = [
            .reply(to: 1), .error(name: "a.b", to: 1),
            .call(path: .root, interface: nil, member: "Do"),
        ]
        var message = DBusMessage(kinds[Int(bytes.byte() % 3)], body: [value()])
        message.descriptorCount = UInt32(bytes.byte() % 4)
        return message
    }

    /// A copy of a message with another serial number and other flags.
    private static func numbered(_ whole: [UInt8], _ round: UInt8) -> [UInt8] {
        guard whole.count > 8, round > 0 else { return whole }
        var whole = whole
        whole[2] = round
        whole[8] = whole[8] &+ round
        return whole
    }

    /// `true` if messages are equal to the last bit: NaN is not equal to itself.
    private static func isSame(_ one: DBusMessage, _ other: DBusMessage) -> Bool {
        guard let bytes = try? one.encoded() else { return false }
        return bytes == (try? other.encoded())
    }

    private static func result<Value>(
        _ body: () throws(DBusWireError) -> Value
    ) -> Result<Value, DBusWireError> {
        do throws(DBusWireError) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }
}
#endif
