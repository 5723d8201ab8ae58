import HaloCapture

extension FileReadingError {
    /// Does what may find something wrong in a file, and says that it is the content's fault.
    static func asContent(_ body: () throws(Content) -> Void) throws(FileReadingError) {
        do throws(Content) {
            try body()
        } catch {
            throw .content(error)
        }
    }
}
