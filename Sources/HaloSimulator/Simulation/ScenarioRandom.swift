import HaloTransport

/// What a scenario leaves to chance.
struct ScenarioRandom: Sendable {
    private var numbers: SplitMix

    init(seed: UInt64) {
        numbers = SplitMix(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 on that is less than a bound; 0 if the bound is not positive.
    mutating func below(_ bound: Int) -> Int {
        bound > 0 ? numbers.number(in: 0...(bound - 1)) : 0
    }

    /// A number of a range.
    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Whether something happens that happens so many times in a hundred.
    mutating func happens(inHundred chance: Int) -> Bool { below(100) < chance }

    /// One of several; nothing if there is none.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
