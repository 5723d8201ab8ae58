/// An option of a verb.
protocol VerbOption: Sendable {
    var facts: OptionFacts { get }
}
