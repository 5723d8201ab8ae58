import TestSupport

extension TestFolder {
    /// The path of the database of most tests.
    var database: String { path("a.db") }

    /// Makes an empty file, or one of a text; returns its path as C has it.
    func file(_ name: String = "a.db", _ content: String = "") throws -> [CChar] {
        Array(try write(content, to: name).utf8CString)
    }
}
