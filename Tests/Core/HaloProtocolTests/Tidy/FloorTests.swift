import TestSupport
import Testing

/// Folders are floors: a file names no type of a folder above its own.
@Suite(.computes) struct FloorTests {
    @Test func everyTargetWithFoldersIsListed() {
        var folders: [String: Set<Substring>] = [:]
        for source in TidySource.all {
            guard let target = source.target, let end = source.path.lastIndex(of: "/") else {
                continue
            }
            folders[target, default: []].insert(source.path[..<end])
        }
        let listed = Set(Floors.all.map(\.target))
        #expect(listed.contains("HaloProtocol"))
        #expect(folders.filter { $1.count > 1 && !listed.contains($0) }.keys.sorted() == [])
    }

    /// A group depends on those above it, and no group on one below.
    @Test func groupsKeepTheirArrows() {
        let below: [String: Set<String>] = [
            "Core": [], "Captures": ["Core"], "Backends": ["Core"],
            "Virtual": ["Core", "Captures", "Backends"], "Testing": ["Core", "Captures"],
            "Foundation": ["Core", "Captures"], "Health": ["Core"],
            "Program": ["Core", "Captures", "Backends", "Virtual", "Health"],
        ]
        var groups: [String: String] = [:]
        for source in TidySource.all {
            if let target = source.target, let group = source.group { groups[target] = group }
        }
        #expect(Set(groups.values) == Set(below.keys))
        for source in TidySource.all {
            guard let group = source.group else { continue }
            for line in source.code where line.contains("import ") {
                let module = String(line.split(separator: " ").last ?? "")
                guard let other = groups[module], other != group else { continue }
                #expect(below[group]?.contains(other) == true, "\(source.path) imports \(module)")
            }
        }
    }

    @Test(arguments: Floors.all)
    func foldersAreThoseThatAreListed(_ floors: Floors) {
        #expect(floors.difference(from: TidySource.all) == [])
    }

    @Test(arguments: Floors.all)
    func noFileNamesATypeOfAFloorAboveIt(_ floors: Floors) {
        #expect(floors.arrowsUpwards(in: TidySource.all) == [])
    }

    private let floors = Floors(target: "House", folders: ["Cellar", "Cellar/Wine", "Attic"])
    private let attic = TidySource(
        "Sources/Old/House/Attic/Roof.swift",
        holding: "public struct Roof {\n    let wine: Wine\n}")
    private let wine = TidySource(
        "Sources/Old/House/Cellar/Wine/Wine.swift", holding: "enum Wine {}")

    private func arrows(from text: String) -> [String] {
        let cellar = TidySource("Sources/Old/House/Cellar/Cask.swift", holding: text)
        return floors.arrowsUpwards(in: [cellar, wine, attic])
    }

    @Test(arguments: [
        "let roof: Roof", "struct Cask: Roof {", "let text = \"a \\(Roof(1).name) b\"",
        "f(x, [Roof.self])", "extension Roof {", "let a = \"\\\\\"; Roof()",
    ])
    func arrowsUpwardsAreSeen(_ text: String) {
        #expect(
            arrows(from: text) == [
                "Sources/Old/House/Cellar/Cask.swift names Roof of Attic/, which lies above Cellar/"
            ])
    }
}

extension Floors: CustomTestStringConvertible {
    var testDescription: String { target }
}
