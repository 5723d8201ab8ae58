#if os(Linux)
extension SystemSocket {
    /// What came out of reading or writing once.
    enum Outcome {
        /// So many bytes.
        case bytes(Int)
        /// It would have to wait.
        case later
        /// The other side is gone, or something broke; in the system's words.
        case ended(String?)
    }
}
#endif
