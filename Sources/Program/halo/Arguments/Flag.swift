struct Flag: VerbOption {
    let facts: OptionFacts

    init(_ name: String, letter: Character? = nil, _ help: String) {
        facts = OptionFacts(
            name: name, letter: letter, value: .none, isRepeatable: false, help: help)
    }
}
