@testable import HaloHealth

/// A file that is asked with any text: ``SQLiteConnection`` takes literals only.
struct QueriedDatabase {
    private let handle: SQLiteConnection.Handle

    init(_ path: String) throws {
        guard let library = SQLiteLibrary.system else {
            throw HealthStoreError(.noLibrary, path: path)
        }
        var database: SQLiteLibrary.Database?
        let code = library.open(path, &database, 1, nil)
        guard code == 0, let database else { throw HealthStoreError(.notOpened, path: path) }
        handle = SQLiteConnection.Handle(library, database, path: path)
    }

    /// Returns the rows of a query, each column as text.
    func rows(_ query: String) throws -> [[String]] {
        var prepared: SQLiteLibrary.Statement?
        try handle.check(handle.library.prepare(handle.database, query, -1, 0, &prepared, nil))
        guard let prepared else {
            throw HealthStoreError(.other, path: handle.path, details: query)
        }
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
                    case .bytes: "bytes"
                    }
                })
        }
        return rows
    }
}
