/// An input that is not hexadecimal bytes.
struct UnreadableInput: Error {
    let reason: String
}
