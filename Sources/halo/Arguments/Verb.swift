import HaloSimulator

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
#if os(Linux)
import HaloBlueZ
import HaloDBus
#endif

/// A verb of the command line, with the options of one call.
///
/// A verb has its options and its work. ``start(_:_:)`` has what all verbs share: `--help`, and
/// the answer to wrong usage.
protocol Verb: Sendable {
    /// The word on the command line.
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// The forms of the command line, a line each.
    static var synopsis: String { get }
    /// The help text below the synopsis.
    static var details: String { get }
    /// The command that prints the help text.
    static var helpCommand: String { get }

    /// The verb that these arguments mean, if it shares its name with others.
    static func variant(for arguments: [String]) -> any Verb.Type

    /// Reads the options to their end.
    init(_ arguments: inout ArgumentReader) throws(ArgumentError)

    /// Does the work.
    func run(_ console: inout Console) async -> ExitStatus
}

extension Verb {
    static var helpCommand: String { "halo help \(name)" }

    /// The synopsis and the details.
    static var usage: String { "usage: \(synopsis)\n\n\(details)\n" }

    static func variant(for arguments: [String]) -> any Verb.Type { Self.self }

    /// Reads the options and runs the verb, or prints its help text, or refuses wrong usage.
    static func start(_ arguments: [String], _ console: inout Console) async -> ExitStatus {
        console.verb = name
        do throws(ArgumentError) {
            var reader = ArgumentReader(arguments)
            return try await Self(&reader).run(&console)
        } catch {
            switch error {
            case .helpRequested:
                console.write(usage)
                return .success
            case .wrongUsage(let reason):
                console.report(reason)
                console.writeError("usage: \(synopsis)\n'\(helpCommand)' says more.")
                return .wrongUsage
            }
        }
    }
}

/// The reason why a verb does not run with its arguments.
enum ArgumentError: Error {
    /// `--help` was met.
    case helpRequested
    /// The arguments are wrong, for this reason.
    case wrongUsage(String)

    /// There is no such option.
    static func unknown(_ argument: String) -> ArgumentError {
        .wrongUsage("there is no option '\(argument)'")
    }
}

/// The arguments of a verb, read from left to right.
struct ArgumentReader {
    /// The arguments that are not options, and stand before `--`.
    private(set) var words: [String] = []
    /// The arguments behind `--`, or `nil` without it.
    private(set) var command: [String]?

    private var rest: ArraySlice<String>
    private var seen: Set<String> = []

    init(_ arguments: [String]) {
        rest = arguments[...]
    }

    /// Returns the next option, or `nil` after the last one. Sets other arguments aside.
    mutating func next() throws(ArgumentError) -> String? {
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": throw .helpRequested
            case "--":
                command = Array(rest)
                rest = []
            case _ where argument.hasPrefix("--"): return argument
            default: words.append(argument)
            }
        }
        return nil
    }

    // MARK: Values

    /// Returns the value of an option that can be repeated.
    mutating func repeatedValue(of option: String) throws(ArgumentError) -> String {
        guard let value = rest.popFirst() else { throw .wrongUsage("\(option) takes a value") }
        return value
    }

    /// Returns the value of an option; a second value is an error.
    mutating func value(of option: String) throws(ArgumentError) -> String {
        guard seen.insert(option).inserted else {
            throw .wrongUsage("\(option) can be given only once")
        }
        return try repeatedValue(of: option)
    }

    /// Returns the value of an option that takes one of some names.
    mutating func value<Value>(
        of option: String, from names: [String], _ value: (String) -> Value?
    ) throws(ArgumentError) -> Value {
        try Self.value(self.value(of: option), of: option, from: names, value)
    }

    /// Returns the value with a name, which is one of some names.
    static func value<Value>(
        _ name: String, of option: String, from names: [String], _ value: (String) -> Value?
    ) throws(ArgumentError) -> Value {
        guard let value = value(name) else {
            let list = names.joined(separator: ", ")
            throw .wrongUsage("\(option) takes one of \(list), not '\(name)'")
        }
        return value
    }

    /// Returns the value of an option that takes a whole number within limits.
    mutating func number(
        of option: String, in limits: ClosedRange<Int>
    ) throws(ArgumentError) -> Int {
        let text = try value(of: option)
        guard let number = Int(text), limits ~= number else {
            let (least, most) = (limits.lowerBound, limits.upperBound)
            let range = most == .max ? "from \(least) on" : "from \(least) to \(most)"
            throw .wrongUsage("\(option) takes a whole number \(range), not '\(text)'")
        }
        return number
    }

    /// Returns the value of an option that takes the seed of random numbers.
    mutating func seed(of option: String) throws(ArgumentError) -> UInt64 {
        let text = try value(of: option)
        guard let seed = UInt64(text) else {
            throw .wrongUsage("\(option) takes a whole number from 0 to 2⁶⁴−1, not '\(text)'")
        }
        return seed
    }

    // MARK: Words

    /// Returns the only file among the arguments.
    func file() throws(ArgumentError) -> String {
        let files = words + (command ?? [])
        guard let file = files.first, file != "" else { throw .wrongUsage("a file is missing") }
        guard files.count == 1 else {
            throw .wrongUsage("one file at a time, not '\(files[1])' as well")
        }
        return file
    }

    /// Refuses arguments that are not options.
    func refuseWords() throws(ArgumentError) {
        if let word = words.first { throw .unknown(word) }
    }

    /// Refuses arguments that are not options, and `--`.
    func refuseWordsAndCommand() throws(ArgumentError) {
        try refuseWords()
        if command != nil { throw .unknown("--") }
    }

    /// Refuses to write a file over the one that it is made of, also through links.
    static func check(_ output: String, differsFrom input: String) throws(ArgumentError) {
        var (one, other) = (stat(), stat())
        let isSame =
            output == input
            || stat(output, &one) == 0 && stat(input, &other) == 0
                && one.st_dev == other.st_dev && one.st_ino == other.st_ino
        if isSame { throw .wrongUsage("a file is not written over the one that it is made of") }
    }
}

extension RingProfile {
    /// The models as options name them.
    static let modelNames = all.map { $0.model.lowercased() }

    /// The profile of a model, in upper or lower case.
    static func named(_ model: String) -> RingProfile? {
        all.first { $0.model.lowercased() == model.lowercased() }
    }
}

#if os(Linux)
extension BlueZOptions {
    /// The options for an adapter and the address of a bus.
    init(adapter: String?, busAddress: String?) throws(ArgumentError) {
        self.init(adapter: adapter)
        guard let busAddress else { return }
        bus = try mapError({ (error: DBusAddressError) -> ArgumentError in
            .wrongUsage(
                "--bus takes the address of a bus, as unix:path=FILE, not '\(busAddress)': \(error)"
            )
        }) { () throws(DBusAddressError) in try DBusAddress.list(busAddress) }
    }
}
#endif
