/// A reader of the log of one program, line by line.
///
/// It accepts the forms that the program writes, and no others: a line in another form has no
/// value.
protocol LogReader: Sendable {
    static var format: TrafficFormat { get }

    init()

    /// Reads a line, without its end and without control sequences.
    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput)

    /// Ends the log. By default, it does nothing.
    mutating func finish(into output: inout LogOutput)

    /// `true` for a line without a value that only this program writes. By default, there is none.
    static func isCertain(_ line: ArraySlice<UInt8>) -> Bool
}

extension LogReader {
    static func isCertain(_ line: ArraySlice<UInt8>) -> Bool { false }

    mutating func finish(into output: inout LogOutput) {}
}
