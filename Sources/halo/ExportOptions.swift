import HaloCapture

/// What `halo export` was asked to do.
struct ExportOptions {
    var format: ExportFormat?
    var output: String?
    var input: String?
    var isJSON = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var words: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--as":
                let name = try rest.value(of: argument)
                guard let format = ExportFormat(rawValue: name) else {
                    throw UsageError(reason: "'\(name)' is no format to export to")
                }
                self.format = format
            case "--out": output = try rest.value(of: argument)
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
        guard !wantsHelp else { return }
        input = try UsageError.onlyFile(words)
        guard output != nil else { throw UsageError(reason: "--out FILE is missing") }
        guard format != nil else { throw UsageError(reason: "--as FORMAT is missing") }
    }
}
