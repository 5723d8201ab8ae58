/// A strict reader of a page: what it accepts is well-formed XML, and so HTML as well.
struct MarkupReader {
    struct Element {
        let name: String
        let attributes: [String: String]
        /// The names of the elements around it, from the outermost one on.
        let path: [String]
        /// The text directly in it.
        var text = ""
    }

    enum Problem: Error, CustomStringConvertible {
        case at(Int, String)

        var description: String {
            guard case .at(let place, let words) = self else { return "" }
            return "byte \(place): \(words)"
        }
    }

    /// The elements in the order of their beginnings.
    private(set) var elements: [Element] = []
    private var open: [Int] = []
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        guard String(validating: bytes, as: UTF8.self) != nil else { throw problem("not UTF-8") }
        let head = Array("<!DOCTYPE html>\n".utf8)
        guard bytes.starts(with: head) else { throw problem("no document type") }
        place = head.count
        while place < bytes.count { try readNext() }
        guard open.isEmpty else { throw problem("\(elements[open[0]].name) has no end") }
    }

    private func problem(_ words: String) -> Problem { .at(place, words) }

    private mutating func readNext() throws {
        guard bytes[place] == UInt8(ascii: "<") else {
            let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            let text = try Self.unescaped(bytes[place..<end], at: place)
            if let last = open.last {
                elements[last].text += text
            } else if text.contains(where: { !$0.isWhitespace }) {
                throw problem("text outside of the page")
            }
            place = end
            return
        }
        guard let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else {
            throw problem("a tag has no end")
        }
        var tag = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
        if tag.hasPrefix("/") {
            guard let last = open.popLast(), elements[last].name == tag.dropFirst() else {
                throw problem("<\(tag)> ends no element")
            }
        } else {
            let isEmpty = tag.hasSuffix("/")
            if isEmpty { tag.removeLast() }
            try readBeginning(tag)
            if isEmpty { open.removeLast() }
        }
        place = end + 1
    }

    private mutating func readBeginning(_ tag: String) throws {
        let name = String(tag.prefix { $0.isLetter || $0.isNumber })
        guard name != "" else { throw problem("a tag without a name") }
        var attributes: [String: String] = [:]
        var rest = tag.dropFirst(name.count)
        while rest != "" {
            guard rest.first == " ", let equal = rest.firstIndex(of: "=") else {
                throw problem("an attribute of <\(tag)>")
            }
            let key = String(rest[rest.index(after: rest.startIndex)..<equal])
            let value = rest[rest.index(after: equal)...]
            guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") else {
                throw problem("a value of <\(tag)>")
            }
            let text = value[value.index(after: value.startIndex)..<end]
            guard key.allSatisfy({ $0.isLetter || $0 == "-" }), attributes[key] == nil else {
                throw problem("the attribute \(key)")
            }
            attributes[key] = try Self.unescaped(Array(text.utf8)[...], at: place)
            rest = value[value.index(after: end)...]
        }
        open.append(elements.count)
        elements.append(
            Element(
                name: name, attributes: attributes,
                path: open.dropLast().map { elements[$0].name }))
    }

    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'",
    ]

    private static func unescaped(_ bytes: ArraySlice<UInt8>, at place: Int) throws -> String {
        var parts = String(decoding: bytes, as: UTF8.self)
            .split(separator: "&", omittingEmptySubsequences: false)
        var text = String(parts.removeFirst())
        for part in parts {
            guard let end = part.firstIndex(of: ";"), let word = entities[String(part[..<end])]
            else { throw Problem.at(place, "an ampersand") }
            text += word + part[part.index(after: end)...]
        }
        for scalar in text.unicodeScalars where scalar.value < 0x20 && scalar != "\n" {
            throw Problem.at(place, "a control character")
        }
        return text
    }

    // MARK: Searches

    /// The elements of a name, with a word in their class if one is given.
    func all(_ name: String, _ style: String? = nil) -> [Element] {
        elements.filter { element in
            let words = element.attributes["class", default: ""].split(separator: " ")
            return element.name == name && (style.map { words.contains($0[...]) } ?? true)
        }
    }

    /// All text, each element's on a line of its own.
    var text: String { elements.map(\.text).joined(separator: "\n") }
}
