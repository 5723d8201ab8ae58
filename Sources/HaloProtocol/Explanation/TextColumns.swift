#if !hasFeature(Embedded)
/// Text in columns, for tables in a terminal.
package enum TextColumns {
    /// The text with spaces behind it, up to a width.
    package static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    /// The text without the spaces at its end.
    package static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
#endif
