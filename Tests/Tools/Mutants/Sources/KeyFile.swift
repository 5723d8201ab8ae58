import Foundation

/// A set of mutants that is kept between runs, by their keys.
struct KeyFile {
    private let path: String
    private(set) var keys: Set<String>

    init(path: String) {
        self.path = path
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        keys = Set(text.split(separator: "\n").map(String.init))
    }

    mutating func insert(_ news: [String]) {
        let before = keys.count
        keys.formUnion(news)
        if keys.count != before { write() }
    }

    mutating func remove(_ key: String) {
        if keys.remove(key) != nil { write() }
    }

    private func write() {
        try? keys.sorted().joined(separator: "\n").write(
            toFile: path, atomically: true, encoding: .utf8)
    }
}
