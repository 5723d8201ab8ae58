#if os(Linux)
/// The rules for names on the bus.
public enum DBusName {
    /// How many characters a name may have.
    public static let maximumLength = 255

    /// The bus itself, as a name and as an interface.
    public static let bus = "org.freedesktop.DBus"
    /// The bus's signal that a name belongs to somebody else.
    public static let ownerChanged = "NameOwnerChanged"
    /// Kept for what a library says to itself.
    static let localInterface = "org.freedesktop.DBus.Local"

    /// Whether a text can name an interface or an error: words with dots between, two at least.
    public static func isInterface(_ text: String) -> Bool {
        isDotted(text.utf8, allowsHyphen: false, allowsLeadingDigit: false)
    }

    /// Whether a text can name a method, a signal or a property: one word.
    public static func isMember(_ text: String) -> Bool {
        let characters = text.utf8
        guard let first = characters.first, characters.count <= maximumLength else { return false }
        return !isDigit(first) && characters.allSatisfy(isWordCharacter)
    }

    /// Whether a text can name a connection: one that the bus gave, `:1.5`, or a well-known one.
    public static func isBusName(_ text: String) -> Bool {
        let characters = text.utf8
        guard characters.first == UInt8(ascii: ":") else {
            return isDotted(characters, allowsHyphen: true, allowsLeadingDigit: false)
        }
        return characters.count <= maximumLength
            && isDotted(characters.dropFirst(), allowsHyphen: true, allowsLeadingDigit: true)
    }

    /// Whether a name is one that a program asked for, not the bus gave.
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

    static func isDigit(_ character: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
    }
}
#endif
