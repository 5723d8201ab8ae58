/// A connection attempt.
struct AirAttempt {
    let central: CentralNumber
    let tag: UInt64
}
