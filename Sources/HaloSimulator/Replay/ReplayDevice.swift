public import HaloCapture
public import HaloProtocol
public import HaloTransport

/// A device that does what a recorded one did.
///
///     let device = ReplayDevice(try Capture(contentsOf: "bug.halo"))
///     let ring = try await Ring.connect(over: VirtualBluetooth(device))
///
/// Each request of a client (a write, a read, the switching on or off of values) is looked for in
/// the recording, as ``ReplayOptions/matching`` says. What the device did after the recorded one it
/// does again, as long after the client's as it was after that one:
///
/// - Strict: all that lies between that request and the next one, in the recorded order.
/// - Lenient: what answers that request (frames of its opcode, records of its command, also when
///   other requests lie between), and what came unasked between it and the next one. A report of
///   a measurement or a workout is not sent any more once the client has ended or renewed that.
///
/// What came before the first request is sent as long after connecting. A value waits until the
/// client has subscribed to it. A read is answered with the next value that was read there, and
/// with the last one when there are no more; one that nobody answered in the recording is refused.
/// Refusals are replayed. A write that was neither acknowledged nor refused is acknowledged.
///
/// The first connection of a client is the first one of the recording, and so on; after the last
/// one a lenient replay plays the last one again, a strict one knows nothing more.
///
/// A capture without packets is a device that offers nothing. How a replay went is said by
/// ``report``, which whoever keeps what `add` gives can read:
///
///     let placed = air.add(ReplayDevice(capture))
///     print(placed.state?.report)
public struct ReplayDevice: GATTPeripheral {
    /// How it plays.
    public let options: ReplayOptions

    /// The service of characteristics that nobody knows, where the capture does not say theirs.
    public static let unknownService = BluetoothUUID(
        high: 0x4841_4C4F_0000_5250, low: 0x8B5A_0000_0000_0000)

    let recording: RecordedConversations
    let attributes: ReplayAttributes
    let index: ReplayIndex
    var edition = 0
    var state = ReplayState()
    var progress: ReplayReport
    /// Whether a request of the recording was asked.
    var isAsked: [Bool]

    /// A device that does what the recorded one did.
    public init(_ capture: Capture, _ options: ReplayOptions = .lenient) {
        self.options = options
        recording = RecordedConversations(capture, link: options.link)
        attributes = ReplayAttributes(recording)
        index = ReplayIndex(recording, options)
        progress = ReplayReport(requestCount: recording.requests.count)
        isAsked = [Bool](repeating: false, count: recording.requests.count)
    }

    /// What the device consists of.
    public var services: [GATTService] {
        edition < attributes.editions.count ? attributes.editions[edition] : []
    }

    /// How the replay went so far.
    public var report: ReplayReport {
        var report = progress
        let neverAsked = recording.requests.indices.filter { !isAsked[$0] }
        report.neverAskedCount = neverAsked.count
        report.neverAsked = neverAsked.prefix(ReplayReport.listLimit).map {
            recording.requests[$0]
        }
        return report
    }

    /// What the clock on the wall showed when the recording began, if it says so.
    public var recordedClock: WallClock? { recording.clock }

    /// Takes in one event, and puts down what the device does about it.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started: effects.append(.advertise(advertisement))
        case .woken, .changed, .confirmed: break
        case .connected: connect(at: now)
        case .disconnected: state = ReplayState()
        case .maximumLength(let length): state.maximumLength = max(length, ReplayState.leastLength)
        case .read(let id, let offset, let token):
            read(id, from: offset, token, at: now, into: &effects)
        case .write(let id, let value, let token):
            write(value, to: id, token, at: now, into: &effects)
        case .subscription(let id, let isOn):
            subscribe(id, isOn: isOn, at: now, into: &effects)
        }
        play(at: now, into: &effects)
    }
}
