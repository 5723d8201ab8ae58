/// What is remembered of a link in the air.
struct RadioState: Sendable {
}
