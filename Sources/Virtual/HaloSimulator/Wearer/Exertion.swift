package import HaloProtocol

/// A stretch of walking, running or cycling.
package struct Exertion: Hashable, Sendable {
    package let activity: BodyActivity
    package let start: CivilDateTime
    package let minutes: Int

    package var end: CivilDateTime { start.advanced(bySeconds: 60 * minutes) }
}
