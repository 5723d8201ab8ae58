/// Tells a person at a terminal how far a long reading is.
struct FileProgress {
    private let verb: String
    private var shown = -1

    /// Files that are shorter are read before anybody wonders.
    private static let leastLength = 32 << 20

    init(_ verb: String) {
        self.verb = verb
    }

    /// Shows how much of a file is done.
    mutating func show(_ offset: Int, of length: Int, _ console: inout Console) {
        guard length >= Self.leastLength else { return }
        let percent = Int(Double(offset) / Double(length) * 100)
        guard percent != shown else { return }
        shown = percent
        console.showProgress("\(verb): \(percent) %")
    }

    /// Removes what was shown.
    mutating func end(_ console: inout Console) {
        if shown >= 0 { console.showProgress("") }
        shown = -1
    }
}
