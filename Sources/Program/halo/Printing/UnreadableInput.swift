struct UnreadableInput: Error {
    let reason: String
}
