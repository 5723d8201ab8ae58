import Foundation
import TestSupport

/// A Swift file of this repository, for tests of house rules.
struct TidySource: Sendable {
    /// The path from the root of the repository.
    let path: String
    /// The lines of the file.
    let lines: [String]
    /// The lines without comments and without text in quotes.
    let code: [String]

    /// The target of a file below `Sources`, or `nil`.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.first == "Sources" && parts.count > 3 ? String(parts[2]) : nil
    }

    /// The group of a file below `Sources`, or `nil`.
    var group: String? {
        let parts = path.split(separator: "/")
        return parts.first == "Sources" && parts.count > 3 ? String(parts[1]) : nil
    }

    /// The name without the extension.
    var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

    /// All Swift files below `Sources` and `Tests`.
    static let all: [TidySource] = ["Sources", "Tests"].flatMap(read)

    /// The root of the repository.
    static let root = URL(filePath: packagePath(""))

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
        self.init(path, holding: Self.text(of: path))
    }

    /// A file that need not exist.
    init(_ path: String, holding text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = Self.code(of: lines)
    }

    /// Returns the text of a file of the repository.
    static func text(of path: String) -> String {
        let bytes = (try? Data(contentsOf: root.appending(path: path))) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
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

    /// Returns path, number and text of each line of code that satisfies `predicate`.
    func places(_ predicate: (String) -> Bool) -> [String] {
        zip(1..., code).filter { predicate($1) }.map { "\(path):\($0): \($1)" }
    }

    /// The functions, each with the number of its first line and its number of lines.
    var functions: [(line: Int, length: Int)] {
        var open: [(indent: Int, line: Int)] = []
        var functions: [(line: Int, length: Int)] = []
        for (number, line) in zip(1..., code) {
            let indent = line.prefix { $0 == " " }.count
            let words = line.split { !$0.isLetter && $0 != "_" }
            let isCall = line.contains(".init(") || line.last == ","
            let isFunction = words.contains("func") || words.contains("init") && !isCall
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

    /// The public structs that are open lists of constants, with the names of their outer types:
    /// they store one code or word.
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
