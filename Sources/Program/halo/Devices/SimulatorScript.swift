import HaloCapture

struct ScriptedCommand: Hashable, Sendable {
    /// The time from the start of the device; `nil` for a command that acts at once.
    var time: Duration?
    let command: SimulatorCommand
    var percent: Int?
}

/// The commands for a simulated device as text: `10s take-off; 30s put-on`.
///
/// A line end or `;` ends a command, and `#` begins a comment. A time before a command counts from
/// the start of the device.
struct SimulatorScript {
    struct Problem: Error, Hashable {
        /// The 1-based number of the line.
        let line: Int
        /// The 1-based number of the character.
        let column: Int
        let message: String

        func text(in file: String) -> String {
            "\(file), line \(line), column \(column): \(message)"
        }
    }

    /// The device in a sentence, with its article.
    let device: String
    let known: [SimulatorCommand]

    /// The longest line of standard input, in bytes.
    static let lineLimit = 4096
    /// The most commands that wait for their time, and the most of a file.
    static let commandLimit = 1000
    private static let fileLimit = 1 << 18

    private struct Word {
        let text: String
        let line: Int
        let column: Int

        func problem(_ message: String) -> Problem {
            Problem(line: line, column: column, message: message)
        }
    }

    func commands(of path: FilePath) throws(Failure) -> [ScriptedCommand] {
        let bytes = try mapError(Failure.init) { () throws(FileError) in try Self.read(path) }
        guard let bytes else {
            throw Failure(
                .unusable, "\(path.quoted): a script has at most \(Self.fileLimit) bytes")
        }
        var commands: [ScriptedCommand] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            do throws(Problem) {
                commands += try self.commands(ofLine: Array(line), number: index + 1)
                guard commands.count <= Self.commandLimit else {
                    throw Problem(
                        line: index + 1, column: 1,
                        message: "a script has at most \(Self.commandLimit) commands")
                }
            } catch {
                throw .wrongUsage(error.text(in: path.quoted))
            }
        }
        return commands
    }

    /// Returns the content of a file or a pipe; `nil` if it is too long.
    private static func read(_ path: FilePath) throws(FileError) -> ContiguousArray<UInt8>? {
        let input =
            if let pipe = try OpenFile(pipe: path) { FileInput(pipe) } else {
                try FileInput(path)
            }
        return input.length <= fileLimit ? try input.read(0..<input.length) : nil
    }

    func commands(
        ofLine bytes: [UInt8], number: Int
    ) throws(Problem) -> [ScriptedCommand] {
        let line = String(decoding: bytes, as: UTF8.self).prefix { $0 != "#" }
        var commands: [ScriptedCommand] = []
        var column = 1
        for part in line.split(separator: ";", omittingEmptySubsequences: false) {
            let words = part.split(whereSeparator: \.isWhitespace).map { text in
                Word(
                    text: String(text), line: number,
                    column: column + part[..<text.startIndex].count)
            }
            if let command = try command(words) { commands.append(command) }
            column += part.count + 1
        }
        return commands
    }

    private func command(_ words: [Word]) throws(Problem) -> ScriptedCommand? {
        var rest = words[...]
        guard let first = rest.first else { return nil }
        var time: Duration?
        if let character = first.text.first, character.isNumber || "+-.".contains(character) {
            time = TimeNotation.duration(first.text)
            guard time != nil else {
                throw first.problem("a time looks like \(TimeNotation.words), not '\(first.text)'")
            }
            rest.removeFirst()
        }
        guard let word = rest.popFirst() else {
            throw first.problem("there is no command after '\(first.text)'")
        }
        guard let command = known.first(where: { $0.word == word.text.lowercased() }) else {
            let refusal = Choice.refusal(of: word.text, among: known.map(\.word))
            throw word.problem("\(device) takes \(refusal)")
        }
        var percent: Int?
        if command.takesPercent {
            let number = rest.popFirst() ?? word
            percent = Int(number.text)
            guard let percent, 0...100 ~= percent else {
                throw number.problem(
                    "\(command.word) takes a whole number from 0 to 100, as in "
                        + "'\(command.word) 20'")
            }
        }
        if let extra = rest.first {
            throw extra.problem("unexpected argument '\(extra.text)'; ';' separates commands")
        }
        return ScriptedCommand(time: time, command: command, percent: percent)
    }
}
