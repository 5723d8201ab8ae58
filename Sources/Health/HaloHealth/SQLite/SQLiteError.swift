/// An error of a database.
struct SQLiteError: Error, Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The system has no SQLite.
        case noLibrary
        /// The file cannot be opened or created.
        case notOpened
        /// The file is no database, or a damaged one.
        case damaged
        /// Another program has written for longer than is waited for.
        case busy
        /// The disk, or the space that the file may use, is full.
        case full
        /// The file or its folder cannot be written.
        case readOnly
        /// A value contradicts a rule of its table.
        case refusedValue
        /// A column has a value of another type than was asked for.
        case otherType
        /// Any other error.
        case other
    }

    let kind: Kind
    /// SQLite's own words; empty without any.
    var words = ""

    init(_ kind: Kind, words: String = "") {
        self.kind = kind
        self.words = words
    }

    /// Creates the error of a result code; the lower byte is its kind, the others are details.
    init(code: Int32, words: String) {
        let kind: Kind =
            switch code & 0xFF {
            case 5, 6: .busy
            case 3, 8, 23: .readOnly
            case 11, 26: .damaged
            case 13: .full
            case 14: .notOpened
            case 19, 20, 25: .refusedValue
            default: .other
            }
        self.init(kind, words: words)
    }
}
