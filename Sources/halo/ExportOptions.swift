import HaloCapture
import HaloTraffic

/// What `halo export` was asked to do.
struct ExportOptions {
    var format: ExportFormat?
    var output: String?
    var input: String?
    var isJSON = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given = GivenOptions()
        var words: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--as":
                let name = try given.value(of: argument, &rest)
                guard let format = ExportFormat(rawValue: name) else {
                    throw UsageError(reason: "'\(name)' is no format to export to")
                }
                self.format = format
            case "--out": output = try given.value(of: argument, &rest)
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
        guard words.count == 1 else {
            throw UsageError(reason: words.isEmpty ? "a file is missing" : "one file at a time")
        }
        guard let output else { throw UsageError(reason: "--out FILE is missing") }
        try FileIdentity.check(output, isNot: words[0])
        guard format != nil else { throw UsageError(reason: "--as FORMAT is missing") }
        input = words.first
    }
}
