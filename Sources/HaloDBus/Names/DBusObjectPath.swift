#if os(Linux)
/// The path of an object on the bus: `/`, or elements of letters, digits and underscores.
public struct DBusObjectPath: Hashable, Sendable {
    /// The path.
    public let text: String

    /// The root.
    public static let root = DBusObjectPath(unchecked: "/")
    /// The bus itself.
    public static let bus = DBusObjectPath(unchecked: "/org/freedesktop/DBus")
    /// Kept for what a library says to itself.
    static let local = DBusObjectPath(unchecked: "/org/freedesktop/DBus/Local")

    /// A path, if the text is one.
    public init(_ text: String) throws(DBusWireError) {
        guard let fault = Self.fault(in: text.utf8) else {
            self.text = text
            return
        }
        throw DBusWireError(.wrongPath, at: fault)
    }

    init(unchecked text: String) {
        self.text = text
    }

    /// Where a text stops to be a path.
    static func fault(in characters: some Collection<UInt8>) -> Int? {
        var previous: UInt8?
        var count = 0
        for character in characters {
            let isSlash = character == UInt8(ascii: "/")
            guard count > 0 || isSlash, isSlash || DBusName.isWordCharacter(character),
                !isSlash || previous != UInt8(ascii: "/")
            else { return count }
            previous = character
            count += 1
        }
        if count == 0 { return 0 }
        return previous == UInt8(ascii: "/") && count > 1 ? count - 1 : nil
    }

    /// Whether the path lies under another one, or is the same.
    public func isInside(_ other: DBusObjectPath) -> Bool {
        if other.text == "/" || other.text == text { return true }
        return text.utf8.starts(with: other.text.utf8)
            && text.utf8.dropFirst(other.text.utf8.count).first == UInt8(ascii: "/")
    }
}

extension DBusObjectPath: CustomStringConvertible {
    /// The path.
    public var description: String { text }
}
#endif
