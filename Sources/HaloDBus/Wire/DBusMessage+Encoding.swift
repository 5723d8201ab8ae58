#if os(Linux)
extension DBusMessage {
    /// The message as it travels.
    public func encoded() throws(DBusWireError) -> [UInt8] {
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
    /// How long the part of the header is that says how long the rest is.
    static let fixedLength = 16

    var type: DBusMessageType {
        switch kind {
        case .call: .call
        case .answer: .answer
        case .error: .error
        case .signal: .signal
        }
    }

    private func putFields(_ writer: inout DBusWriter) throws(DBusWireError) {
        switch kind {
        case .call(let path, let interface, let member):
            writer.put(.path, path.text)
            try writer.put(.interface, interface, DBusName.isInterface)
            try writer.put(.member, member, DBusName.isMember)
        case .signal(let path, let interface, let member):
            writer.put(.path, path.text)
            try writer.put(.interface, interface, DBusName.isInterface)
            try writer.put(.member, member, DBusName.isMember)
        case .answer(let serial):
            writer.put(.replySerial, serial)
        case .error(let name, let serial):
            try writer.put(.errorName, name, DBusName.isInterface)
            writer.put(.replySerial, serial)
        }
        try writer.put(.destination, destination, DBusName.isBusName)
        try writer.put(.sender, sender, DBusName.isBusName)
        if !body.isEmpty {
            writer.begin(.signature)
            try writer.put(typesOf: body)
        }
        if descriptorCount > 0 { writer.put(.unixFDs, descriptorCount) }
    }
}

/// The fields of a message's header.
extension DBusWriter {
    fileprivate mutating func begin(_ field: DBusHeaderField) {
        align(DBusType.entryAlignment)
        put(field.rawValue)
        put(UInt8(1))
        put(field.type.firstCode)
        put(UInt8(0))
    }

    fileprivate mutating func put(_ field: DBusHeaderField, _ text: String) {
        begin(field)
        put(text: text)
    }

    fileprivate mutating func put(_ field: DBusHeaderField, _ number: UInt32) {
        begin(field)
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
#endif
