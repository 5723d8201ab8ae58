import Foundation

/// A Swift file of this repository, for the house rules that are tests.
struct TidySource: Sendable {
    /// Where it lies, from the root of the repository on.
    let path: String
    /// As it is.
    let lines: [String]
    /// The same lines without comments and without what stands in quotes.
    let code: [String]

    /// The target that it belongs to, of those in `Sources`.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.first == "Sources" && parts.count > 2 ? String(parts[1]) : nil
    }

    /// Its name without the extension.
    var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

    /// All Swift files below `Sources` and `Tests`.
    static let all: [TidySource] = ["Sources", "Tests"].flatMap(read)

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func read(_ folder: String) -> [TidySource] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        var sources: [TidySource] = []
        while let name = names?.nextObject() as? String {
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            guard name.hasSuffix(".swift"), !isHidden else { continue }
            sources.append(TidySource("\(folder)/\(name)"))
        }
        return sources.sorted { $0.path < $1.path }
    }

    private init(_ path: String) {
        self.path = path
        let bytes = (try? Data(contentsOf: Self.root.appending(path: path))) ?? Data()
        lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = Self.code(of: lines)
    }

    private static func code(of lines: [String]) -> [String] {
        var isText = false
        return lines.map { line in
            let quotes = line.components(separatedBy: "\"\"\"").count - 1
            defer { if quotes % 2 == 1 { isText.toggle() } }
            return isText || quotes > 0 ? "" : code(of: line)
        }
    }

    private static func code(of line: String) -> String {
        var code = ""
        var isQuoted = false
        var previous: Character = " "
        for character in line {
            if character == "\"" && previous != "\\" { isQuoted.toggle() }
            if isQuoted {
                // An escaped backslash escapes nothing.
                previous = previous == "\\" ? " " : character
                continue
            }
            if character == "/" && previous == "/" { return String(code.dropLast()) }
            code.append(character)
            previous = character
        }
        return code
    }

    /// The numbers and texts of the lines of code that `predicate` holds for.
    func places(_ predicate: (String) -> Bool) -> [String] {
        zip(1..., code).filter { predicate($1) }.map { "\(path):\($0): \($1)" }
    }

    /// Each function with the number of its first line and of lines it has.
    var functions: [(line: Int, length: Int)] {
        var open: [(indent: Int, line: Int)] = []
        var functions: [(line: Int, length: Int)] = []
        for (number, line) in zip(1..., code) {
            let indent = line.prefix { $0 == " " }.count
            let words = line.split { !$0.isLetter && $0 != "_" }
            let isFunction = words.contains("func") || words.contains("init") && line.last != ","
            if line.dropFirst(indent).first == "}", let last = open.last, last.indent == indent {
                functions.append((last.line, number - last.line + 1))
                open.removeLast()
            } else if isFunction, line.hasSuffix("{") || line.hasSuffix("(") {
                open.removeAll { $0.indent >= indent }
                open.append((indent, number))
            }
        }
        return functions
    }

    /// The public structs that are lists of named values and can grow, with the type that they
    /// lie in: one code or word is stored, and constants are made of it.
    var openLists: [String] {
        var outer = ""
        let code = code.filter { !$0.allSatisfy { $0 == " " } }
        return zip(code, code.dropFirst()).enumerated().compactMap { index, lines in
            let words = lines.0.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            guard let place = words.firstIndex(where: Self.typeWords.contains),
                words.count > place + 1
            else { return nil }
            let name = words[place + 1]
            if lines.0.first != " " { outer = name }
            let margin = lines.0.prefix { $0 == " " } + "    "
            let body = code[(index + 1)...].prefix { $0.hasPrefix(margin) }
                .map { $0.dropFirst(margin.count) }.filter { $0.first != " " }
            let isList =
                words.starts(with: ["public", "struct"]) && !words.contains("OptionSet")
                && Self.storesAName(lines.1)
                && body.count { $0.contains("let ") && !$0.contains("static") } == 1
                && body.contains {
                    $0.hasPrefix("public static let ") && $0.contains("= \(name)(")
                }
            guard isList else { return nil }
            return outer == name ? name : "\(outer).\(name)"
        }
    }

    private static let typeWords = ["struct", "enum", "class", "extension"]

    private static func storesAName(_ line: String) -> Bool {
        ["code: UInt8", "name: String", "word: String", "words: String", "rawValue: String"]
            .contains { line.hasSuffix("let \($0)") }
    }
}
