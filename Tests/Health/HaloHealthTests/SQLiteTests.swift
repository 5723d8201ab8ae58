import TestSupport
import Testing

@testable import HaloHealth

/// The layer over the system's SQLite.
@Suite(.passesTime) struct SQLiteTests {
    private let folder = TestFolder()

    private static func open(
        _ path: [CChar], _ access: SQLiteConnection.Access = .writing, waits: Int32 = 30_000
    ) throws -> SQLiteConnection {
        try SQLiteConnection(
            path, path: "", access, #require(SQLiteLibrary.system), waits: waits)
    }

    /// The kind of error with which a body ends.
    private static func kind(_ body: () throws -> Void) -> HealthStoreError.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? HealthStoreError)?.kind
        }
    }

    @Test func valuesComeBack() throws {
        let database = try Self.open(try folder.file())
        try database.run("CREATE TABLE a (x)")
        let values: [SQLiteValue] = [
            .null, 0, -1, .integer(.max), .integer(.min), .real(0.5), .real(-.infinity), "",
            "Ring 'of' \"Аня\" 🙂; DROP TABLE a", .text("a\0b"),
        ]
        for value in values { try database.run("INSERT INTO a VALUES (?)", value) }
        var read: [SQLiteValue] = []
        try database.rows("SELECT x FROM a ORDER BY rowid") { read.append($0[0]) }
        #expect(read == values)
        #expect(try database.value("SELECT count(*) FROM a") == .integer(Int64(values.count)))
        #expect(try database.value("SELECT x FROM a WHERE 0") == nil)
        try database.run("UPDATE a SET x = 1 WHERE x IS NULL OR x = 0")
        #expect(try database.value("SELECT changes()") == 2)
    }

    @Test func columnsHaveTypes() throws {
        let database = try Self.open(try folder.file())
        var read: [(Int?, Double?, String?, [HealthStoreError.Kind?])] = []
        try database.rows("SELECT 7, 1.5, 'a', x'01FF', NULL") { row throws(HealthStoreError) in
            for column in -1...5 {
                var kinds: [HealthStoreError.Kind?] = []
                func value<Value>(_ body: () throws(HealthStoreError) -> Value?) -> Value? {
                    do throws(HealthStoreError) {
                        let value = try body()
                        kinds.append(nil)
                        return value
                    } catch {
                        kinds.append(error.kind)
                        return nil
                    }
                }
                read.append(
                    (
                        value { () throws(HealthStoreError) in try row.integer(column) },
                        value { () throws(HealthStoreError) in try row.real(column) },
                        value { () throws(HealthStoreError) in try row.text(column) }, kinds
                    ))
            }
        }
        let none: HealthStoreError.Kind? = nil
        #expect(read.map(\.0) == [nil, 7, nil, nil, nil, nil, nil])
        #expect(read.map(\.1) == [nil, 7, 1.5, nil, nil, nil, nil])
        #expect(read.map(\.2) == [nil, nil, nil, "a", nil, nil, nil])
        // Null is no value of any type; so is a column that is not there.
        for index in [0, 5, 6] { #expect(read[index].3 == [none, none, none]) }
        #expect(read[1].3 == [none, none, .damaged])
        #expect(read[2].3 == [.damaged, none, .damaged])
        #expect(read[3].3 == [.damaged, .damaged, none])
        #expect(read[4].3 == [.damaged, .damaged, .damaged])
    }

    /// A statement is used again, also after it was left before its end.
    @Test func statementsAreUsedAgain() throws {
        let database = try Self.open(try folder.file())
        try database.run("CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT)")
        for number in 0..<100 {
            try database.run(
                "INSERT INTO a VALUES (?, ?)", .integer(Int64(number)), .text("\(number)"))
        }
        for number in [3, 50, 99] {
            let text = try database.value("SELECT y FROM a WHERE x >= ?", .integer(Int64(number)))
            #expect(text == .text("\(number)"))
        }
        // A parameter that is left out is null, not that of the time before.
        let sql: StaticString = "SELECT coalesce(?2, 'none')"
        #expect(try database.value(sql, 1, 2) == 2)
        #expect(try database.value(sql, 1) == "none")
        var count = 0
        #expect(
            Self.kind {
                try database.rows("SELECT x FROM a") { _ throws(HealthStoreError) in
                    count += 1
                    if count == 3 { throw HealthStoreError(.other, path: "") }
                }
            } == .other)
        try database.run("DROP TABLE a")
    }

    @Test func aTransactionIsWholeOrNothing() throws {
        let file = try folder.file()
        let database = try Self.open(file)
        try database.run("CREATE TABLE a (x INTEGER UNIQUE)")
        let error = Self.kind {
            try database.transaction { () throws(HealthStoreError) in
                try database.run("INSERT INTO a VALUES (1)")
                try database.run("INSERT INTO a VALUES (2), (2)")
            }
        }
        #expect(error == .other)
        #expect(try database.value("SELECT count(*) FROM a") == 0)
        let two = try database.transaction { () throws(HealthStoreError) in
            try database.run("INSERT INTO a VALUES (1), (2)")
            return 2
        }
        #expect(two == 2)
        #expect(try Self.open(file, .reading).value("SELECT count(*) FROM a") == 2)
    }

    @Test func writersWaitForEachOther() throws {
        let file = try folder.file()
        let (one, other) = (try Self.open(file), try Self.open(file, waits: 50))
        try one.run("CREATE TABLE a (x)")
        try one.run("BEGIN IMMEDIATE")
        #expect(Self.kind { try other.run("INSERT INTO a VALUES (1)") } == .busy)
        #expect(Self.kind { try other.transaction { () throws(HealthStoreError) in } } == .busy)
        try one.run("COMMIT")
        try other.transaction { () throws(HealthStoreError) in
            try other.run("INSERT INTO a VALUES (1)")
        }
        #expect(try one.value("SELECT count(*) FROM a") == 1)
    }

    // MARK: Errors

    @Test func whatIsNoDatabaseIsNotOne() throws {
        let text = try folder.file("other", String(repeating: "no database\n", count: 100))
        let database = try Self.open(text)
        #expect(Self.kind { try database.run("CREATE TABLE a (x)") } == .damaged)
        let missing = Array("\(folder.path)/none".utf8CString)
        #expect(Self.kind { _ = try Self.open(missing) } == .notOpened)
        #expect(Self.kind { _ = try Self.open(Array(folder.path.utf8CString)) } == .notOpened)
    }

    @Test func aReaderDoesNotWrite() throws {
        let file = try folder.file()
        try Self.open(file).run("CREATE TABLE a (x)")
        let reader = try Self.open(file, .reading)
        #expect(Self.kind { try reader.run("INSERT INTO a VALUES (1)") } == .readOnly)
    }

    @Test func aFullFileIsTold() throws {
        let database = try Self.open(try folder.file())
        try database.run("CREATE TABLE a (x)")
        _ = try database.value("PRAGMA max_page_count = 4")
        let text = SQLiteValue.text(String(repeating: "7", count: 100_000))
        #expect(Self.kind { try database.run("INSERT INTO a VALUES (?)", text) } == .full)
        #expect(try database.value("SELECT count(*) FROM a") == 0)
    }

    /// The reset after it may succeed.
    @Test func theErrorOfAStepIsReported() throws {
        var library = try #require(SQLiteLibrary.system)
        library.step = { _ in 13 }
        let database = try SQLiteConnection(try folder.file(), path: "", .writing, library)
        #expect(Self.kind { try database.run("CREATE TABLE a (x)") } == .full)
    }

    private static let endless: StaticString = """
        WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n
        """

    /// The rows of a stranger's file may have no end, though the file is small.
    @Test func aStatementWithoutEndIsEnded() throws {
        let database = try Self.open(try folder.file())
        #expect(Self.kind { _ = try database.value(Self.endless) } == .damaged)
        #expect(Self.kind { try database.rows(Self.endless) { _ in } } == .damaged)
        #expect(Self.kind { try database.run(Self.endless) } == .damaged)
        // The next statement has all steps again.
        #expect(try database.value("SELECT 1") == 1)
    }

    /// The steps are those of one statement, and a longer file allows more.
    @Test func longFilesTakeTheirTime() throws {
        let database = try Self.open(try folder.file())
        try database.run("CREATE TABLE a (x)")
        database.steps.limit = 50_000
        for _ in 0..<100 {
            #expect(
                try database.value(
                    """
                    WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000)
                    SELECT max(x) FROM n
                    """) == 1000)
        }
        try database.run("INSERT INTO a VALUES (zeroblob(100000))")
        #expect(database.steps.limit == 50_000)
        try database.reading { () throws(HealthStoreError) in }
        #expect(database.steps.limit > 2_800_000)
    }

    @Test func mistakesInStatementsAreErrors() throws {
        let database = try Self.open(try folder.file())
        for _ in 0..<2 {
            #expect(Self.kind { try database.run("SELEKT 1") } == .other)
            #expect(Self.kind { try database.run("") } == .other)
            #expect(Self.kind { try database.run("SELECT ?", 1, 2) } == .other)
        }
    }

    #if !canImport(SQLite3)
    @Test func aMissingLibraryIsNone() {
        for names in [[], ["libnothing-of-this-name.so"], ["libm.so.6"]] {
            #expect(SQLiteLibrary.load(names) == nil, "\(names) was taken for SQLite")
        }
    }
    #endif
}
