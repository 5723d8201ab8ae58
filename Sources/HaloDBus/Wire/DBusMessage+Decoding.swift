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
        guard bodyLength <= DBusLimits.messageLength,
            header + bodyLength <= DBusLimits.messageLength
        else {
            throw DBusWireError(.tooLong, at: 4)
        }
        return header + bodyLength
    }

    /// The message that the bytes are, which have to be just as many as it has.
    ///
    /// How many descriptors came beside it is for the connection to compare with
    /// ``descriptorCount``; a value can name none but these.
    public init(decoding bytes: Span<UInt8>) throws(DBusWireError) {
        let length = try Self.length(beginning: bytes)
        guard bytes.count >= length else { throw DBusWireError(.truncated, at: bytes.count) }
        guard bytes.count == length else { throw DBusWireError(.excess, at: length) }
        var reader = try Self.startReading(bytes)
        let bodyLength = Int(clamping: try reader.number(bytes, as: UInt32.self))
        let serial = try reader.number(bytes, as: UInt32.self)
        guard serial != 0 else { throw DBusWireError(.wrongSerial, at: 8) }
        let fields = try HeaderFields(&reader, bytes)
        try reader.align(DBusType.entryAlignment, bytes)

        self.init(try fields.kind(DBusMessageType(rawValue: bytes[1])), serial: serial)
        flags = Flags(rawValue: bytes[2])
        destination = try fields.name(.destination, DBusName.isBusName)
        sender = try fields.name(.sender, DBusName.isBusName)
        descriptorCount = fields.number(.unixFDs) ?? 0
        let signature = fields.signature
        guard !signature.types.isEmpty || bodyLength == 0 else {
            throw DBusWireError(.wrongSignature, at: reader.position)
        }
        // Alignment counts from the start of the body, which is a multiple of eight.
        var values = DBusReader(
            isBigEndian: reader.isBigEndian, from: reader.position, to: bytes.count,
            descriptorCount: descriptorCount)
        for type in signature.types { body.append(try values.value(type, bytes)) }
        guard values.position == bytes.count else {
            throw DBusWireError(.excess, at: values.position)
        }
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

/// What stands in the header of a message, by field.
private struct HeaderFields {
    private var values: [DBusHeaderField: DBusValue] = [:]

    init(_ reader: inout DBusReader, _ bytes: Span<UInt8>) throws(DBusWireError) {
        let start = reader.position
        guard case .array(_, let fields) = try reader.value(.array(DBusMessage.fieldType), bytes)
        else { return }
        for case .structure(let members) in fields {
            guard case .byte(let number)? = members.first, case .variant(let value)? = members.last
            else { continue }
            guard number != 0 else { throw DBusWireError(.wrongHeader, at: start) }
            // Fields that nobody knows yet are to be passed over.
            guard let field = DBusHeaderField(rawValue: number) else { continue }
            guard value.type == field.type else { throw DBusWireError(.wrongType, at: start) }
            guard values.updateValue(value, forKey: field) == nil else {
                throw DBusWireError(.wrongHeader, at: start)
            }
        }
    }

    func kind(_ type: DBusMessageType?) throws(DBusWireError) -> DBusMessage.Kind {
        let interface = try name(.interface, DBusName.isInterface)
        // What a library says to itself is never on the wire.
        guard interface != DBusName.localInterface, path != DBusObjectPath.local else {
            throw DBusWireError(.wrongName, at: DBusMessage.fixedLength)
        }
        let member = try name(.member, DBusName.isMember)
        let error = try name(.errorName, DBusName.isInterface)
        switch type {
        case .call:
            guard let path, let member else { break }
            return .call(path: path, interface: interface, member: member)
        case .signal:
            guard let path, let interface, let member else { break }
            return .signal(path: path, interface: interface, member: member)
        case .answer:
            guard let serial = number(.replySerial), serial != 0 else { break }
            return .answer(to: serial)
        case .error:
            guard let serial = number(.replySerial), serial != 0, let error else { break }
            return .error(name: error, to: serial)
        case nil:
            throw DBusWireError(.wrongMessageType, at: 1)
        }
        throw DBusWireError(.wrongHeader, at: DBusMessage.fixedLength)
    }

    var path: DBusObjectPath? {
        if case .objectPath(let path) = values[.path] { path } else { nil }
    }

    var signature: DBusSignature {
        if case .signature(let signature) = values[.signature] { signature } else { .empty }
    }

    func number(_ field: DBusHeaderField) -> UInt32? {
        if case .uint32(let number) = values[field] { number } else { nil }
    }

    func name(
        _ field: DBusHeaderField, _ isValid: (String) -> Bool
    ) throws(DBusWireError) -> String? {
        guard case .string(let name) = values[field] else { return nil }
        guard isValid(name) else {
            throw DBusWireError(.wrongName, at: DBusMessage.fixedLength)
        }
        return name
    }
}
#endif
