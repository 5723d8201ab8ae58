import TestSupport

@testable import HaloHealth

extension TestFolder {
    /// The path of the database of most tests.
    var database: String { path("a.db") }

    /// Makes an empty file, or one of a text; returns its path as C has it.
    func file(_ name: String = "a.db", _ content: String = "") throws -> [CChar] {
        Array(try write(content, to: name).utf8CString)
    }
}

extension HealthStore {
    /// Runs a statement on the file.
    func run(_ sql: StaticString) throws(HealthStoreError) {
        try withDatabase { (database) throws(HealthStoreError) in try database.run(sql) }
    }
}
