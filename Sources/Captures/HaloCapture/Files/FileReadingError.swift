/// An error that stops reading a file: of the file, or of its content.
public enum FileReadingError<Content: Error>: Error {
    /// The file cannot be read.
    case file(FileError)
    /// The content is invalid.
    case content(Content)
}
