#if os(Linux)
/// Recently decoded headers, by their bytes.
///
/// An object that signals one thing repeatedly sends the same header each time. Comparing its bytes
/// is much cheaper than decoding them.
struct DBusHeaderCache: Sendable {
    /// An entry. It is a class, so that a look-up copies nothing.
    private final class Slot: Sendable {
        let bytes: [UInt8]
        let header: DBusHeader
        /// The template of the last body under this header, if it was one property's bytes.
        let template: DBusPropertyTemplate?
        let source: DBusPropertySource?

        init(_ bytes: [UInt8], _ header: DBusHeader, _ template: DBusPropertyTemplate? = nil) {
            self.bytes = bytes
            self.header = header
            self.template = template
            source = template.flatMap { DBusPropertySource(header, $0) }
        }
    }

    /// The number of slots, a power of two: a hundred devices rarely replace each other.
    static let count = 256
    /// The longest header that is stored, in bytes.
    private static let maximumLength = 512
    /// The offset of the fields' length. The bytes before it differ in each message.
    private static let start = 12

    private var slots: [Slot?] = []

    func header(_ bytes: Span<UInt8>) -> (header: DBusHeader, slot: Int)? {
        guard !slots.isEmpty else { return nil }
        let index = Self.index(bytes)
        guard let slot = slots[index] else { return nil }
        let own = slot.bytes
        return Self.isSame(own.span, bytes) ? (slot.header, index) : nil
    }

    /// Returns the values of a body, if it differs from the last one of its header in the bytes of
    /// one property only; otherwise `nil`.
    func values(_ bytes: Span<UInt8>, at index: Int) -> [DBusValue]? {
        slots[index]?.template?.values(bytes)
    }

    /// Returns the complete message at the beginning of these bytes, if it differs from the last
    /// one of its header in the bytes of one property only; otherwise `nil`.
    func propertyUpdate(beginning bytes: Span<UInt8>) -> DBusPropertyUpdate? {
        guard !slots.isEmpty, bytes.count >= DBusMessage.fixedLength,
            bytes[3] == DBusMessage.version
        else { return nil }
        let fields = bytes.littleEndianUInt32(at: 12)
        guard fields <= Self.maximumLength else { return nil }
        let start = (DBusMessage.fixedLength + fields + 7) / 8 * 8
        let body = bytes.littleEndianUInt32(at: 4)
        guard body <= bytes.count - start, bytes.littleEndianUInt32(at: 8) != 0 else { return nil }
        let header = bytes.extracting(0..<start)
        let index = Self.index(header)
        guard let slot = slots[index], let source = slot.source else { return nil }
        let own = slot.bytes
        guard Self.isSame(own.span, header),
            let value = slot.template?.value(bytes.extracting(start..<start + body))
        else { return nil }
        return DBusPropertyUpdate(source: source, slot: index, value: value, length: start + body)
    }

    mutating func store(_ values: [DBusValue], _ bytes: Span<UInt8>, at index: Int) {
        guard let slot = slots[index], slot.bytes.first == UInt8(ascii: "l") else { return }
        slots[index] = Slot(slot.bytes, slot.header, DBusPropertyTemplate(values, bytes))
    }

    /// Stores a valid header; it replaces the former one of its slot.
    mutating func store(_ header: DBusHeader, _ bytes: Span<UInt8>) {
        guard bytes.count <= Self.maximumLength else { return }
        if slots.isEmpty { slots = Array(repeating: nil, count: Self.count) }
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        slots[Self.index(bytes.span)] = Slot(bytes, header)
    }

    /// Returns a hash of the fields, which are padded to whole words.
    private static func index(_ bytes: Span<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            let raw = UnsafeRawBufferPointer(buffer)
            var hash = UInt64(truncatingIfNeeded: raw.count)
            for offset in stride(from: start + 4, to: raw.count - 7, by: 8) {
                hash ^= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                hash &*= 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
            }
            return Int(truncatingIfNeeded: hash) & (count - 1)
        }
    }

    private static func isSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count, one[0] == other[0], one[1] == other[1] else { return false }
        return one.isSame(other, in: start..<one.count)
    }
}

/// The body of a `PropertiesChanged` signal of one property with bytes as its value.
///
/// A characteristic that notifies repeats it with other bytes; then only these are decoded.
///
/// ```
/// interface  s     as before
/// changed    a{sv} length, then one entry: name, type "ay", length of the bytes, the bytes
/// invalid    as    empty
/// ```
///
/// A class, so that a look-up copies nothing.
final class DBusPropertyTemplate: Sendable {
    /// The body up to the length of the bytes.
    private let beginning: [UInt8]
    /// The offset of the dictionary's length, and of its entry.
    private let lengthOffset: Int
    private let entryStart: Int
    let interface: DBusValue
    let name: DBusValue

    /// The longest value that is decoded by template, in bytes.
    private static let maximumCount = 1 << 16
    /// The longest prefix that is stored, in bytes; a name's 255 characters fit twice.
    private static let maximumBeginning = 1 << 10

    /// Creates the template of values from little-endian bytes; `nil` for another form.
    init?(_ values: [DBusValue], _ bytes: Span<UInt8>) {
        guard values.count == 3, case .string(let interface) = values[0],
            case .dictionary(.string, .variant, let entries) = values[1], entries.count == 1,
            case .string(let name) = entries[0].key, case .variant(.bytes) = entries[0].value,
            case .array(.string, let gone) = values[2], gone.isEmpty
        else { return nil }
        lengthOffset = Self.aligned(4 + interface.utf8.count + 1, 4)
        entryStart = Self.aligned(lengthOffset + 4, 8)
        let end = Self.aligned(entryStart + 4 + name.utf8.count + 1 + Self.typeLength, 4)
        guard end <= min(bytes.count, Self.maximumBeginning) else { return nil }
        beginning = bytes.extracting(0..<end).withUnsafeBufferPointer { Array($0) }
        self.interface = values[0]
        self.name = entries[0].key
        // The template has to return the values that the decoder returned.
        guard self.values(bytes) == values else { return nil }
    }

    /// Returns the values, if the body differs in the property's bytes only; otherwise `nil`.
    func values(_ bytes: Span<UInt8>) -> [DBusValue]? {
        guard let value = value(bytes) else { return nil }
        return [
            interface,
            .dictionary(
                key: .string, value: .variant, [DBusEntry(name, .variant(.bytes(value)))]),
            .array(.string, []),
        ]
    }

    /// Returns the property's bytes, if the body differs only in them; otherwise `nil`.
    func value(_ bytes: Span<UInt8>) -> [UInt8]? {
        let beginning = beginning
        let (start, own) = (beginning.count + 4, beginning.span)
        guard start <= bytes.count, own.isSame(bytes, in: 0..<lengthOffset),
            own.isSame(bytes, in: lengthOffset + 4..<beginning.count)
        else { return nil }
        let count = bytes.littleEndianUInt32(at: beginning.count)
        guard count <= Self.maximumCount else { return nil }
        let end = start + count
        guard bytes.littleEndianUInt32(at: lengthOffset) == end - entryStart,
            bytes.count == Self.aligned(end, 4) + 4
        else { return nil }
        // The length of the empty array, and padding.
        for index in end..<bytes.count where bytes[index] != 0 { return nil }
        return bytes.extracting(start..<end).withUnsafeBufferPointer { Array($0) }
    }

    /// The signature of the bytes: a length, "ay", and NUL.
    private static let typeLength = 4

    private static func aligned(_ offset: Int, _ alignment: Int) -> Int {
        (offset + alignment - 1) / alignment * alignment
    }
}
#endif
