#if os(Linux)
extension DBusValue {
    /// The value, or what a variant holds, however deep variants lie in each other.
    public var unwrapped: DBusValue {
        var value = self
        while case .variant(let content) = value { value = content }
        return value
    }

    /// The text, if the value is text.
    public var string: String? {
        if case .string(let text) = unwrapped { text } else { nil }
    }

    /// The path, if the value is the path of an object.
    public var objectPath: DBusObjectPath? {
        if case .objectPath(let path) = unwrapped { path } else { nil }
    }

    /// True or false, if the value is one of them.
    public var boolean: Bool? {
        if case .boolean(let flag) = unwrapped { flag } else { nil }
    }

    /// The bytes, if the value is an array of bytes.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = unwrapped { bytes } else { nil }
    }

    /// The number, if the value is a whole number of any size that an `Int64` holds.
    public var integer: Int64? {
        switch unwrapped {
        case .byte(let number): Int64(number)
        case .int16(let number): Int64(number)
        case .uint16(let number): Int64(number)
        case .int32(let number): Int64(number)
        case .uint32(let number): Int64(number)
        case .int64(let number): number
        case .uint64(let number): Int64(exactly: number)
        default: nil
        }
    }

    /// The elements, if the value is an array of anything but bytes.
    public var elements: [DBusValue]? {
        if case .array(_, let elements) = unwrapped { elements } else { nil }
    }

    /// The keys with their values, if the value is a dictionary.
    public var entries: [DBusEntry]? {
        if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
    }

    /// The members, if the value is a structure.
    public var members: [DBusValue]? {
        if case .structure(let members) = unwrapped { members } else { nil }
    }

    /// The place among the descriptors, if the value is a file descriptor.
    public var descriptorIndex: Int? {
        if case .unixFD(let index) = unwrapped { Int(exactly: index) } else { nil }
    }

    /// What a dictionary with text as keys has under a key, unwrapped; the last one counts.
    public subscript(key: String) -> DBusValue? {
        entries?.last { $0.key == .string(key) }?.value.unwrapped
    }

    /// Values by name, `a{sv}`, in the order of their names.
    public static func properties(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            key: .string, value: .variant,
            values.sorted { $0.key < $1.key }.map { DBusEntry(.string($0), .variant($1)) })
    }

    /// An array of texts, `as`.
    public static func strings(_ texts: some Sequence<String>) -> DBusValue {
        .array(.string, texts.map { .string($0) })
    }
}
#endif
