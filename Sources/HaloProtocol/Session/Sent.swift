/// What comes of a request that rings do not answer: it was sent, and its time has passed.
public struct Sent: Hashable, Sendable {
    init() {}
}
