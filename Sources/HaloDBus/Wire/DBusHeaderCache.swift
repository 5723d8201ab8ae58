#if os(Linux)
/// What the header of a message says, but for its number, its flags, and how long the rest is.
struct DBusHeader: Sendable {
    let kind: DBusMessage.Kind
    let destination: String?
    let sender: String?
    let descriptorCount: UInt32
    /// The types of the values.
    let types: [DBusType]
}

/// Headers that were read lately, by their bytes: an object that tells something again and again
/// does it under the same header, and to compare that is much cheaper than to read it.
struct DBusHeaderCache: Sendable {
    /// What is kept, at a place of its own, so that looking at it copies nothing.
    private final class Slot: Sendable {
        let bytes: [UInt8]
        let header: DBusHeader
        /// What was told last under it.
        let news: DBusPropertyNews?
        /// Who tells it.
        let source: DBusPropertySource?

        init(_ bytes: [UInt8], _ header: DBusHeader, _ news: DBusPropertyNews? = nil) {
            self.bytes = bytes
            self.header = header
            self.news = news
            source = news.flatMap { DBusPropertySource(header, $0) }
        }
    }

    /// A power of two, so many that a hundred devices seldom take each other's place.
    static let count = 256
    /// Longer headers are not kept.
    private static let maximumLength = 512
    /// Where the fields begin; what is before them is another in each message.
    private static let start = 12

    private var slots: [Slot?] = []

    /// The header that these bytes were, if it is kept, with its place.
    func header(_ bytes: Span<UInt8>) -> (header: DBusHeader, place: Int)? {
        guard !slots.isEmpty, bytes.count <= Self.maximumLength else { return nil }
        let place = Self.place(bytes)
        guard let slot = slots[place] else { return nil }
        let own = slot.bytes
        return Self.isSame(own.span, bytes) ? (slot.header, place) : nil
    }

    /// The values that these bytes are, if only a property's bytes are others than before.
    func values(_ bytes: Span<UInt8>, at place: Int) -> [DBusValue]? {
        slots[place]?.news?.values(bytes)
    }

    /// What begins these bytes, if it is a whole message that differs from the one that was read
    /// last under its header in nothing but a property's bytes.
    func news(beginning bytes: Span<UInt8>) -> DBusNews? {
        guard !slots.isEmpty, bytes.count >= DBusMessage.fixedLength,
            bytes[0] == UInt8(ascii: "l"), bytes[3] == DBusMessage.version
        else { return nil }
        let fields = bytes.smallEndNumber(at: 12)
        guard fields <= Self.maximumLength else { return nil }
        let start = (DBusMessage.fixedLength + fields + 7) / 8 * 8
        let body = bytes.smallEndNumber(at: 4)
        guard start <= Self.maximumLength, body <= bytes.count - start,
            bytes.smallEndNumber(at: 8) != 0
        else { return nil }
        let header = bytes.extracting(0..<start)
        let place = Self.place(header)
        guard let slot = slots[place], let source = slot.source else { return nil }
        let own = slot.bytes
        guard Self.isSame(own.span, header),
            let value = slot.news?.value(bytes.extracting(start..<start + body))
        else { return nil }
        return DBusNews(source: source, place: place, value: value, length: start + body)
    }

    /// Keeps what was told under a header.
    mutating func keep(_ values: [DBusValue], _ bytes: Span<UInt8>, at place: Int) {
        guard let slot = slots[place], slot.bytes.first == UInt8(ascii: "l") else { return }
        slots[place] = Slot(slot.bytes, slot.header, DBusPropertyNews(values, bytes))
    }

    /// Keeps a header that was valid, in the place of another one.
    mutating func keep(_ header: DBusHeader, _ bytes: Span<UInt8>) {
        guard bytes.count <= Self.maximumLength else { return }
        if slots.isEmpty { slots = Array(repeating: nil, count: Self.count) }
        let bytes = bytes.withUnsafeBufferPointer { Array($0) }
        slots[Self.place(bytes.span)] = Slot(bytes, header)
    }

    /// Headers have whole words, but for the fields' length at their start.
    private static func place(_ bytes: Span<UInt8>) -> Int {
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
        guard one.count == other.count, one.count >= start + 4, one[0] == other[0],
            one[1] == other[1]
        else { return false }
        return one.isSame(other, in: start..<one.count)
    }
}
#endif
