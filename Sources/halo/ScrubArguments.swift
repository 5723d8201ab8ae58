import HaloCapture

/// What `halo scrub` was asked to do.
struct ScrubArguments {
    var input = ""
    var output: String?
    var seed: UInt64?
    var kept: Set<ScrubKind> = []
    var isJSON = false
    var wantsHelp = false

    private static let ending = ".halo"

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        var words: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--out": output = try given.value(of: argument, &rest)
            case "--seed":
                let text = try given.value(of: argument, &rest)
                guard let number = UInt64(text) else {
                    throw UsageError(reason: "--seed needs a number, and '\(text)' is none")
                }
                seed = number
            case "--keep": try keep(try rest.value(of: argument))
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            case "--":
                words += rest
                rest = []
            case _ where argument.hasPrefix("--"):
                throw .unknown(argument)
            default: words.append(argument)
            }
        }
        if wantsHelp { return }
        guard let word = words.first, words.count == 1, word != "" else {
            throw UsageError(reason: words.count > 1 ? "one file at a time" : "a file is missing")
        }
        input = word
    }

    /// Where the scrubbed capture goes: beside the other one, unless it was said.
    var outputPath: String {
        if let output { return output }
        let stem =
            input.hasSuffix(Self.ending)
            ? String(input.dropLast(Self.ending.count)) : input
        return "\(stem).scrubbed\(Self.ending)"
    }

    private mutating func keep(_ list: String) throws(UsageError) {
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = ScrubKind(named: String(word)) else {
                throw UsageError(reason: "there is nothing called '\(word)' to keep")
            }
            kept.insert(kind)
        }
    }
}
