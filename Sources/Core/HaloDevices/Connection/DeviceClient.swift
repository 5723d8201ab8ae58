internal import HaloProtocol
internal import HaloTransport

/// The part of a ``DeviceConnection`` for one kind of device: the steps of preparing a link, and
/// the values that the device sends.
///
/// A client is a value, used in turns of the loop. It acts on the context of each call.
protocol DeviceClient: Sendable {
    associatedtype Channel: Hashable, Sendable
    associatedtype Step: Hashable, Sendable = Never
    typealias Context = ClientContext<Self>

    /// The steps after which the device accepts requests.
    var preparation: [PreparationStep<Self>] { get }
    /// Receives the services; throws if the device is of another kind.
    mutating func found(_ services: [GATTService]) throws(DeviceError)
    func source(of channel: Channel) -> GATTCharacteristic?

    /// Returns the deadline of one of the client's own steps, at most that of the attempt; `nil` to
    /// skip the step.
    func limit(of step: Step, before deadline: Moment, at now: Moment) -> Moment?
    /// Begins a step, which ``ClientContext/endStep()`` ends.
    mutating func start(_ step: Step, _ context: inout Context)
    /// Ends a step that has timed out; returns `false` to skip the steps that are left.
    mutating func timedOut(_ step: Step, _ context: inout Context) -> Bool

    /// The function of the app that the step under way waits for; `nil` for none.
    var appTask: AppTask? { get }
    /// Handles the end of such a function, which may be of an earlier step.
    mutating func ended(_ task: AppTask, isDone: Bool, _ context: inout Context)

    /// Handles a new link, or services that have changed while the link is prepared.
    mutating func linkOpened(_ context: inout Context)
    /// Handles the end of the preparation: the device accepts requests.
    mutating func ready(_ context: inout Context)
    /// Handles the beginning of a rediscovery of the services. Until ``resumed(_:)`` no request can
    /// be sent.
    mutating func suspended(_ context: inout Context)
    mutating func resumed(_ context: inout Context)
    /// Handles the end of the link or of an attempt to connect. `end` is the end of all loops if no
    /// further attempt follows.
    mutating func linkEnded(
        _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context)
    /// Handles the end of the connection: all loops end.
    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context)

    mutating func receive(
        _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context)
    /// The next moment at which to call ``tick(_:)``; `nil` for none.
    var deadline: Moment? { get }
    /// Handles the deadline; the call may be early.
    mutating func tick(_ context: inout Context)

    /// The channels whose subscriptions exist only during loops.
    static var onDemand: [Channel] { get }
    /// Returns `true` if there is a loop over an on-demand channel.
    func isWanted(_ channel: Channel) -> Bool
    mutating func subscribed(to channel: Channel, at now: Moment)
    mutating func unsubscribed(from channel: Channel)
    mutating func refused(
        _ channel: Channel, _ error: DeviceError, _ context: inout Context)
}

extension DeviceClient {
    var appTask: AppTask? { nil }
    mutating func ended(_ task: AppTask, isDone: Bool, _ context: inout Context) {}
    mutating func ready(_ context: inout Context) {}
    var deadline: Moment? { nil }
    mutating func tick(_ context: inout Context) {}
    mutating func linkOpened(_ context: inout Context) {}
    mutating func suspended(_ context: inout Context) {}
    mutating func resumed(_ context: inout Context) {}
    static var onDemand: [Channel] { [] }
    func isWanted(_ channel: Channel) -> Bool { false }
    mutating func subscribed(to channel: Channel, at now: Moment) {}
    mutating func unsubscribed(from channel: Channel) {}
    mutating func refused(
        _ channel: Channel, _ error: DeviceError, _ context: inout Context
    ) {}
}

extension DeviceClient where Step == Never {
    func limit(of step: Never, before deadline: Moment, at now: Moment) -> Moment? {}
    mutating func start(_ step: Never, _ context: inout Context) {}
    mutating func timedOut(_ step: Never, _ context: inout Context) -> Bool {}
}
