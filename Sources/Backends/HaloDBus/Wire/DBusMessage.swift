#if os(Linux)
package struct DBusMessage: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case call(path: DBusObjectPath, interface: String?, member: String)
        /// The reply to the call with a serial number.
        case reply(to: UInt32)
        case error(name: String, to: UInt32)
        case signal(path: DBusObjectPath, interface: String, member: String)
    }

    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let noReplyExpected = Flags(rawValue: 0x01)
    }

    package var kind: Kind
    package var flags: Flags = []
    /// The sender's serial number of the message, never 0; a connection assigns it.
    package var serial: UInt32
    /// The name of the receiver; `nil` for a signal to all subscribers.
    package var destination: String?
    /// The unique name of the sender, which the bus fills in.
    package var sender: String?
    package var body: [DBusValue]
    package var descriptorCount: UInt32

    package init(
        _ kind: Kind, serial: UInt32 = 1, destination: String? = nil, flags: Flags = [],
        body: [DBusValue] = [], descriptorCount: UInt32 = 0
    ) {
        self.kind = kind
        self.serial = serial
        self.destination = destination
        self.flags = flags
        self.body = body
        self.descriptorCount = descriptorCount
    }

    /// Returns the encoded message, in little-endian order.
    package func encoded() throws(DBusWireError) -> [UInt8] {
        guard serial != 0 else { throw DBusWireError(.wrongSerial, at: 8) }
        var writer = DBusWriter(descriptorCount: descriptorCount)
        writer.put(UInt8(ascii: "l"))
        writer.put(type.rawValue)
        writer.put(flags.rawValue)
        writer.put(Self.version)
        writer.put(UInt32(0))
        writer.put(serial)
        let (place, start) = writer.beginArray(aligned: DBusType.entryAlignment)
        try putFields(&writer)
        try writer.endArray(place, start)
        writer.align(DBusType.entryAlignment)
        // Alignment counts from the start of the body, which is a multiple of eight.
        let header = writer.bytes.count
        for value in body { try writer.put(value) }
        writer.patch(UInt32(truncatingIfNeeded: writer.bytes.count - header), at: 4)
        return writer.bytes
    }

    static let version: UInt8 = 1
    /// The length of the fixed part of the header, which holds all lengths.
    static let fixedLength = 16

    var type: DBusMessageType {
        switch kind {
        case .call: .call
        case .reply: .reply
        case .error: .error
        case .signal: .signal
        }
    }

    private func putFields(_ writer: inout DBusWriter) throws(DBusWireError) {
        switch kind {
        case .call(let path, let interface, let member):
            try Self.put(path, interface, member, &writer)
        case .signal(let path, let interface, let member):
            try Self.put(path, interface, member, &writer)
        case .reply(let serial):
            writer.put(.replySerial, serial)
        case .error(let name, let serial):
            try writer.put(.errorName, name, DBusName.isInterface)
            writer.put(.replySerial, serial)
        }
        try writer.put(.destination, destination, DBusName.isBusName)
        try writer.put(.sender, sender, DBusName.isBusName)
        if !body.isEmpty {
            writer.startField(.signature)
            try writer.put(types: body.lazy.map(\.type))
        }
        if descriptorCount > 0 { writer.put(.unixFDs, descriptorCount) }
    }

    private static func put(
        _ path: DBusObjectPath, _ interface: String?, _ member: String, _ writer: inout DBusWriter
    ) throws(DBusWireError) {
        writer.put(.path, path.text)
        try writer.put(.interface, interface, DBusName.isInterface)
        try writer.put(.member, member, DBusName.isMember)
    }

    /// Returns the length of a message that begins with these bytes; at least 16 are required.
    package static func length(beginning bytes: Span<UInt8>) throws(DBusWireError) -> Int {
        var reader = try startReading(bytes)
        let bodyLength = Int(clamping: try reader.number(bytes, as: UInt32.self))
        _ = try reader.number(bytes, as: UInt32.self)
        let fieldsLength = Int(clamping: try reader.number(bytes, as: UInt32.self))
        guard fieldsLength <= DBusLimits.arrayLength else {
            throw DBusWireError(.tooLong, at: fixedLength - 4)
        }
        let header = (fixedLength + fieldsLength + 7) / 8 * 8
        guard bodyLength <= DBusLimits.messageLength - header else {
            throw DBusWireError(.tooLong, at: 4)
        }
        return header + bodyLength
    }

    /// Decodes a message, which has to take all of the bytes.
    ///
    /// The connection compares ``descriptorCount`` with the descriptors that really came; no value
    /// can name others.
    package init(decoding bytes: Span<UInt8>) throws(DBusWireError) {
        var cache: DBusHeaderCache?
        try self.init(decoding: bytes, &cache)
    }

    init(decoding bytes: Span<UInt8>, _ cache: inout DBusHeaderCache?) throws(DBusWireError) {
        let length = try Self.length(beginning: bytes)
        guard bytes.count >= length else { throw DBusWireError(.truncated, at: bytes.count) }
        guard bytes.count == length else { throw DBusWireError(.excess, at: length) }
        var reader = try Self.startReading(bytes)
        let bodyLength = Int(clamping: try reader.number(bytes, as: UInt32.self))
        let serial = try reader.number(bytes, as: UInt32.self)
        guard serial != 0 else { throw DBusWireError(.wrongSerial, at: 8) }
        // The header ends at a multiple of eight; the body follows.
        let known = bytes.extracting(0..<length - bodyLength)
        let header: DBusHeader
        let kept = cache?.header(known)
        if let kept {
            header = kept.header
            reader.skip(to: known.count)
        } else {
            header = try Self.header(&reader, bytes)
            cache?.store(header, known)
        }
        self.init(header.kind, serial: serial)
        flags = Flags(rawValue: bytes[2])
        destination = header.destination
        sender = header.sender
        descriptorCount = header.descriptorCount
        let rest = bytes.extracting(known.count..<length)
        if let kept, let values = cache?.values(rest, at: kept.slot) {
            body = values
            return
        }
        guard !header.types.isEmpty || bodyLength == 0 else {
            throw DBusWireError(.wrongSignature, at: reader.position)
        }
        // Alignment counts from the start of the body, which is a multiple of eight.
        var values = DBusReader(
            isBigEndian: reader.isBigEndian, position: reader.position, end: bytes.count,
            descriptorCount: descriptorCount)
        body.reserveCapacity(header.types.count)
        for type in header.types { body.append(try values.value(type, bytes)) }
        guard values.position == bytes.count else {
            throw DBusWireError(.excess, at: values.position)
        }
        if let kept { cache?.store(body, rest, at: kept.slot) }
    }

    /// Returns the number of descriptors of a message of any type, unknown ones included.
    static func descriptorCount(of bytes: Span<UInt8>) throws(DBusWireError) -> UInt32 {
        var reader = try startReading(bytes)
        reader.skip(to: fixedLength - 4)
        return try HeaderFields(&reader, bytes).descriptorCount ?? 0
    }

    private static func header(
        _ reader: inout DBusReader, _ bytes: Span<UInt8>
    ) throws(DBusWireError) -> DBusHeader {
        let fields = try HeaderFields(&reader, bytes)
        try reader.align(DBusType.entryAlignment, bytes)
        return DBusHeader(
            kind: try fields.kind(DBusMessageType(rawValue: bytes[1])),
            destination: try HeaderFields.name(fields.destination, DBusName.isBusName),
            sender: try HeaderFields.name(fields.sender, DBusName.isBusName),
            descriptorCount: fields.descriptorCount ?? 0, types: fields.signature)
    }

    private static func startReading(_ bytes: Span<UInt8>) throws(DBusWireError) -> DBusReader {
        guard bytes.count >= fixedLength else {
            throw DBusWireError(.truncated, at: bytes.count)
        }
        let isBigEndian: Bool
        switch bytes[0] {
        case UInt8(ascii: "l"): isBigEndian = false
        case UInt8(ascii: "B"): isBigEndian = true
        default: throw DBusWireError(.wrongEndianness, at: 0)
        }
        guard bytes[1] != 0 else { throw DBusWireError(.wrongMessageType, at: 1) }
        guard bytes[3] == version else { throw DBusWireError(.wrongVersion, at: 3) }
        return DBusReader(isBigEndian: isBigEndian, position: 4, end: bytes.count)
    }

    var subject: (path: DBusObjectPath, interface: String?, member: String)? {
        switch kind {
        case .call(let path, let interface, let member): (path, interface, member)
        case .signal(let path, let interface, let member): (path, interface, member)
        case .reply, .error: nil
        }
    }

    var path: DBusObjectPath? { subject?.path }

    var interface: String? { subject?.interface }

    var member: String? { subject?.member }
}

private enum DBusHeaderField: UInt8, CaseIterable {
    case path = 1
    case interface = 2
    case member = 3
    case errorName = 4
    case replySerial = 5
    case destination = 6
    case sender = 7
    case signature = 8
    case unixFDs = 9

    var type: DBusType {
        switch self {
        case .path: .objectPath
        case .interface, .member, .errorName, .destination, .sender: .string
        case .replySerial, .unixFDs: .uint32
        case .signature: .signature
        }
    }
}

/// Header fields: a code, a signature, a value.
extension DBusWriter {
    fileprivate mutating func startField(_ field: DBusHeaderField) {
        align(DBusType.entryAlignment)
        put(field.rawValue)
        put(UInt8(1))
        put(field.type.firstCode)
        put(UInt8(0))
    }

    fileprivate mutating func put(_ field: DBusHeaderField, _ text: String) {
        startField(field)
        put(text: text)
    }

    fileprivate mutating func put(_ field: DBusHeaderField, _ number: UInt32) {
        startField(field)
        put(number)
    }

    fileprivate mutating func put(
        _ field: DBusHeaderField, _ name: String?, _ isValid: (String) -> Bool
    ) throws(DBusWireError) {
        guard let name else { return }
        guard isValid(name), name != DBusName.localInterface else {
            throw DBusWireError(.wrongName, at: 0)
        }
        put(field, name)
    }
}

private struct HeaderFields {
    private var path: DBusObjectPath?
    private var interface: String?
    private var member: String?
    private var errorName: String?
    private var replySerial: UInt32?
    private(set) var destination: String?
    private(set) var sender: String?
    private(set) var signature: [DBusType] = []
    private(set) var descriptorCount: UInt32?
    /// The fields that were decoded, as bits.
    private var seen: UInt16 = 0

    init(_ reader: inout DBusReader, _ bytes: Span<UInt8>) throws(DBusWireError) {
        let start = reader.position
        let limit = try reader.arrayEnd(aligned: DBusType.entryAlignment, bytes)
        var inner = reader.reader(to: limit)
        while inner.position < limit {
            try inner.align(DBusType.entryAlignment, bytes)
            let number = try inner.number(bytes, as: UInt8.self)
            guard number != 0 else { throw DBusWireError(.wrongHeader, at: start) }
            guard let field = DBusHeaderField(rawValue: number) else {
                // Unknown fields are skipped, as the specification demands.
                _ = try inner.value(.variant, bytes, depth: 2)
                continue
            }
            guard limit - inner.position > 3, bytes[inner.position] == 1,
                bytes[inner.position + 1] == field.type.firstCode, bytes[inner.position + 2] == 0
            else {
                _ = try inner.value(.variant, bytes, depth: 2)
                throw DBusWireError(.wrongType, at: start)
            }
            inner.skip(to: inner.position + 3)
            try read(field, &inner, bytes)
            let bit: UInt16 = 1 << number
            guard seen & bit == 0 else { throw DBusWireError(.wrongHeader, at: start) }
            seen |= bit
        }
        reader.skip(to: limit)
    }

    private mutating func read(
        _ field: DBusHeaderField, _ reader: inout DBusReader, _ bytes: Span<UInt8>
    ) throws(DBusWireError) {
        switch field {
        case .path: path = try reader.path(bytes)
        case .interface: interface = try reader.text(bytes)
        case .member: member = try reader.text(bytes)
        case .errorName: errorName = try reader.text(bytes)
        case .replySerial: replySerial = try reader.number(bytes)
        case .destination: destination = try reader.text(bytes)
        case .sender: sender = try reader.text(bytes)
        case .signature: signature = try reader.signature(bytes)
        case .unixFDs: descriptorCount = try reader.number(bytes)
        }
    }

    func kind(_ type: DBusMessageType?) throws(DBusWireError) -> DBusMessage.Kind {
        let interface = try Self.name(interface, DBusName.isInterface)
        // Reserved for a library's own messages.
        guard interface != DBusName.localInterface, path != DBusObjectPath.local else {
            throw DBusWireError(.wrongName, at: DBusMessage.fixedLength)
        }
        let member = try Self.name(member, DBusName.isMember)
        let error = try Self.name(errorName, DBusName.isInterface)
        switch type {
        case .call:
            guard let path, let member else { break }
            return .call(path: path, interface: interface, member: member)
        case .signal:
            guard let path, let interface, let member else { break }
            return .signal(path: path, interface: interface, member: member)
        case .reply:
            guard let replySerial, replySerial != 0 else { break }
            return .reply(to: replySerial)
        case .error:
            guard let replySerial, replySerial != 0, let error else { break }
            return .error(name: error, to: replySerial)
        case nil:
            throw DBusWireError(.wrongMessageType, at: 1)
        }
        throw DBusWireError(.wrongHeader, at: DBusMessage.fixedLength)
    }

    static func name(
        _ name: String?, _ isValid: (String) -> Bool
    ) throws(DBusWireError) -> String? {
        guard let name, !isValid(name) else { return name }
        throw DBusWireError(.wrongName, at: DBusMessage.fixedLength)
    }
}
#endif
