#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A descriptor that the daemon gave, to be made a socket of outside of the session. Nobody has to
/// close it: when nobody holds it, it is closed (pitfall 22: bleak#1698).
struct LinkSocketOffer: Sendable {
    /// Who it is for.
    let link: LinkNumber
    /// Numbers the sockets.
    let number: UInt64
    /// What came with the daemon's answer.
    let descriptors: DBusDescriptors
    /// Which one it is.
    let place: DBusValue
}

/// A socket as the session knows it.
protocol LinkSocket: AnyObject, Sendable {
    /// Sends a packet; says whether the system has taken it.
    func send(_ packet: [UInt8], completion: @escaping @Sendable (Bool) -> Void)
    /// Ends it.
    func close()
}

/// The sockets of one link.
struct LinkSockets: Sendable {
    /// What a socket is for.
    enum Purpose: Hashable, Sendable {
        case values(AttributeID)
        case writes(AttributeID)
    }

    /// A socket that the daemon gave.
    struct Entry: Sendable {
        let purpose: Purpose
        let path: DBusObjectPath
        /// The length of packets, as the daemon gave it.
        let length: Int
        /// The socket, when it was made.
        var socket: (any LinkSocket)?
    }

    /// For how long a daemon may not have noticed that a socket was closed.
    private static let releaseTime: Duration = .seconds(2)

    var entries: [UInt64: Entry] = [:]
    var releasedAt: Moment?
    /// How many writes without response each characteristic had, one after the other; nothing for
    /// those that are never written through a socket.
    var commands: [AttributeID: Int?] = [:]

    /// Whether there is none from which values may come.
    var isEmpty: Bool {
        !entries.values.contains { if case .values = $0.purpose { true } else { false } }
    }

    /// The lengths of packets.
    var lengths: [Int] { entries.values.map(\.length) }

    /// Whether one was closed a moment ago.
    func wasReleased(_ now: Moment) -> Bool {
        releasedAt.map { now.duration(since: $0) < Self.releaseTime } ?? false
    }

    /// The number of the socket for something.
    func number(for purpose: Purpose) -> UInt64? {
        entries.first { $0.value.purpose == purpose }?.key
    }
}
#endif
