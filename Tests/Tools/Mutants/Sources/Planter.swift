/// Writes mutants into a source, each behind a switch that is read at run time.
///
/// Mutants nest as the syntax does: a constant in a comparison in a statement. The original keeps
/// the switches of the mutants in it. The replacement needs none, since one mutant is on at a time.
struct Planter {
    /// The name of the switch in the planted sources.
    static let name = "haloMutant"

    private let source: [UInt8]
    private let mutants: [(number: Int, mutant: Mutant)]

    /// A file with the mutants that are to be planted in it.
    init(_ source: [UInt8], _ mutants: [(number: Int, mutant: Mutant)]) {
        self.source = source
        self.mutants = mutants.sorted { $0.mutant.order < $1.mutant.order }
    }

    /// The source with all mutants in it.
    func planted() -> String {
        var next = 0
        return text(of: 0..<source.count, &next)
    }

    private func text(of range: Range<Int>, _ next: inout Int) -> String {
        var text = ""
        var place = range.lowerBound
        while next < mutants.count, mutants[next].mutant.range.upperBound <= range.upperBound {
            let (number, mutant) = mutants[next]
            guard mutant.range.lowerBound >= place else { break }
            text += plain(place..<mutant.range.lowerBound)
            next += 1
            let rest = self.text(of: mutant.range, &next)
            text += Self.choice(number, mutant.form, rest)
            place = mutant.range.upperBound
        }
        return text + plain(place..<range.upperBound)
    }

    private func plain(_ range: Range<Int>) -> String {
        String(decoding: source[range], as: UTF8.self)
    }

    private static func choice(_ number: Int, _ form: Mutant.Form, _ rest: String) -> String {
        switch form {
        case .instead(let other): "(\(name)(\(number)) ? \(other) : \(rest))"
        case .leftOut: "if !\(name)(\(number)) { \(rest) }"
        case .inserted(let statement): "if \(name)(\(number)) { \(statement) }; \(rest)"
        }
    }

    /// The numbers of the mutants in a line of planted source.
    static func numbers(in line: Substring) -> [Int] {
        line.ranges(of: "\(name)(").compactMap { range in
            Int(line[range.upperBound...].prefix { $0.isNumber })
        }
    }
}
