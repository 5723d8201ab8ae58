#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Numbers the links of a session, and the attempts to have one.
struct LinkNumber: Hashable, Comparable, Sendable {
    let rawValue: UInt64

    static func < (one: LinkNumber, other: LinkNumber) -> Bool { one.rawValue < other.rawValue }
}

/// All links of a session, and the attempts to have one.
struct LinkTable: Sendable {
    /// Who wants the values of a characteristic.
    struct Source: Sendable {
        let link: LinkNumber
        let attribute: AttributeID
        let receiver: LinkReceiver
        /// Whether it is being read: then values wait for the answer.
        var isRead = false
        /// What came last, and when, if equal values may be left out.
        var last: (value: [UInt8], moment: Moment)?
    }

    var courses: [LinkNumber: LinkCourse] = [:]
    /// Whose link a device's is. Nobody else's is ever told.
    var byDevice: [DBusObjectPath: LinkNumber] = [:]
    /// Which characteristics were subscribed to on the present link: a daemon goes on telling the
    /// values of a link before (pitfall 10, testbed: "stays Notifying over a reconnect"), and those
    /// of others.
    var sources: [DBusObjectPath: Source] = [:]
    /// Devices that the daemon was asked to disconnect, and by which question last: what is left of
    /// those links is about to end.
    var parting: [DBusObjectPath: UInt64] = [:]
    /// Attempts whose device is still to be heard of.
    var seeking: Set<LinkNumber> = []
    var agent = PairingAgent.absent
    /// How long a device may not have answered when its link ends, for that to be the reason: a
    /// little less than the 30 seconds after which Bluetooth demands the end.
    var silence: Duration = .seconds(29)

    private var lastNumber: UInt64 = 0

    /// A number that nothing else has: of a link, of something asked for on it.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    subscript(number: LinkNumber) -> LinkCourse? {
        get { courses[number] }
        _modify { yield &courses[number] }
    }
}
#endif
