@testable import HaloHealth

/// A file that is asked with any text: ``SQLiteConnection`` takes literals only.
struct QueriedDatabase {
    private let handle: SQLiteConnection.Handle

    init(_ path: String) throws {
        let library = try SQLiteLibrary.system.get()
        var database: SQLiteLibrary.Database?
        let code = library.open(path, &database, 1, nil)
        guard code == 0, let database else { throw SQLiteError(code: code, words: path) }
        handle = SQLiteConnection.Handle(library, database)
    }

    /// Returns the rows of a query, each column as text.
    func rows(_ query: String) throws -> [[String]] {
        var prepared: SQLiteLibrary.Statement?
        try handle.check(handle.library.prepare(handle.database, query, -1, 0, &prepared, nil))
        guard let prepared else { throw SQLiteError(.other, words: query) }
        let count = Int(handle.library.columnCount(prepared))
        let statement = SQLiteStatement(prepared, of: handle)
        var rows: [[String]] = []
        while try statement.next() {
            rows.append(
                (0..<count).map { column in
                    switch statement[column] {
                    case .null: ""
                    case .integer(let number): "\(number)"
                    case .real(let number): "\(number)"
                    case .text(let text): text
                    case .bytes(let bytes): "\(bytes)"
                    }
                })
        }
        return rows
    }
}
