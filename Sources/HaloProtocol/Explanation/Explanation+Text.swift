#if !hasFeature(Embedded)
extension Explanation: CustomStringConvertible {
    /// A table: a line for each field with its place, its bytes, its name and its meaning.
    public var description: String {
        var lines = [heading]
        for row in ExplanationTable(self).rows {
            let cells = row.name == "" ? [] : [row.name] + (row.meaning == "" ? [] : [row.meaning])
            let text = ([row.place, row.bytes] + cells).joined(separator: "  ")
            lines.append("  " + TextColumns.trimmed(text))
        }
        if let problem { lines.append("  error: \(problem)") }
        return lines.joined(separator: "\n")
    }

    /// The packet's name and what it is.
    public var heading: String {
        packet.map { "\($0): \(title)" } ?? title
    }
}
#endif
