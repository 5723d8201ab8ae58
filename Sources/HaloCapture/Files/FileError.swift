import HaloProtocol

/// Why a file cannot be used.
public struct FileError: Error, Hashable, Sendable {
    /// What was tried; a list that can grow.
    public struct Operation: Hashable, Sendable {
        let words: String

        /// To open it for reading.
        public static let open = Operation(words: "cannot be opened")
        /// To read it.
        public static let read = Operation(words: "cannot be read")
        /// To make it.
        public static let create = Operation(words: "cannot be made")
        /// To write it.
        public static let write = Operation(words: "cannot be written")
    }

    /// The file.
    public let path: String
    /// What was tried.
    public let operation: Operation
    /// Where in the file, in bytes.
    public let offset: Int
    /// Why not, in the system's words or in this package's.
    public let reason: String

    /// Says what could not be done.
    public init(_ operation: Operation, _ path: String, at offset: Int = 0, reason: String) {
        self.path = path
        self.operation = operation
        self.offset = offset
        self.reason = reason
    }
}

extension FileError: CustomStringConvertible {
    /// One sentence, with the file before it, safe for a terminal.
    public var description: String {
        let place = offset > 0 ? " at byte \(offset)" : ""
        return "\(PrintableText.quoted(path.utf8)) \(operation)\(place): \(reason)"
    }
}

extension FileError.Operation: CustomStringConvertible {
    /// What was tried, as what cannot be done.
    public var description: String { words }
}
