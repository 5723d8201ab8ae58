/// An error that stops reading a file: of the file, or of its content.
public enum FileReadingError<Content: Error>: Error {
    /// The file cannot be read.
    case file(FileError)
    /// The content is invalid.
    case content(Content)
}

@inlinable
package func mapError<Value: ~Copyable, Inner: Error, Outer: Error>(
    _ wrap: (Inner) -> Outer, _ body: () throws(Inner) -> Value
) throws(Outer) -> Value {
    do throws(Inner) {
        return try body()
    } catch {
        throw wrap(error)
    }
}
