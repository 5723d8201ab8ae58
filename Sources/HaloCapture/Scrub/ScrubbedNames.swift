/// The short names of connections and characteristics, numbered in the order of their appearance.
struct ScrubbedNames: Sendable {
    private var links: [CaptureName: CaptureName] = [:]
    private var channels: [CaptureName: CaptureName] = [:]

    mutating func link(_ name: CaptureName) -> CaptureName { Self.numbered("link", name, &links) }

    /// Whether a connection of that name was met.
    func isLink(_ name: CaptureName) -> Bool { links[name] != nil }

    mutating func channel(_ name: CaptureName) -> CaptureName {
        Self.numbered("name", name, &channels)
    }

    private static func numbered(
        _ word: String, _ name: CaptureName, _ known: inout [CaptureName: CaptureName]
    ) -> CaptureName {
        if let new = known[name] { return new }
        let new = (try? CaptureName("\(word)-\(known.count + 1)")) ?? name
        known[name] = new
        return new
    }
}
