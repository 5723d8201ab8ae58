import Foundation
import TestSupport
import Testing

/// The pages of the documentation.
@Suite(.computes) struct PageTests {
    private static let pages = ["README.md", "CONTRIBUTING.md"] + documentation

    private static let documentation = {
        let folder = TidySource.root.appending(path: "Documentation").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
    }()

    @Test(arguments: pages)
    func linksLeadToFiles(_ page: String) {
        let folder = TidySource.root.appending(path: page).deletingLastPathComponent()
        let links = TidySource.text(of: page).matches(of: /\]\(([^)#:\s]+)[)#]/)
        let broken = links.map { String($0.1) }.filter {
            !FileManager.default.fileExists(atPath: folder.appending(path: $0).path)
        }
        #expect(broken == [])
    }

    @Test(arguments: pages)
    func anchorsLeadToHeadings(_ page: String) {
        let folder = TidySource.root.appending(path: page).deletingLastPathComponent()
        let links = TidySource.text(of: page).matches(of: /\]\(([^)#:\s]*\.md)?#([^)\s]+)\)/)
        let broken = links.filter { link in
            let text = link.1.map { file in
                (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
            }
            return !Self.anchors(of: text ?? TidySource.text(of: page)).contains(String(link.2))
        }
        #expect(broken.map { String($0.0) } == [])
    }

    /// The name of a file is its title in capitalised words, without an article at the beginning.
    @Test(arguments: documentation.filter { $0 != index })
    func isNamedAfterItsTitle(_ page: String) throws {
        var words = try title(of: page).replacing("'", with: "").split { " -".contains($0) }
        if ["The", "A"].contains(words.first) { words.removeFirst() }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        #expect(page == "Documentation/\(name).md")
    }

    @Test(arguments: documentation.filter { $0 != index })
    func isInTheIndex(_ page: String) throws {
        let link = "[\(try title(of: page))](\(page.dropFirst("Documentation/".count)))"
        #expect(TidySource.text(of: Self.index).contains("| \(link) | "))
    }

    /// A link with the name of a type leads to a file with that type.
    @Test func theGlossaryLeadsToTypes() {
        let page = TidySource.text(of: "Documentation/Glossary.md")
        let links = page.matches(of: /\[`(\w+)[\w.]*`\]\(\.\.\/([^)]+\.swift)\)/)
        #expect(links.count > 50)
        let words = ["struct", "enum", "class", "protocol", "actor", "typealias", "extension"]
        let wrong = links.filter { link in
            let code = TidySource.text(of: String(link.2))
            return !words.contains { code.contains("\($0) \(link.1)") }
        }
        #expect(wrong.map { String($0.0) } == [])
    }

    private static let index = "Documentation/README.md"

    private func title(of page: String) throws -> Substring {
        try #require(TidySource.text(of: page).split(separator: "\n").first).dropFirst(2)
    }

    /// Returns the anchors of the headings of a page, as forges make them.
    private static func anchors(of text: String) -> Set<String> {
        var isCode = false
        let headings = text.split(separator: "\n").filter { line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
            return !isCode && line.hasPrefix("#")
        }
        return Set(
            headings.map { heading in
                heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
            })
    }

    @Test func everySettingIsNamed() {
        let folder = "Sources/Core/HaloDevices/Settings/"
        let code = TidySource.all.filter { $0.path.hasPrefix(folder) }.flatMap(\.lines)
            .joined(separator: "\n")
        let names = code.matches(of: /public static var (\w+): RingSetting/).map { $0.1 }
        #expect(names.count > 10)
        let page = TidySource.text(of: "Documentation/RingsInAnApp.md")
        for name in names where !page.contains("`.\(name)`") {
            Issue.record("Documentation/RingsInAnApp.md does not name the setting .\(name).")
        }
    }
}
