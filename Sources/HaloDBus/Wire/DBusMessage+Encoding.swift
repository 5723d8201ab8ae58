#if os(Linux)
extension DBusMessage {
    /// The message as it travels.
    public func encoded() throws(DBusWireError) -> [UInt8] {
        guard serial != 0 else { throw DBusWireError(.wrongSerial, at: 8) }
        var content = DBusWriter(descriptorCount: descriptorCount)
        for value in body { try content.put(value) }
        let signature = try DBusSignature(body.map(\.type))

        var writer = DBusWriter(capacity: 128 + content.bytes.count)
        writer.put(UInt8(ascii: "l"))
        writer.put(type.rawValue)
        writer.put(flags.rawValue)
        writer.put(Self.version)
        writer.put(UInt32(truncatingIfNeeded: content.bytes.count))
        writer.put(serial)
        try writer.put(.array(Self.fieldType, try fields(signature)))
        writer.align(DBusType.entryAlignment)
        writer.append(content.bytes)
        guard writer.bytes.count <= DBusLimits.messageLength else {
            throw DBusWireError(.tooLong, at: writer.bytes.count)
        }
        return writer.bytes
    }

    static let version: UInt8 = 1
    /// How long the part of the header is that says how long the rest is.
    static let fixedLength = 16
    static let fieldType = DBusType.structure([.byte, .variant])

    var type: DBusMessageType {
        switch kind {
        case .call: .call
        case .answer: .answer
        case .error: .error
        case .signal: .signal
        }
    }

    private func fields(_ signature: DBusSignature) throws(DBusWireError) -> [DBusValue] {
        var fields: [DBusValue] = []
        func add(_ field: DBusHeaderField, _ value: DBusValue) {
            fields.append(.structure([.byte(field.rawValue), .variant(value)]))
        }
        func add(
            _ field: DBusHeaderField, _ name: String?, _ isValid: (String) -> Bool
        ) throws(DBusWireError) {
            guard let name else { return }
            guard isValid(name), name != DBusName.localInterface else {
                throw DBusWireError(.wrongName, at: 0)
            }
            add(field, .string(name))
        }
        switch kind {
        case .call(let path, let interface, let member):
            add(.path, .objectPath(path))
            try add(.interface, interface, DBusName.isInterface)
            try add(.member, member, DBusName.isMember)
        case .signal(let path, let interface, let member):
            add(.path, .objectPath(path))
            try add(.interface, interface, DBusName.isInterface)
            try add(.member, member, DBusName.isMember)
        case .answer(let serial):
            add(.replySerial, .uint32(serial))
        case .error(let name, let serial):
            try add(.errorName, name, DBusName.isInterface)
            add(.replySerial, .uint32(serial))
        }
        try add(.destination, destination, DBusName.isBusName)
        try add(.sender, sender, DBusName.isBusName)
        if !signature.types.isEmpty { add(.signature, .signature(signature)) }
        if descriptorCount > 0 { add(.unixFDs, .uint32(descriptorCount)) }
        return fields
    }
}
#endif
