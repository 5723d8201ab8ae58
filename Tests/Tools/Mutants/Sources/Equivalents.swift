import Foundation

/// Mutants without a noticeable effect, each with its reason.
///
/// A line is the key of a mutant; the indented lines below it are the reason.
struct Equivalents {
    private(set) var reasons: [String: String] = [:]

    /// Reads the list; a mutant without a reason is refused.
    init(path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var key: String?
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix(" ") {
                guard let key else { throw Refusal("\(path): a reason without a fault: \(line)") }
                let words = line.drop { $0 == " " }
                reasons[key] = reasons[key].map { $0.isEmpty ? "" : $0 + " " }.map { $0 + words }
            } else {
                key = String(line)
                reasons[String(line)] = ""
            }
        }
        for (key, reason) in reasons where reason.isEmpty {
            throw Refusal("\(path): a fault without a reason: \(key)")
        }
    }

    func contains(_ mutant: Mutant) -> Bool { reasons[mutant.key] != nil }
}
