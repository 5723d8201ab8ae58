package import HaloProtocol

/// A stretch of walking, running or cycling.
package struct Exertion: Hashable, Sendable {
    /// The kind of exertion.
    package let activity: BodyActivity
    package let start: CivilDateTime
    /// The length in minutes.
    package let minutes: Int

    package var end: CivilDateTime { start.advanced(bySeconds: 60 * minutes) }
}
