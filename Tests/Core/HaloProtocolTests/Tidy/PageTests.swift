import Foundation
import Testing

/// The pages of the documentation.
@Suite struct PageTests {
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

    @Test func everySettingIsNamed() {
        let folder = "Sources/Core/HaloDevices/Settings/"
        let code = TidySource.all.filter { $0.path.hasPrefix(folder) }.flatMap(\.lines)
            .joined(separator: "\n")
        let names = code.matches(of: /public static var (\w+): RingSetting/).map { $0.1 }
        #expect(names.count > 10)
        let page = TidySource.text(of: "Documentation/Ring.md")
        for name in names where !page.contains("`.\(name)`") {
            Issue.record("Documentation/Ring.md does not name the setting .\(name).")
        }
    }
}
