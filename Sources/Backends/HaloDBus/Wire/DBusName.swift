#if os(Linux)
package enum DBusName {
    package static let maximumLength = 255

    /// The name of the bus itself, and of its interface (``DBusMessageBus``).
    package static let bus = "org.freedesktop.DBus"
    /// An interface that is reserved for a library's own messages, which are never sent.
    static let localInterface = "org.freedesktop.DBus.Local"

    /// `true` for the name of an interface or an error: words with dots between, two at least.
    package static func isInterface(_ text: String) -> Bool {
        isDotted(text.utf8, allowsHyphen: false, allowsLeadingDigit: false)
    }

    /// `true` for the name of a method, a signal or a property: one word.
    package static func isMember(_ text: String) -> Bool {
        let characters = text.utf8
        guard let first = characters.first, characters.count <= maximumLength else { return false }
        return !isDigit(first) && characters.allSatisfy(isWordCharacter)
    }

    /// `true` for the name of a connection: unique, `:1.5`, or well-known, `org.bluez`.
    package static func isBusName(_ text: String) -> Bool {
        let characters = text.utf8
        guard characters.first == UInt8(ascii: ":") else {
            return isDotted(characters, allowsHyphen: true, allowsLeadingDigit: false)
        }
        return characters.count <= maximumLength
            && isDotted(characters.dropFirst(), allowsHyphen: true, allowsLeadingDigit: true)
    }

    /// `true` for a name that a program requested, as opposed to one that the bus assigned.
    static func isWellKnown(_ name: String) -> Bool {
        name.utf8.first != UInt8(ascii: ":") && isBusName(name)
    }

    private static func isDotted(
        _ characters: some Collection<UInt8>, allowsHyphen: Bool, allowsLeadingDigit: Bool
    ) -> Bool {
        var (length, dots, isAtStart) = (0, 0, true)
        for character in characters {
            length += 1
            if character == UInt8(ascii: ".") {
                guard !isAtStart else { return false }
                dots += 1
                isAtStart = true
                continue
            }
            guard isWordCharacter(character) || allowsHyphen && character == UInt8(ascii: "-"),
                !isAtStart || allowsLeadingDigit || !isDigit(character)
            else { return false }
            isAtStart = false
        }
        return length <= maximumLength && dots > 0 && !isAtStart
    }

    static func isWordCharacter(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"):
            true
        default: isDigit(character)
        }
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
    }
}
#endif
