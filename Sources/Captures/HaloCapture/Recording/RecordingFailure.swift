/// The reason why a recorder has stopped. The recorded traffic continues.
public struct RecordingFailure: Error, Hashable, Sendable {
    /// A kind of failure; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The failure in words.
        public let description: String

        /// The file cannot be written, for the reason in ``RecordingFailure/file``.
        public static let file = Kind(description: "the file cannot be written")
        /// Too much text was queued: the file is slower than the traffic.
        public static let overloaded = Kind(
            description: "more was recorded than could be written in time")
        /// The recording exceeds the maximum length of a capture: some 31 years.
        public static let tooLong = Kind(
            description: "the recording takes longer than a capture can")
    }

    /// The kind of failure.
    public let kind: Kind
    /// The error of the file; `nil` for other kinds.
    public let file: FileError?

    init(_ kind: Kind, _ file: FileError? = nil) {
        self.kind = kind
        self.file = file
    }
}

extension RecordingFailure: CustomStringConvertible {
    /// The reason as one sentence.
    public var description: String { file.map { "\($0)" } ?? "\(kind)" }
}
