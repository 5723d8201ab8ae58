#if os(Linux)
/// The path of an object: `/`, or elements of letters, digits and underscores after a slash each.
package struct DBusObjectPath: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package static let root = DBusObjectPath(unchecked: "/")
    package static let bus = DBusObjectPath(unchecked: "/org/freedesktop/DBus")
    /// A path that is reserved for a library's own messages, which are never sent.
    static let local = DBusObjectPath(unchecked: "/org/freedesktop/DBus/Local")

    package init(_ text: String) throws(DBusWireError) {
        if let offset = Self.fault(in: text.utf8) { throw DBusWireError(.wrongPath, at: offset) }
        self.text = text
    }

    /// A constant of a program, which is known to be valid.
    package init(unchecked text: String) {
        self.text = text
    }

    /// Returns the index of the first byte that is invalid in a path; `nil` if all are valid.
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

    /// `true` if the path lies below another one, or is the same.
    package func isInside(_ other: DBusObjectPath) -> Bool {
        if other.text == "/" || other.text == text { return true }
        return text.utf8.starts(with: other.text.utf8)
            && text.utf8.dropFirst(other.text.utf8.count).first == UInt8(ascii: "/")
    }

    package var description: String { text }
}
#endif
