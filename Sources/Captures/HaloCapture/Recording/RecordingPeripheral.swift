public import HaloProtocol
public import HaloTransport

/// A device that records its links as a capture, and otherwise behaves as its base.
///
///     let recorder = try CaptureRecorder(writingTo: "app.halo")
///     let ring = daemon.add(RecordingPeripheral(VirtualRing(.r02), to: recorder))
///
/// The capture is that of the central, as a ``RecordingTransport`` makes it: connections and their
/// ends, services, the maximum length of values, subscriptions, and every value that is written,
/// read or notified, with the time at which the device has received or sent it.
///
/// - The services are recorded with each connection, because a device does not learn of their
///   discovery.
/// - A device does not learn why a link has ended, either: the central has closed it, unless the
///   device did.
/// - Of a value that is read in parts, the first reply has all of it.
public struct RecordingPeripheral<Base: GATTPeripheral>: GATTPeripheral {
    /// The device.
    public var base: Base
    /// The identity in the capture: its tag `address:`.
    public var identity: PeripheralIdentity

    private let recorder: CaptureRecorder
    private var advertisement: PeripheralAdvertisement?
    private var isConnected = false
    private var subscriptions: Set<AttributeID> = []
    private var requests: [ResponseToken: LinkTrace] = [:]
    private var maximumLength = Self.leastLength
    private var endKind = HaloTransport.DisconnectReason.Kind.local

    /// The maximum length of a value at the default MTU, in bytes.
    private static var leastLength: Int { 20 }
    /// The maximum number of requests that wait for their replies. Replies to further ones are not
    /// recorded; a host has one or a few.
    private static var requestLimit: Int { 64 }

    /// Creates a device that records. Several devices can share one recorder if they have the same
    /// time, and different identities.
    public init(
        _ base: Base, as identity: PeripheralIdentity = PeripheralIdentity("device"),
        to recorder: CaptureRecorder
    ) {
        self.base = base
        self.identity = identity
        self.recorder = recorder
    }

    /// The services of the base.
    public var services: [GATTService] { base.services }

    /// Records the end of the current link, if there is one, as a loss of range.
    package mutating func expectLostLink() { endKind = .outOfReach }

    /// Handles one event, and records it with its effects.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        record(event, at: now)
        let count = effects.all.count
        base.handle(event, at: now, into: &effects)
        for effect in effects.all[count...] { record(effect, at: now) }
    }

    // MARK: Recording

    private func record(
        _ kind: LinkTrace.Kind, at now: Moment, _ describe: (inout LinkTrace) -> Void
    ) {
        var trace = LinkTrace(kind, identity, at: now)
        describe(&trace)
        recorder.record(trace)
    }

    private mutating func record(_ event: PeripheralEvent, at now: Moment) {
        switch event {
        case .started(let clock): recorder.setOrigin(at: now, clock)
        case .woken, .changed, .confirmed: break
        case .connected: connect(at: now)
        case .disconnected:
            guard isConnected else { return }
            isConnected = false
            record(.event, at: now) {
                $0.event = .disconnected(HaloTransport.DisconnectReason(endKind))
            }
        case .maximumLength(let length):
            maximumLength = max(length, Self.leastLength)
            record(.event, at: now) {
                $0.event = .maximumLengthChanged
                $0.maximumWriteLength = length
            }
        case .read(let attribute, offset: 0, let token):
            request(.read, attribute, token, at: now)
        case .read: break
        case .write(let attribute, let value, let token):
            let mode = token == nil ? WriteMode.withoutResponse : .withResponse
            request(.write, attribute, token, value, mode, at: now)
        case .subscription(let attribute, let isOn):
            if isOn { subscriptions.insert(attribute) } else { subscriptions.remove(attribute) }
            record(.reply, at: now) {
                $0.operation = isOn ? .subscribe : .unsubscribe
                $0.attribute = attribute
            }
        }
    }

    private mutating func connect(at now: Moment) {
        isConnected = true
        subscriptions = []
        requests = [:]
        maximumLength = Self.leastLength
        endKind = .local
        if let advertisement {
            let (data, response) = (advertisement.data, advertisement.scanResponse)
            recorder.heard(
                Discovery(identity, name: (data.name ?? response?.name)?.text, advertisement: data),
                at: now)
        }
        record(.reply, at: now) { $0.operation = .connect }
        recordServices(at: now)
    }

    private func recordServices(at now: Moment) {
        record(.reply, at: now) {
            $0.operation = .discover
            $0.services = base.services
        }
    }

    private mutating func request(
        _ operation: BLEError.Operation, _ attribute: AttributeID, _ token: ResponseToken?,
        _ value: [UInt8]? = nil, _ mode: WriteMode? = nil, at now: Moment
    ) {
        var trace = LinkTrace(.request, identity, at: now)
        trace.operation = operation
        trace.attribute = attribute
        trace.mode = mode
        if let token, requests.count < Self.requestLimit { requests[token] = trace }
        trace.bytes = value
        recorder.record(trace)
    }

    private mutating func record(_ effect: PeripheralEffect, at now: Moment) {
        switch effect {
        case .value(let value, let token): reply(token, at: now) { $0.bytes = value }
        case .done(let token): reply(token, at: now) { _ in }
        case .refuse(let error, let token):
            reply(token, at: now) {
                $0.error = BLEError(.refused, $0.operation ?? .write, attError: error)
            }
        case .notify(let attribute, let value), .indicate(let attribute, let value):
            guard isConnected, subscriptions.contains(attribute) else { return }
            record(.event, at: now) {
                $0.event = .value(attribute, Array(value.prefix(maximumLength)))
            }
        case .disconnect: endKind = .remote
        case .servicesChanged:
            guard isConnected else { return }
            record(.event, at: now) { $0.event = .servicesChanged }
            recordServices(at: now)
        case .advertise(let advertisement):
            if let advertisement { self.advertisement = advertisement }
        case .wake, .requestParameters: break
        }
    }

    private mutating func reply(
        _ token: ResponseToken, at now: Moment, _ describe: (inout LinkTrace) -> Void
    ) {
        guard let request = requests.removeValue(forKey: token) else { return }
        record(.reply, at: now) {
            $0.operation = request.operation
            $0.attribute = request.attribute
            $0.mode = request.mode
            describe(&$0)
        }
    }
}
