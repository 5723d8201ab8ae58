import Foundation

/// The folders of a target from the ground up, as `Floors.md` beside this file lists them.
///
/// A list begins with a line "Floors of `Target`, from the ground up" and stands in the fence that
/// follows: a folder on each line, from the folder of the target on, and what is in it. A file
/// names types of its own folder and of those that are listed before it.
struct Floors: Sendable {
    /// The target that the folders belong to.
    let target: String
    /// The paths of the folders below that of the target.
    let folders: [String]

    /// The lists of all targets.
    static let all = read(TidySource.text(of: "Tests/Core/HaloProtocolTests/Tidy/Floors.md"))

    /// Returns the lists in a text.
    static func read(_ text: String) -> [Floors] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            guard lines[index].hasPrefix("Floors of `") else { return nil }
            let fenced = lines[index...].drop { $0 != "```" }.dropFirst().prefix { $0 != "```" }
            let folders = fenced.compactMap { $0.split(separator: " ").first }
                .filter { $0.last == "/" }
            return Floors(
                target: String(lines[index].split(separator: "`")[1]),
                folders: folders.map { String($0.dropLast()) })
        }
    }

    /// Returns the folder of a file below that of the target, or `nil` for other targets.
    private func folder(of source: TidySource) -> String? {
        guard source.target == target else { return nil }
        return source.path.split(separator: "/").dropFirst(3).dropLast().joined(separator: "/")
    }

    /// Returns the folders that are not listed, and the listed ones without sources.
    func difference(from sources: [TidySource]) -> [String] {
        Set(sources.compactMap(folder)).symmetricDifference(folders).sorted()
    }

    /// Returns a sentence for each use of a type of a higher folder.
    func arrowsUpwards(in sources: [TidySource]) -> [String] {
        let heights = Dictionary(uniqueKeysWithValues: zip(folders, 0...))
        var homes: [String: String] = [:]
        for source in sources {
            guard let folder = folder(of: source) else { continue }
            for name in source.declaredTypes(withNested: false) { homes[name] = folder }
        }
        return sources.flatMap { source -> [String] in
            guard let folder = folder(of: source), let height = heights[folder] else { return [] }
            let own = source.declaredTypes(withNested: true)
            return source.namedTypes.subtracting(own).sorted().compactMap { name in
                guard let home = homes[name], let top = heights[home], top > height else {
                    return nil
                }
                return "\(source.path) names \(name) of \(home)/, which lies above \(folder)/"
            }
        }
    }
}

extension TidySource {
    private static let typeWords: Set<Substring> = [
        "struct", "enum", "class", "protocol", "actor", "typealias", "associatedtype",
    ]

    /// Returns the declared types; with nested ones also the generic parameters.
    fileprivate func declaredTypes(withNested: Bool) -> Set<String> {
        var types: Set<String> = []
        for line in code where withNested || line.first != " " {
            if line.hasPrefix("@_exported") { continue }
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            for (word, next) in zip(words, words.dropFirst()) where Self.typeWords.contains(word) {
                types.insert(String(next))
            }
            guard withNested else { continue }
            for piece in line.split(separator: "<").dropFirst() {
                let names = piece.prefix { $0 != ">" && $0 != "(" }.split(separator: ",")
                types.formUnion(
                    names.filter { $0.contains(":") }.map {
                        String($0.prefix { $0 != ":" }.drop { $0 == " " })
                    })
            }
        }
        return types
    }

    /// The words with a capital initial, in code and in interpolations. Words behind a dot are
    /// members, and are left out.
    fileprivate var namedTypes: Set<String> {
        var names: Set<String> = []
        var isText = false
        for line in lines {
            if line.components(separatedBy: "\"\"\"").count % 2 == 0 {
                isText.toggle()
            } else if !isText {
                Self.names(in: line, into: &names)
            }
        }
        return names
    }

    private static func names(in line: String, into names: inout Set<String>) {
        // How many parentheses are open in each interpolation; code at an odd depth of none.
        var open: [Int] = []
        var isQuoted = false
        var word = ""
        var before: Character = " "
        var previous: Character = " "
        for character in line + "\n" {
            if !isQuoted, character.isLetter || character.isNumber || character == "_" {
                if word.isEmpty { before = previous }
                word.append(character)
            } else {
                if word.first?.isUppercase == true && before != "." { names.insert(word) }
                word = ""
                if !isQuoted && character == "/" && previous == "/" { return }
                if isQuoted, character == "(", previous == "\\" {
                    open.append(1)
                    isQuoted = false
                } else if character == "\"", previous != "\\" || !isQuoted {
                    isQuoted.toggle()
                } else if !isQuoted, let depth = open.last {
                    let step = character == "(" ? 1 : character == ")" ? -1 : 0
                    open[open.count - 1] = depth + step
                    if depth + step == 0 {
                        open.removeLast()
                        isQuoted = true
                    }
                }
            }
            // An escaped backslash escapes nothing.
            previous = isQuoted && previous == "\\" && character == "\\" ? " " : character
        }
    }
}
