public import HaloProtocol
public import HaloTransport

struct Inquiry<Value: Sendable>: Sendable {
    var command: FieldName
    init<Request: RequestPacket>(_ r: Request)
    where
        Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket,
        Value == Request.Owner.Reply
    { command = "" }
    init<Request: RequestPacket>(_ r: Request)
    where Request.Owner: ManyFrameCommand, Value == Request.Owner.Assembly.Reply { command = "" }
    init<Request: BigDataRequest>(_ r: Request)
    where Request.Owner: BigDataReplyCommand, Value == Request.Owner.Reply { command = "" }
}
struct Knowledge: Sendable {
    var capabilities = Capabilities(); var dialect: Dialect; var firmware: FirmwareVersion?;
    var hardware: HardwareVersion?; var clock: RingClock; var orphans: RingHistory?
}
final class StreamObserver: Sendable {
    let mailbox: Mailbox<StreamItem>; init(_ m: Mailbox<StreamItem>) { mailbox = m }
}
struct RingFinder {
    init(_ t: any BLETransport, _ o: RingOptions) {}
    nonisolated(nonsending) func find() async throws(DeviceError) -> Discovery {
        throw DeviceError(.notFound)
    }
}
final class RingCore: Sendable {
    let identity: PeripheralIdentity; let time: any TransportTime; let options: RingOptions
    init(_ i: PeripheralIdentity, _ t: any BLETransport, _ o: RingOptions) {
        identity = i; time = t.time; options = o
    }
    var connectionState: ConnectionState { .connecting }
    func listenToStates() -> Mailbox<ConnectionState> { Mailbox(limit: 1, .listens, time) }
    func listenToEvents() -> Mailbox<Ring.Event> { Mailbox(limit: 1, .listens, time) }
    func endListening<T>(_ m: Mailbox<T>, _ r: Ring) {}
    nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {}
    nonisolated(nonsending) func connect() async throws(DeviceError) {}
    var link: BLELink? { nil }
    var knowledge: Knowledge {
        Knowledge(dialect: Dialect(board: nil), clock: RingClock(secondsFromUTC: 0, wasSet: false))
    }
    func disconnect() {}
    nonisolated(nonsending) func disconnectAndWait() async {}
    nonisolated(nonsending) func ask<V>(_ i: Inquiry<V>) async throws(DeviceError) -> Answer<V> {
        .refused
    }
    nonisolated(nonsending) func tell<R: RequestPacket>(_ r: R) async throws(DeviceError) {}
    nonisolated(nonsending) func readDeviceInformation() async throws(DeviceError)
        -> DeviceInformation
    { DeviceInformation() }
    nonisolated(nonsending) func setClock(_ z: ClockPolicy.Zone) async throws(DeviceError)
        -> Capabilities
    { Capabilities() }
    func makeStreamObserver(_ s: RingStream) -> StreamObserver {
        StreamObserver(Mailbox(limit: 1, .waits, time))
    }
    func open(_ o: StreamObserver) {}
    func close(_ o: StreamObserver) {}
}
final class GestureWatch: Sendable {
    init(_ r: Ring) {}
    nonisolated(nonsending) func next() async throws(DeviceError) -> Moment? { nil }
}
struct HistoryPlan { init(days: Int) {} }
extension Ring {
    nonisolated(nonsending) func history(of k: HistoryKind, _ d: DaysAgo? = nil)
        async throws(DeviceError) -> RingHistory
    { throw DeviceError(.noData) }
    nonisolated(nonsending) func read(_ p: HistoryPlan, _ progress: (HistoryProgress) -> Void)
        async throws(DeviceError) -> RingHistory
    { throw DeviceError(.noData) }
}
extension WorkoutRun {
    nonisolated(nonsending) static func start(_ s: Sport, on r: Ring) async throws(DeviceError)
        -> WorkoutRun
    { throw DeviceError(.noData) }
    nonisolated(nonsending) func control(_ a: WorkoutControl.Action) async throws(DeviceError) {}
}
