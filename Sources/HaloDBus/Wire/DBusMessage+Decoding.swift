#if os(Linux)
extension DBusMessage {
    /// How long a message is of which these are the first bytes: at least 16 of them.
    public static func length(beginning bytes: Span<UInt8>) throws(DBusWireError) -> Int {
        guard bytes.count >= fixedLength else {
            throw DBusWireError(.truncated, at: bytes.count)
        }
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

    /// The message that the bytes are, which have to be just as many as it has.
    ///
    /// How many descriptors came beside it is for the connection to compare with
    /// ``descriptorCount``; a value can name none but these.
    public init(decoding bytes: Span<UInt8>) throws(DBusWireError) {
        var cache: DBusHeaderCache?
        try self.init(decoding: bytes, &cache)
    }

    /// The same, with a cache if there is one.
    init(decoding bytes: Span<UInt8>, _ cache: inout DBusHeaderCache?) throws(DBusWireError) {
        let length = try Self.length(beginning: bytes)
        guard bytes.count >= length else { throw DBusWireError(.truncated, at: bytes.count) }
        guard bytes.count == length else { throw DBusWireError(.excess, at: length) }
        var reader = try Self.startReading(bytes)
        let bodyLength = Int(clamping: try reader.number(bytes, as: UInt32.self))
        let serial = try reader.number(bytes, as: UInt32.self)
        guard serial != 0 else { throw DBusWireError(.wrongSerial, at: 8) }
        // The length is that of the header, which ends at a multiple of eight, and of the body.
        let known = bytes.extracting(0..<length - bodyLength)
        let header: DBusHeader
        let kept = cache?.header(known)
        if let kept {
            header = kept.header
            reader.skip(to: known.count)
        } else {
            header = try Self.header(&reader, bytes)
            cache?.keep(header, known)
        }
        self.init(header.kind, serial: serial)
        flags = Flags(rawValue: bytes[2])
        destination = header.destination
        sender = header.sender
        descriptorCount = header.descriptorCount
        let rest = bytes.extracting(known.count..<length)
        if let kept, let values = cache?.values(rest, at: kept.place) {
            body = values
            return
        }
        guard !header.types.isEmpty || bodyLength == 0 else {
            throw DBusWireError(.wrongSignature, at: reader.position)
        }
        // Alignment counts from the start of the body, which is a multiple of eight.
        var values = DBusReader(
            isBigEndian: reader.isBigEndian, from: reader.position, to: bytes.count,
            descriptorCount: descriptorCount)
        body.reserveCapacity(header.types.count)
        for type in header.types { body.append(try values.value(type, bytes)) }
        guard values.position == bytes.count else {
            throw DBusWireError(.excess, at: values.position)
        }
        if let kept { cache?.keep(body, rest, at: kept.place) }
    }

    /// How many descriptors came beside a message, whatever its type is.
    static func descriptorCount(of bytes: Span<UInt8>) throws(DBusWireError) -> UInt32 {
        guard bytes.count >= fixedLength else {
            throw DBusWireError(.truncated, at: bytes.count)
        }
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
            descriptorCount: fields.descriptorCount ?? 0, types: fields.signature.types)
    }

    private static func startReading(_ bytes: Span<UInt8>) throws(DBusWireError) -> DBusReader {
        let isBigEndian: Bool
        switch bytes[0] {
        case UInt8(ascii: "l"): isBigEndian = false
        case UInt8(ascii: "B"): isBigEndian = true
        default: throw DBusWireError(.wrongEndianness, at: 0)
        }
        guard bytes[1] != 0 else { throw DBusWireError(.wrongMessageType, at: 1) }
        guard bytes[3] == version else { throw DBusWireError(.wrongVersion, at: 3) }
        return DBusReader(isBigEndian: isBigEndian, from: 4, to: bytes.count)
    }
}

/// What stands in the header of a message.
private struct HeaderFields {
    private var path: DBusObjectPath?
    private var interface: String?
    private var member: String?
    private var errorName: String?
    private var replySerial: UInt32?
    private(set) var destination: String?
    private(set) var sender: String?
    private(set) var signature = DBusSignature.empty
    private(set) var descriptorCount: UInt32?
    /// The fields that were there, as bits.
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
                // Fields that nobody knows yet are to be passed over.
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
            try take(field, &inner, bytes)
            let bit: UInt16 = 1 << number
            guard seen & bit == 0 else { throw DBusWireError(.wrongHeader, at: start) }
            seen |= bit
        }
        reader.skip(to: limit)
    }

    private mutating func take(
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
        // What a library says to itself is never on the wire.
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
        case .answer:
            guard let replySerial, replySerial != 0 else { break }
            return .answer(to: replySerial)
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
