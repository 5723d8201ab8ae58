import HaloCapture

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An argument of the program as the bytes that the system has, which need not be UTF-8.
struct Argument: Hashable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(stringLiteral text: String) {
        bytes = Array(text.utf8)
    }

    /// The argument as text; bytes that are no UTF-8 are escaped.
    var text: String { path.text }

    /// The path that the argument is.
    var path: FilePath { FilePath(bytes: bytes) }

    /// `true` for `-x` and `--xyz`, but not for `-`, which is a file.
    var isOption: Bool { bytes.first == UInt8(ascii: "-") && bytes.count > 1 }

    /// The arguments of this program, without its name.
    static var ofProgram: [Argument] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
            CommandLine.unsafeArgv[index].map { Argument(bytes: FilePath(cString: $0).bytes) }
        }
    }
}

/// The arguments of a verb, read from left to right.
///
/// The value of an option is the next argument, or stands behind `=` in the same one. Only there it
/// may begin with `-`: otherwise the option before lacks its value.
struct ArgumentReader {
    /// The arguments that are not options, and stand before `--`.
    private(set) var words: [Argument] = []
    /// The arguments behind `--`, or `nil` without it.
    private(set) var command: [Argument]?

    private var rest: ArraySlice<Argument>
    private var seen: Set<String> = []
    /// The last option, if it has a value behind `=` that is not read yet.
    private var attached: (option: String, value: Argument)?

    init(_ arguments: [Argument]) {
        rest = arguments[...]
    }

    /// Returns the next option, or `nil` after the last one. Sets other arguments aside.
    mutating func next() throws(ArgumentError) -> String? {
        if let attached { throw .wrongUsage("\(attached.option) takes no value") }
        while let argument = rest.popFirst() {
            switch argument.text {
            case "--help", "-h": throw .helpRequested
            case "--":
                command = Array(rest)
                rest = []
            case let text where text.hasPrefix("--"): return option(argument)
            case let text where argument.isOption:
                throw .wrongUsage("there is no option '\(text)'; a file of this name is ./\(text)")
            default: words.append(argument)
            }
        }
        return nil
    }

    /// Returns an option without the value behind `=`.
    private mutating func option(_ argument: Argument) -> String {
        guard let index = argument.bytes.firstIndex(of: UInt8(ascii: "=")) else {
            return argument.text
        }
        let option = Argument(bytes: Array(argument.bytes[..<index])).text
        attached = (option, Argument(bytes: Array(argument.bytes[(index + 1)...])))
        return option
    }

    // MARK: Values

    /// Returns the value of an option that can be repeated.
    mutating func repeatedValue(of option: String) throws(ArgumentError) -> String {
        try argument(of: option, "a value").text
    }

    /// Returns the value of an option; a second value is an error.
    mutating func value(of option: String) throws(ArgumentError) -> String {
        try refuseRepetition(of: option)
        return try repeatedValue(of: option)
    }

    /// Returns the file of an option that can be repeated.
    mutating func repeatedFile(of option: String) throws(ArgumentError) -> FilePath {
        try argument(of: option, "a file", hint: " or ./").path
    }

    /// Returns the file of an option; a second file is an error.
    mutating func file(of option: String) throws(ArgumentError) -> FilePath {
        try refuseRepetition(of: option)
        return try repeatedFile(of: option)
    }

    private mutating func refuseRepetition(of option: String) throws(ArgumentError) {
        guard seen.insert(option).inserted else {
            throw .wrongUsage("\(option) can be given only once")
        }
    }

    private mutating func argument(
        of option: String, _ kind: String, hint: String? = nil
    ) throws(ArgumentError) -> Argument {
        if let attached {
            self.attached = nil
            return attached.value
        }
        guard let value = rest.popFirst() else { throw .wrongUsage("\(option) takes \(kind)") }
        guard !value.isOption else {
            let (text, otherwise) = (value.text, hint.map { "\($0)\(value.text)" } ?? "")
            throw .wrongUsage(
                "\(option) takes \(kind), not '\(text)'; if it is one, write "
                    + "\(option)=\(text)\(otherwise)")
        }
        return value
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
    func file() throws(ArgumentError) -> FilePath {
        let files = words + (command ?? [])
        guard let file = files.first, file != "" else { throw .wrongUsage("a file is missing") }
        guard files.count == 1 else {
            throw .wrongUsage("one file at a time, not '\(files[1].text)' as well")
        }
        return file.path
    }

    /// Refuses arguments that are not options.
    func refuseWords() throws(ArgumentError) {
        if let word = words.first { throw .unknown(word.text) }
    }

    /// Refuses arguments that are not options, and `--`.
    func refuseWordsAndCommand() throws(ArgumentError) {
        try refuseWords()
        if command != nil { throw .unknown("--") }
    }

    /// Refuses to write a file over the one that it is made of, also through links.
    static func check(
        _ output: FilePath, differsFrom input: FilePath
    ) throws(ArgumentError) {
        let isSame =
            output == input && !output.isStandard
            || {
                guard let one = status(of: output, STDOUT_FILENO),
                    let other = status(of: input, STDIN_FILENO)
                else { return false }
                return one.st_dev == other.st_dev && one.st_ino == other.st_ino
            }()
        if isSame { throw .wrongUsage("a file is not written over the one that it is made of") }
    }

    /// Returns the status of a file. A standard descriptor counts only if it is a regular file: a
    /// terminal is input and output.
    private static func status(of path: FilePath, _ descriptor: Int32) -> stat? {
        var status = stat()
        guard path.isStandard else {
            return stat(path.cString, &status) == 0 ? status : nil
        }
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? status : nil
    }
}

extension FilePath {
    /// `-`: standard input where a file is read, and standard output where one is written.
    var isStandard: Bool { bytes == [UInt8(ascii: "-")] }
}
