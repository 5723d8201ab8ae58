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
                let name = try Self.value(of: argument, &rest)
                guard let format = ExportFormat(rawValue: name) else {
                    throw UsageError(reason: "'\(name)' is no format to export to")
                }
                self.format = format
            case "--out": output = try Self.value(of: argument, &rest)
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            case "--":
                words += rest
                rest = []
            case _ where argument.hasPrefix("--"):
                throw UsageError(reason: "there is no option '\(argument)'")
            default: words.append(argument)
            }
        }
        guard !wantsHelp else { return }
        guard words.count == 1 else {
            throw UsageError(reason: words.isEmpty ? "a file is missing" : "one file at a time")
        }
        guard output != nil else { throw UsageError(reason: "--out FILE is missing") }
        guard format != nil else { throw UsageError(reason: "--as FORMAT is missing") }
        input = words.first
    }

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(reason: "\(option) needs a value")
        }
        return value
    }
}
