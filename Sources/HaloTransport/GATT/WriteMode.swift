/// How a value is written.
public enum WriteMode: Hashable, Sendable, CaseIterable {
    /// The device answers, with yes or an error.
    case withResponse
    /// Nobody answers: the value is on its way when the backend has room for the next one.
    case withoutResponse
}
