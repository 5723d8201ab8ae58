#if os(Linux)
/// What an object tells when one of its properties has other bytes: who tells something again and
/// again in these words has only the bytes to be read.
///
/// ```
/// interface  s     the same
/// changed    a{sv} its length, then one entry: the name, the type "ay", the bytes' length, bytes
/// gone       as    none
/// ```
///
/// It is one thing that many look at, and so a class: to look at it copies nothing.
final class DBusPropertyNews: Sendable {
    /// All up to the length of the bytes.
    private let beginning: [UInt8]
    /// Where the length of the entry stands, and where the entry begins.
    private let lengthPlace: Int
    private let entryStart: Int
    let interface: DBusValue
    let name: DBusValue

    /// Longer ones are read in the ordinary way.
    private static let maximumCount = 1 << 16
    /// What begins with more is not kept: a name's 255 characters fit twice.
    private static let maximumBeginning = 1 << 10

    /// What some values are, read from bytes in the order of small ends, if they are such news.
    init?(_ values: [DBusValue], _ bytes: Span<UInt8>) {
        guard values.count == 3, case .string(let interface) = values[0],
            case .dictionary(.string, .variant, let entries) = values[1], entries.count == 1,
            case .string(let name) = entries[0].key, case .variant(.bytes) = entries[0].value,
            case .array(.string, let gone) = values[2], gone.isEmpty
        else { return nil }
        lengthPlace = Self.aligned(4 + interface.utf8.count + 1, 4)
        entryStart = Self.aligned(lengthPlace + 4, 8)
        let end = Self.aligned(entryStart + 4 + name.utf8.count + 1 + Self.typeLength, 4)
        guard end <= min(bytes.count, Self.maximumBeginning) else { return nil }
        beginning = bytes.extracting(0..<end).withUnsafeBufferPointer { Array($0) }
        self.interface = values[0]
        self.name = entries[0].key
        // What was read in the ordinary way is what has to come out here.
        guard self.values(bytes) == values else { return nil }
    }

    /// The values, if nothing but the property's bytes is another.
    func values(_ bytes: Span<UInt8>) -> [DBusValue]? {
        guard let value = value(bytes) else { return nil }
        return [
            interface,
            .dictionary(
                key: .string, value: .variant, [DBusEntry(name, .variant(.bytes(value)))]),
            .array(.string, []),
        ]
    }

    /// The property's bytes, if nothing else is another.
    func value(_ bytes: Span<UInt8>) -> [UInt8]? {
        let beginning = beginning
        let (start, own) = (beginning.count + 4, beginning.span)
        guard start <= bytes.count, own.isSame(bytes, in: 0..<lengthPlace),
            own.isSame(bytes, in: lengthPlace + 4..<beginning.count)
        else { return nil }
        let count = bytes.smallEndNumber(at: beginning.count)
        guard count <= Self.maximumCount else { return nil }
        let end = start + count
        guard bytes.smallEndNumber(at: lengthPlace) == end - entryStart,
            bytes.count == Self.aligned(end, 4) + 4
        else { return nil }
        // What is gone is nothing, and padding is zero.
        for index in end..<bytes.count where bytes[index] != 0 { return nil }
        return bytes.extracting(start..<end).withUnsafeBufferPointer { Array($0) }
    }

    /// The type of the bytes: its length, itself, and an end.
    private static let typeLength = 4

    private static func aligned(_ place: Int, _ alignment: Int) -> Int {
        (place + alignment - 1) / alignment * alignment
    }
}
#endif
