/// The value of a request without a reply: the request was written.
public struct Sent: Hashable, Sendable {
    init() {}
}
