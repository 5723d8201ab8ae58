#if os(Linux)
internal import HaloTransport

/// What the radio of a fake adapter can meet: a device of this program, or what another program
/// has registered with the daemon.
///
/// Rules:
/// - It is brought to life once, and says from then on what it does; at once or later, from any
///   thread. Nothing is asked of it while anything is locked, and it locks nothing while it says
///   something.
/// - One central at a time is connected to it. Who is connected to whom, the daemon keeps.
/// - Every read, every write with a response and every subscription is completed once, or never:
///   the daemon waits as long as Bluetooth does, and then ends the link.
/// - What a central may ask by the properties of a characteristic, the daemon has looked at; the
///   remote looks again, as devices do.
protocol FakeRemote: AnyObject, Sendable {
    /// What it consists of, without the services that every device has (1800 and 1801).
    var services: [GATTService] { get }

    /// Brings it to life. It says what it advertises, if anything, by an event.
    func start(_ events: @escaping @Sendable (FakeRemoteEvent) -> Void)

    /// A central is there.
    func connect(_ link: FakeRemoteLink)

    /// The central has gone, or the link is lost; all its subscriptions with it.
    func disconnect()

    /// A central reads from a place on; the answer is all the rest of the value.
    func read(
        _ attribute: AttributeID, from offset: Int,
        completion: @escaping @Sendable (Result<[UInt8], ATTError>) -> Void)

    /// A central writes from a place on; a long value comes whole, as the daemon puts its pieces
    /// together. Without a response nobody hears the answer, but it is to be given when there is
    /// room for the next one.
    func write(
        _ value: [UInt8], to attribute: AttributeID, from offset: Int, _ mode: WriteMode,
        completion: @escaping @Sendable (ATTError?) -> Void)

    /// A central wants, or no longer wants, the values of a characteristic as they come.
    func setNotify(
        _ attribute: AttributeID, isOn: Bool,
        completion: @escaping @Sendable (ATTError?) -> Void)

    /// The central has an indicated value.
    func confirm(_ attribute: AttributeID)

    /// It is out of reach for good: nothing is asked of it any more.
    func stop()
}

/// What a remote does by itself.
enum FakeRemoteEvent: Sendable {
    /// Advertises from now on with this, or not at all. While a central is connected to it, the
    /// daemon takes it as silent.
    case advertise(PeripheralAdvertisement?)
    /// Sends a value.
    case notify(AttributeID, [UInt8])
    /// Sends a value that is to be confirmed.
    case indicate(AttributeID, [UInt8])
    /// Has other services than before.
    case servicesChanged
    /// Ends the link.
    case disconnect
    /// Is there no longer.
    case gone
}

/// The link on which a central meets a remote.
struct FakeRemoteLink: Hashable, Sendable {
    /// The address of the central: that of its adapter.
    let centralAddress: String
    /// The longest packet of the attribute protocol, as the two have agreed.
    let mtu: Int
    /// Whether the central is answered for a program before the program has answered.
    var answersForPrograms = false
    /// How long it takes until the remote's daemon says that the central is there.
    var meeting: Duration = .zero
    /// Tells it from those before and after.
    var number: UInt64 = 0

    /// The longest value in one packet.
    var maximumLength: Int { max(mtu - Self.packetHeader, 0) }

    private static let packetHeader = 3
}
#endif
