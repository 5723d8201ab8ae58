public import HaloProtocol
public import HaloTransport

/// A ring, as an app holds it.
///
///     let ring = try await Ring.connect(over: transport)
///     print(try await ring.battery())
///
/// Everything can be asked at once and from anywhere: one request at a time goes to the ring, the
/// others wait. A task that is cancelled while it waits goes on at once with
/// ``DeviceError/Kind/cancelled``. When the link is lost, what was asked ends with
/// ``DeviceError/Kind/disconnected``, and so does what is asked until it is made again; sequences
/// wait for that and go on. After ``disconnect()`` everything ends at once. A ring that nobody
/// holds any more, nor a sequence of it, is disconnected.
public final class Ring: Sendable {
    let core: RingCore

    init(_ core: RingCore) {
        self.core = core
    }

    deinit { core.disconnect() }

    /// The device at the other end, by which it can be connected to again.
    public var identity: PeripheralIdentity { core.identity }

    /// How it was connected to.
    public var options: RingOptions { core.options }

    /// The time that passes where the ring is.
    public var time: any TransportTime { core.time }

    /// How it stands with the link.
    public var connectionState: ConnectionState { core.connectionState }

    /// How it stands with the link, now and after each change, until the ring is disconnected for
    /// good.
    public var connectionStates: DeviceUpdates<ConnectionState> {
        DeviceUpdates { [self] in
            let mailbox = core.listenToStates()
            return (mailbox, { [self] in core.endListening(ObjectIdentifier(mailbox)) })
        }
    }

    /// Waits until the ring can be asked; throws if it never will be again.
    public nonisolated(nonsending) func connected() async throws(DeviceError) {
        try await core.waitUntilConnected()
    }

    /// The link as it is now, for what a ring does not offer; nothing while there is none.
    public var link: BLELink? { core.link }

    /// What the ring says that it can do, as far as it has been asked.
    public var capabilities: Capabilities { core.knowledge.capabilities }

    /// How the ring wants to be spoken to.
    public var dialect: Dialect { core.knowledge.dialect }

    /// The version of the firmware; nothing if the ring does not say, or says something else.
    public var firmware: FirmwareVersion? { core.knowledge.firmware }

    /// The version of the circuit board; nothing if the ring does not say, or says something else.
    public var hardware: HardwareVersion? { core.knowledge.hardware }

    /// What is known of the ring's clock.
    public var clock: RingClock { core.knowledge.clock }

    /// The clocks that the ring has had, the earliest first, with the one that it has: those of
    /// ``RingOptions/earlierClocks``, and those that were set since.
    ///
    /// An app that keeps them, and hands them over when it connects again, gets to know when in
    /// UTC something was stored, also where the time zone has changed since.
    public var clocks: [RingClock] { core.knowledge.clocks.clocks }

    /// What was read with the old clock, before the new one was set; nothing if the old one showed
    /// the same day, or was left.
    ///
    /// If its ``RingHistory/failures`` say that reading took too long, the new clock was not set.
    public var readBeforeClockWasSet: RingHistory? { core.knowledge.orphans }

    /// What the ring says unasked, in the order in which it does.
    public var events: DeviceUpdates<Event> {
        DeviceUpdates(gap: { .missed($0) }) { [self] in
            let mailbox = core.listenToEvents()
            return (mailbox, { [self] in core.endListening(ObjectIdentifier(mailbox)) })
        }
    }

    /// Closes the link, for good, and returns when it is closed.
    public nonisolated(nonsending) func disconnect() async {
        await core.disconnectAndWait()
    }
}

extension Ring: CustomStringConvertible {
    /// Which one it is, and how it stands with the link.
    public var description: String {
        "ring \(PrintableText.escaped(identity.rawValue.utf8)), \(connectionState)"
    }
}
