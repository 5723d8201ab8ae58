final class SQLiteStatement {
    private let connection: SQLiteConnection.Handle
    private let statement: SQLiteLibrary.Statement
    private let columnCount: Int32

    private var library: SQLiteLibrary { connection.library }

    private enum Code {
        static let done: Int32 = 101
        static let row: Int32 = 100
    }

    private enum ValueType {
        static let integer: Int32 = 1
        static let real: Int32 = 2
        static let text: Int32 = 3
        static let bytes: Int32 = 4
        static let null: Int32 = 5
    }

    /// Says that SQLite copies a text before the call returns.
    private static var copies: SQLiteLibrary.Destructor? {
        unsafeBitCast(-1, to: SQLiteLibrary.Destructor?.self)
    }

    init(_ statement: SQLiteLibrary.Statement, of connection: SQLiteConnection.Handle) {
        self.connection = connection
        self.statement = statement
        columnCount = connection.library.columnCount(statement)
    }

    deinit { _ = library.finalize(statement) }

    // MARK: Running

    /// Begins anew with values for the parameters, in their order.
    func begin(_ values: [SQLiteValue]) throws(HealthStoreError) {
        _ = library.reset(statement)
        _ = library.clearBindings(statement)
        connection.steps.begin()
        for (index, value) in values.enumerated() {
            try connection.check(bind(value, Int32(index) + 1))
        }
    }

    /// Goes to the next row; returns `false` after the last one.
    func next() throws(HealthStoreError) -> Bool {
        let code = connection.library.step(statement)
        if code == Code.row { return true }
        // The locks of a statement end with its reset, also after an error.
        let reset = library.reset(statement)
        guard code == Code.done else { throw connection.error(reset == 0 ? code : reset) }
        return false
    }

    /// Ends the statement before its last row.
    func end() { _ = library.reset(statement) }

    private func bind(_ value: SQLiteValue, _ index: Int32) -> Int32 {
        switch value {
        // All parameters are null at the beginning.
        case .null, .bytes: 0
        case .integer(let number): library.bindInteger(statement, index, number)
        case .real(let number): library.bindReal(statement, index, number)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without an address the value would be null.
                    let count = Int32(clamping: characters.count)
                    return characters.baseAddress.map {
                        library.bindText(statement, index, $0, count, Self.copies)
                    } ?? library.bindText(statement, index, "", 0, Self.copies)
                }
            }
        }
    }

    // MARK: The row

    subscript(column: Int) -> SQLiteValue {
        let type = type(of: column)
        let column = Int32(clamping: column)
        switch type {
        case ValueType.integer: return .integer(library.columnInteger(statement, column))
        case ValueType.real: return .real(library.columnReal(statement, column))
        case ValueType.text:
            // The length is that of the text only after the text was asked for.
            let text = library.columnText(statement, column)
            let length = Int(max(library.columnLength(statement, column), 0))
            let bytes = UnsafeBufferPointer(start: text, count: text == nil ? 0 : length)
            return .text(String(decoding: bytes, as: UTF8.self))
        case ValueType.bytes: return .bytes
        default: return .null
        }
    }

    func integer(_ column: Int) throws(HealthStoreError) -> Int? {
        switch type(of: column) {
        case ValueType.integer: Int(clamping: library.columnInteger(statement, Int32(column)))
        case ValueType.null: nil
        default: throw otherType
        }
    }

    /// The error of a column that has a value of another type than was asked for.
    private var otherType: HealthStoreError { HealthStoreError(.damaged, path: connection.path) }

    /// Returns the type of a column; that of null if there is none.
    private func type(of column: Int) -> Int32 {
        guard 0..<Int(columnCount) ~= column else { return ValueType.null }
        return library.columnType(statement, Int32(column))
    }

    func real(_ column: Int) throws(HealthStoreError) -> Double? {
        switch type(of: column) {
        case ValueType.real: library.columnReal(statement, Int32(column))
        case ValueType.integer: Double(library.columnInteger(statement, Int32(column)))
        case ValueType.null: nil
        default: throw otherType
        }
    }

    /// The most bytes of a name, an address, a day or the word for a stage. A capture is longer,
    /// and read as a value.
    private static var longestText: Int { 4096 }

    /// Returns a short text; `nil` for null.
    func text(_ column: Int) throws(HealthStoreError) -> String? {
        switch self[column] {
        case .null: nil
        case .text(let text) where text.utf8.count <= Self.longestText: text
        default: throw otherType
        }
    }
}
