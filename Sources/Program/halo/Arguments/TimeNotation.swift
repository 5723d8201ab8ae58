/// Times in arguments and scripts: `1m30s`.
enum TimeNotation {
    static let words = "90s, 1m30s, 2h or 500ms, at most 24h"

    private static let longest: Int64 = 86_400_000
    private static let units: [(name: Substring, milliseconds: Int64)] = [
        ("h", 3_600_000), ("m", 60_000), ("min", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Returns the duration of whole numbers with units, from the longest to the shortest, each at
    /// most once; `nil` for another text, and for a longer time.
    static func duration(_ text: some StringProtocol) -> Duration? {
        var (sum, rest, last) = (Int64(0), Substring(text), Int64.max)
        repeat {
            let digits = rest.prefix { "0"..."9" ~= $0 }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let unit = units.first(where: { $0.name == name })?.milliseconds, unit < last,
                let number = Int64(digits), number <= longest / unit
            else { return nil }
            sum += number * unit
            last = unit
        } while !rest.isEmpty
        return sum <= longest ? .milliseconds(sum) : nil
    }
}
