protocol VerbOption: Sendable {
    var facts: OptionFacts { get }
}
