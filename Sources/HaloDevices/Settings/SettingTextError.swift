internal import HaloProtocol

/// An error of a text that shall change a setting.
public struct SettingTextError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The text has no words.
        public static let empty = Kind(code: 0)
        /// The text has more than ``NamedRingSetting/longestText`` bytes of UTF-8.
        public static let tooLong = Kind(code: 1)
        /// A word is neither the name of a field nor a value of one.
        public static let unknownWord = Kind(code: 2)
        /// A word before `=` is not the name of a field.
        public static let unknownField = Kind(code: 3)
        /// The name of a field has no value after it.
        public static let missingValue = Kind(code: 4)
        /// A field does not accept the value.
        public static let badValue = Kind(code: 5)
        /// Several fields accept a value without a name.
        public static let ambiguousValue = Kind(code: 6)
        /// A field has two values.
        public static let repeatedField = Kind(code: 7)
        /// The ring only reports a field.
        public static let readOnlyField = Kind(code: 8)
    }

    /// The kind of error.
    public let kind: Kind
    /// The name of the setting.
    public let setting: String
    /// The words of the text that are the cause; empty for ``Kind/empty`` and ``Kind/tooLong``.
    public let found: String
    /// The fields that are concerned: the field of the value, the fields that accept it, or all
    /// that can be changed.
    public let fields: [NamedRingSetting.Field]
}

extension SettingTextError: CustomStringConvertible {
    /// One sentence: the setting, the words found, and the accepted ones.
    public var description: String { "\(setting): \(words)." }

    private var words: String {
        let found = PrintableText.quoted(found.utf8.prefix(Self.longestQuote))
        let field = fields.first?.name ?? ""
        return switch kind {
        case .empty: "no change is given; it takes \(accepted)"
        case .tooLong: "\(kind); at most \(NamedRingSetting.longestText) bytes are read"
        case .unknownWord: "\(found) is no field, and no value of one; it takes \(accepted)"
        case .unknownField: "there is no field \(found); it takes \(accepted)"
        case .missingValue: "\(field) has no value; it takes \(fields.first?.accepts ?? "")"
        case .badValue: "\(field) takes \(fields.first?.accepts ?? ""), not \(found)"
        case .ambiguousValue: "\(found) may be \(names); write \(field)=…"
        case .repeatedField: "\(field) has two values"
        case .readOnlyField: "\(field) is reported by the ring, and cannot be changed"
        default: "\(kind)"
        }
    }

    private var names: String { fields.map(\.name).alternatives }

    private var accepted: String {
        fields.map { "\($0.name) (\($0.accepts))" }.joined(separator: ", ")
    }

    private static var longestQuote: Int { 40 }
}

extension SettingTextError.Kind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .empty: "the text is empty"
        case .tooLong: "the text is too long"
        case .unknownWord: "a word is unknown"
        case .unknownField: "there is no such field"
        case .missingValue: "a field has no value"
        case .badValue: "a field does not accept its value"
        case .ambiguousValue: "a value may be of several fields"
        case .repeatedField: "a field has two values"
        case .readOnlyField: "a field cannot be changed"
        default: "the text is wrong"
        }
    }
}
