#if os(Linux)
extension DBusType {
    /// Adds the characters of the type to a signature, if it is one that can be.
    func append(
        to bytes: inout [UInt8], arrays: Int = 0, structures: Int = 0
    ) throws(DBusWireError) {
        bytes.append(firstCode)
        switch self {
        case .array(let element):
            try Self.check(arrays, bytes)
            try element.append(to: &bytes, arrays: arrays + 1, structures: structures)
        case .dictionary(let key, let value):
            try Self.appendDictionary(key, value, to: &bytes, arrays, structures)
        case .structure(let members):
            try Self.check(members.isEmpty ? .max : structures, bytes)
            for member in members {
                try member.append(to: &bytes, arrays: arrays, structures: structures + 1)
            }
            bytes.append(UInt8(ascii: ")"))
        default: break
        }
    }

    fileprivate static func appendDictionary(
        _ key: DBusType, _ value: DBusType, to bytes: inout [UInt8], _ arrays: Int,
        _ structures: Int
    ) throws(DBusWireError) {
        try check(key.isBasic ? arrays : .max, bytes)
        bytes.append(UInt8(ascii: "{"))
        try key.append(to: &bytes, arrays: arrays + 1, structures: structures)
        try value.append(to: &bytes, arrays: arrays + 1, structures: structures)
        bytes.append(UInt8(ascii: "}"))
    }

    fileprivate static func check(_ depth: Int, _ bytes: [UInt8]) throws(DBusWireError) {
        guard depth < DBusSignature.maximumDepth else {
            throw DBusWireError(.wrongSignature, at: bytes.count)
        }
    }
}

extension DBusValue {
    /// Adds the characters of the value's type to a signature, if it is one that can be.
    func appendType(
        to bytes: inout [UInt8], arrays: Int = 0, structures: Int = 0
    ) throws(DBusWireError) {
        switch self {
        case .byte: bytes.append(DBusType.byte.firstCode)
        case .boolean: bytes.append(DBusType.boolean.firstCode)
        case .int16: bytes.append(DBusType.int16.firstCode)
        case .uint16: bytes.append(DBusType.uint16.firstCode)
        case .int32: bytes.append(DBusType.int32.firstCode)
        case .uint32: bytes.append(DBusType.uint32.firstCode)
        case .int64: bytes.append(DBusType.int64.firstCode)
        case .uint64: bytes.append(DBusType.uint64.firstCode)
        case .double: bytes.append(DBusType.double.firstCode)
        case .string: bytes.append(DBusType.string.firstCode)
        case .objectPath: bytes.append(DBusType.objectPath.firstCode)
        case .signature: bytes.append(DBusType.signature.firstCode)
        case .unixFD: bytes.append(DBusType.unixFD.firstCode)
        case .variant: bytes.append(DBusType.variant.firstCode)
        case .bytes: try DBusType.byteArray.append(to: &bytes, arrays: arrays)
        case .array(let element, _):
            bytes.append(UInt8(ascii: "a"))
            try DBusType.check(arrays, bytes)
            try element.append(to: &bytes, arrays: arrays + 1, structures: structures)
        case .dictionary(let key, let value, _):
            bytes.append(UInt8(ascii: "a"))
            try DBusType.appendDictionary(key, value, to: &bytes, arrays, structures)
        case .structure(let members):
            bytes.append(UInt8(ascii: "("))
            try DBusType.check(members.isEmpty ? .max : structures, bytes)
            for member in members {
                try member.appendType(to: &bytes, arrays: arrays, structures: structures + 1)
            }
            bytes.append(UInt8(ascii: ")"))
        }
    }
}
#endif
