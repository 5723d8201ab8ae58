import HaloProtocol

/// An error of a text that shall change a setting.
struct SettingTextError: Error, Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The text has no words.
        case empty
        /// The text has more than ``NamedRingSetting/longestText`` bytes of UTF-8.
        case tooLong
        /// A word is neither the name of a field nor a value of one.
        case unknownWord
        /// A word before `=` is not the name of a field.
        case unknownField
        /// The name of a field has no value after it.
        case missingValue
        /// A field does not accept the value.
        case badValue
        /// Several fields accept a value without a name.
        case ambiguousValue
        /// A field has two values.
        case repeatedField
        /// The ring only reports a field.
        case readOnlyField
    }

    let kind: Kind
    /// The name of the setting.
    let setting: String
    /// The words of the text that are the cause; empty for ``Kind/empty`` and ``Kind/tooLong``.
    let found: String
    /// The fields that are concerned: the field of the value, the fields that accept it, or all
    /// that can be changed.
    let fields: [NamedRingSetting.Field]
}

extension SettingTextError: CustomStringConvertible {
    /// One sentence: the setting, the words found, and the accepted ones.
    var description: String { "\(setting): \(words)." }

    private var words: String {
        let found = PrintableText.quoted(found.utf8.prefix(Self.longestQuote))
        let field = fields.first?.name ?? ""
        return switch kind {
        case .empty: "no change given; it takes \(accepted)"
        case .tooLong:
            "the text is too long; at most \(NamedRingSetting.longestText) bytes are read"
        case .unknownWord: "\(found) is neither a field nor a value; it takes \(accepted)"
        case .unknownField: "there is no field \(found); it takes \(accepted)"
        case .missingValue: "\(field) has no value; it takes \(fields.first?.accepts ?? "")"
        case .badValue: "\(field) takes \(fields.first?.accepts ?? ""), not \(found)"
        case .ambiguousValue: "\(found) may be \(names); write \(field)=VALUE"
        case .repeatedField: "\(field) has two values"
        case .readOnlyField: "\(field) is reported by the ring, and cannot be changed"
        }
    }

    private var names: String { TextLayout.alternatives(fields.map(\.name)) }

    private var accepted: String {
        fields.map { "\($0.name) (\($0.accepts))" }.joined(separator: ", ")
    }

    private static var longestQuote: Int { 40 }
}
