/// Why a file was not read to its end: because of the file, or of what stands in it.
public enum FileReadingError<Content: Error>: Error {
    /// The file cannot be read.
    case file(FileError)
    /// Who read it found something wrong.
    case content(Content)
}
