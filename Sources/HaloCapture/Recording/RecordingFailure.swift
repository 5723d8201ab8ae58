/// Why a recorder has stopped; what was recorded with it goes on.
public struct RecordingFailure: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The file cannot be written; ``RecordingFailure/file`` says why.
        public static let file = Kind(code: 0)
        /// More came than was written or taken in time.
        public static let overloaded = Kind(code: 1)
        /// It took longer than a capture can: some 31 years.
        public static let tooLong = Kind(code: 2)
    }

    /// What went wrong.
    public let kind: Kind
    /// What is the matter with the file.
    public let file: FileError?

    init(_ kind: Kind, _ file: FileError? = nil) {
        self.kind = kind
        self.file = file
    }
}

extension RecordingFailure: CustomStringConvertible {
    /// Why nothing more is recorded, as one sentence.
    public var description: String { file.map { "\($0)" } ?? "\(kind)" }
}

extension RecordingFailure.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .file: "the file cannot be written"
        case .overloaded: "more was recorded than could be written in time"
        case .tooLong: "the recording takes longer than a capture can"
        default: "nothing more can be recorded"
        }
    }
}
