internal import HaloProtocol
internal import HaloTransport

/// Where a replay is on one link.
struct ReplayState: Sendable {
    /// What was recorded after one request, being played.
    struct Track: Sendable {
        /// Which of the index's tracks.
        let number: Int
        /// The next reaction of it.
        var next = 0
        /// What the recorded times count from here.
        let base: Moment
        /// The recorded moment that is played at ``base``.
        let recordedBase: Moment
        /// The request to be answered, if an answer is wanted.
        let token: ResponseToken?
        /// From where on a value was asked for.
        var offset = 0
        /// Frames of these opcodes are not sent any more.
        var silenced: [UInt8] = []
    }

    /// What the smallest MTU leaves for a value.
    static let leastLength = 20

    /// Which conversation of the recording this is; nothing if the recording has no more.
    var conversation: Int?
    /// What is being played.
    var tracks: [Track] = []
    /// Which values the client wants.
    var subscribed: Set<AttributeID> = []
    /// Reactions that wait for the client to subscribe.
    var held: [Int] = []
    /// How long a value can be on this link.
    var maximumLength = leastLength
    /// What was read last of each attribute: for who reads on.
    var lastRead: [AttributeID: [UInt8]] = [:]
    /// Nothing is sent before this: enough was sent at once.
    var resumes: Moment?
}
