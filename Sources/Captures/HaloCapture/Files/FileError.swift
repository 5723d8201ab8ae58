/// An error of a file.
public struct FileError: Error, Hashable, Sendable {
    /// A failed operation; a list that can grow.
    public struct Operation: Hashable, Sendable, CustomStringConvertible {
        /// The failure in words.
        public let description: String

        /// Opening the file for reading.
        public static let open = Operation(description: "cannot be opened")
        /// Reading the file.
        public static let read = Operation(description: "cannot be read")
        /// Creating the file.
        public static let create = Operation(description: "cannot be created")
        /// Writing the file.
        public static let write = Operation(description: "cannot be written")
    }

    /// The path of the file; escaped if it is not UTF-8.
    public var path: String { location.text }
    /// The operation that failed.
    public let operation: Operation
    /// The file offset of the failure, in bytes.
    public let offset: Int
    /// The reason, in the system's words or in this package's.
    public let reason: String

    let location: FilePath

    package init(_ operation: Operation, _ path: String, at offset: Int = 0, reason: String) {
        self.init(operation, FilePath(path), at: offset, reason: reason)
    }

    package init(_ operation: Operation, _ path: FilePath, at offset: Int = 0, reason: String) {
        location = path
        self.operation = operation
        self.offset = offset
        self.reason = reason
    }
}

extension FileError: CustomStringConvertible {
    /// One sentence, preceded by the file; safe for a terminal.
    public var description: String {
        let position = offset > 0 ? " at byte \(offset)" : ""
        return "\(location.quoted) \(operation)\(position): \(reason)"
    }
}
