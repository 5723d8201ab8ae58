/// An open database, for one task at a time.
///
/// All statements are literals of the source: no text from outside becomes a part of one.
final class SQLiteConnection {
    /// An open database, as long as a connection or a statement needs it.
    final class Handle {
        let library: SQLiteLibrary
        let database: SQLiteLibrary.Database
        /// The path of the file, for errors.
        let path: String
        let steps = StepLimit()

        init(_ library: SQLiteLibrary, _ database: SQLiteLibrary.Database, path: String) {
            self.library = library
            self.database = database
            self.path = path
            library.setProgress(
                database, StepLimit.interval,
                { limit in
                    guard let limit else { return 0 }
                    return Unmanaged<StepLimit>.fromOpaque(limit).takeUnretainedValue().count()
                }, Unmanaged.passUnretained(steps).toOpaque())
        }

        deinit { _ = library.close(database) }

        func error(_ code: Int32) -> HealthStoreError {
            if code & 0xFF == StepLimit.interrupted {
                return HealthStoreError(
                    .damaged, path: path,
                    details: "a statement takes longer than its length explains")
            }
            let words = library.message(database).map { String(cString: $0) } ?? ""
            return HealthStoreError(code: code, path: path, details: words)
        }

        func check(_ code: Int32) throws(HealthStoreError) {
            if code != 0 { throw error(code) }
        }
    }

    /// The limit of the steps of SQLite's virtual machine that a statement may take.
    ///
    /// A statement of this package takes about one step for each byte that it reads. In a
    /// stranger's file one page can be a part of a table any number of times: a few kilobytes with
    /// rows without end.
    final class StepLimit {
        /// The number of steps between two calls of ``count()``.
        static var interval: Int32 { 10_000 }
        /// SQLite's code of a statement that was ended.
        fileprivate static var interrupted: Int32 { 9 }
        /// The steps of a statement on a small file, and those for each byte of a longer one.
        private static let (least, perByte) = (2_000_000, 8)

        /// The most steps of a statement.
        var limit = least
        /// The steps so far.
        private var taken = 0

        /// Begins to count for a statement.
        func begin() { taken = 0 }

        /// Sets the limit for a file of a length.
        fileprivate func set(forLength length: Int) {
            limit = max(limit, Self.least + Self.perByte * min(length, Int.max / 16))
        }

        /// Counts steps; returns 1 if they are too many.
        fileprivate func count() -> Int32 {
            taken += Int(Self.interval)
            return taken > limit ? 1 : 0
        }
    }

    enum Access: Sendable {
        case reading, writing

        fileprivate var flags: Int32 {
            // No locks for threads, as one task uses a connection.
            0x8000 | (self == .reading ? 1 : 2)
        }
    }

    private let handle: Handle
    var steps: StepLimit { handle.steps }
    var path: String { handle.path }
    /// The statements by the addresses of their literals.
    private var statements: [UnsafeRawPointer: SQLiteStatement] = [:]

    /// The time that a statement waits for another program.
    private static var busyMilliseconds: Int32 { 30_000 }
    /// Says that a statement is kept for long.
    private static var isKept: UInt32 { 1 }

    /// Opens a file that exists.
    ///
    /// - Parameter path: The path of the file in errors.
    init(
        _ file: [CChar], path: String, _ access: Access, _ library: SQLiteLibrary,
        waits: Int32 = busyMilliseconds
    ) throws(HealthStoreError) {
        var database: SQLiteLibrary.Database?
        let code = file.withUnsafeBufferPointer {
            library.open($0.baseAddress, &database, access.flags, nil)
        }
        guard let database else { throw HealthStoreError(.notOpened, path: path) }
        handle = Handle(library, database, path: path)
        try handle.check(code)
        _ = library.setBusyTimeout(database, waits)
    }

    /// SQLite's name of a database without a file.
    static var memoryPath: String { ":memory:" }

    /// Opens a new database in memory.
    init(inMemory library: SQLiteLibrary) throws(HealthStoreError) {
        var database: SQLiteLibrary.Database?
        let name = Array(Self.memoryPath.utf8CString)
        let code = name.withUnsafeBufferPointer {
            library.open($0.baseAddress, &database, Access.writing.flags, nil)
        }
        guard let database else { throw HealthStoreError(.notOpened, path: Self.memoryPath) }
        handle = Handle(library, database, path: Self.memoryPath)
        try handle.check(code)
    }

    /// Returns the path of a file for SQLite, which takes some names for other things: `:memory:`
    /// is a database without a file, and so is an empty name.
    static func file(at path: String) -> [CChar] {
        Array((path.hasPrefix("/") ? path : "./" + path).utf8CString)
    }

    // MARK: Statements

    /// Runs a statement to its end.
    func run(_ sql: StaticString, _ values: SQLiteValue...) throws(HealthStoreError) {
        let statement = try statement(sql)
        try statement.begin(values)
        while try statement.next() {}
    }

    /// Runs statements that semicolons separate; none has a semicolon of its own.
    func run(script: StaticString) throws(HealthStoreError) {
        for sql in "\(script)".utf8CString.dropLast().split(separator: CChar(UInt8(ascii: ";"))) {
            let statement = try sql.withUnsafeBufferPointer(prepared)
            handle.steps.begin()
            while try statement.next() {}
        }
    }

    func rows(
        _ sql: StaticString, _ values: SQLiteValue...,
        body: (SQLiteStatement) throws(HealthStoreError) -> Void
    ) throws(HealthStoreError) {
        let statement = try statement(sql)
        try statement.begin(values)
        defer { statement.end() }
        while try statement.next() { try body(statement) }
    }

    /// Returns what a function makes of each row of a statement, without `nil`.
    func list<Element>(
        _ sql: StaticString, _ values: SQLiteValue...,
        element: (SQLiteStatement) throws(HealthStoreError) -> Element?
    ) throws(HealthStoreError) -> [Element] {
        let statement = try statement(sql)
        try statement.begin(values)
        defer { statement.end() }
        var list: [Element] = []
        while try statement.next() {
            if let element = try element(statement) { list.append(element) }
        }
        return list
    }

    /// Returns the first column of the first row; `nil` without a row.
    func value(
        _ sql: StaticString, _ values: SQLiteValue...
    ) throws(HealthStoreError) -> SQLiteValue? {
        let statement = try statement(sql)
        try statement.begin(values)
        defer { statement.end() }
        return try statement.next() ? statement[0] : nil
    }

    /// Returns `true` for tables that hold their values: no view, no virtual table, and none with
    /// a computed column.
    func hasTables(_ names: [String]) throws(HealthStoreError) -> Bool {
        for name in names {
            let found = try value(
                """
                SELECT 1 FROM sqlite_master m
                WHERE name = ? AND type = 'table' AND sql LIKE 'CREATE TABLE%'
                AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE hidden <> 0)
                """, .text(name))
            if found == nil { return false }
        }
        return true
    }

    private func statement(_ sql: StaticString) throws(HealthStoreError) -> SQLiteStatement {
        let address = UnsafeRawPointer(sql.utf8Start)
        if let known = statements[address] { return known }
        let characters = UnsafeBufferPointer(
            start: address.assumingMemoryBound(to: CChar.self), count: sql.utf8CodeUnitCount)
        let statement = try prepared(characters)
        statements[address] = statement
        return statement
    }

    private func prepared(
        _ sql: UnsafeBufferPointer<CChar>
    ) throws(HealthStoreError) -> SQLiteStatement {
        var prepared: SQLiteLibrary.Statement?
        try handle.check(
            handle.library.prepare(
                handle.database, sql.baseAddress, Int32(clamping: sql.count), Self.isKept,
                &prepared, nil))
        guard let prepared else {
            throw HealthStoreError(.other, path: handle.path, details: "an empty statement")
        }
        return SQLiteStatement(prepared, of: handle)
    }

    // MARK: Transactions

    /// Calls a function whose changes are made together, or not at all if it throws.
    ///
    /// Another program that writes is waited for before the function begins.
    func transaction<Value>(
        _ body: () throws(HealthStoreError) -> Value
    ) throws(HealthStoreError) -> Value {
        try run("BEGIN IMMEDIATE")
        return try committing(body)
    }

    /// Calls a function that sees one state of the file, whatever another program writes.
    func reading<Value>(
        _ body: () throws(HealthStoreError) -> Value
    ) throws(HealthStoreError) -> Value {
        try run("BEGIN")
        return try committing(body)
    }

    private func committing<Value>(
        _ body: () throws(HealthStoreError) -> Value
    ) throws(HealthStoreError) -> Value {
        do throws(HealthStoreError) {
            if case .integer(let length)? = try value(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            {
                handle.steps.set(forLength: Int(clamping: length))
            }
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // Some errors have ended the transaction already.
            try? run("ROLLBACK")
            throw error
        }
    }
}
