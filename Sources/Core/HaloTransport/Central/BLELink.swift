public import HaloProtocol

/// A link to a device, from a transport's `connect` until it ends.
///
/// Operations throw ``BLEError``. When the link ends, operations that are under way, and all later
/// ones, throw ``BLEError/Kind/disconnected`` with the reason. A task that is cancelled continues
/// at once with ``BLEError/Kind/cancelled``; its request may still reach the device.
///
/// The link is closed by ``disconnect()``, and when neither it nor one of its sequences is
/// referenced any more.
public final class BLELink: Sendable {
    /// The maximum number of operations at one time, queued and with the driver together.
    static let maximumOperations = 256
    /// The timeout for the driver's report that the link is closed.
    static let closingTimeout: Duration = .seconds(5)

    /// The device at the other end.
    public let identity: PeripheralIdentity
    /// The time of the transport.
    public let time: any TransportTime
    private let features: TransportFeatures
    let client: GATTClient
    private let loop: TransportLoop

    init(
        _ identity: PeripheralIdentity, on time: any TransportTime, features: TransportFeatures
    ) {
        self.identity = identity
        self.time = time
        self.features = features
        client = GATTClient(on: time)
        loop = time.loop
    }

    deinit { loop.later { [client] in client.release() } }

    /// The reason for the link's end; `nil` while the link is open.
    public var disconnectReason: DisconnectReason? { loop.run { client.end } }

    /// Returns the maximum number of bytes of one write.
    ///
    /// With a response, that is 512, the maximum length of an attribute: a value longer than a
    /// packet is written in pieces, which not every device accepts. Without a response, it is the
    /// room in one packet, which may grow soon after connecting. After the link's end, it is 0.
    public func maximumWriteLength(for mode: WriteMode) -> Int {
        loop.run { max(0, client.driver?.maximumWriteLength(for: mode) ?? 0) }
    }

    /// The services of the device: discovered once, and again after they have changed.
    public var services: [GATTService] {
        get async throws(BLEError) {
            try await time.reply(to: .discover) { submitServices($0.completion) }
        }
    }

    /// Finds a characteristic of a service by their UUIDs; the first one if there are several.
    public func characteristic(
        _ uuid: BluetoothUUID, of service: BluetoothUUID
    ) async throws(BLEError) -> GATTCharacteristic {
        let found = try await services.filter { $0.uuid == service }
        for service in found {
            if let characteristic = service.characteristic(uuid) { return characteristic }
        }
        throw BLEError(.noSuchAttribute, .discover, uuid: found.isEmpty ? service : uuid)
    }

    /// Reads the whole value of a characteristic, however long.
    public func read(_ characteristic: GATTCharacteristic) async throws(BLEError) -> [UInt8] {
        try await time.reply(to: .read, characteristic.uuid) {
            submitRead(characteristic, $0.completion)
        }
    }

    /// Reads the whole value of a descriptor.
    public func read(_ descriptor: GATTDescriptor) async throws(BLEError) -> [UInt8] {
        try await time.reply(to: .read, descriptor.uuid) {
            submitRead(descriptor.id, descriptor.uuid, $0.completion)
        }
    }

    /// Writes a value of a characteristic.
    ///
    /// With a response, the call returns when the device has confirmed the write; without a
    /// response, when there is room for the next one. Operations are carried out in the order of
    /// the calls.
    public func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic, _ mode: WriteMode = .withResponse
    ) async throws(BLEError) {
        try await time.reply(to: .write, characteristic.uuid) {
            submitWrite(value, to: characteristic, mode, $0.completion)
        }
    }

    /// Writes the value of a descriptor.
    public func write(
        _ value: [UInt8], to descriptor: GATTDescriptor
    ) async throws(BLEError) {
        try await time.reply(to: .write, descriptor.uuid) {
            submitWrite(value, to: descriptor.id, descriptor.uuid, .withResponse, $0.completion)
        }
    }

    /// Reads the RSSI of the device in dBm, where the backend has
    /// ``TransportFeatures/connectedRSSI``.
    public func readRSSI() async throws(BLEError) -> Int {
        guard features.contains(.connectedRSSI) else {
            throw BLEError(.notSupported, .readRSSI)
        }
        return try await time.reply(to: .readRSSI) {
            client.submit(.readRSSI, nil, perform: { $0.readRSSI($1) }, completion: $0.completion)
        }
    }

    /// Pairs with the device, where the backend has ``TransportFeatures/pairing``; elsewhere, the
    /// system pairs when an attribute demands it.
    public func pair() async throws(BLEError) {
        guard features.contains(.pairing) else { throw BLEError(.notSupported, .pair) }
        try await time.reply(to: .pair) {
            client.submit(.pair, nil, perform: { $0.pair($1) }, completion: $0.completion)
        }
    }

    /// Subscribes to the notifications or indications of a characteristic.
    ///
    /// The call returns when the device has confirmed the subscription; values that come earlier
    /// are in the sequence, too. All sequences of a characteristic share one subscription.
    ///
    /// - Parameter bufferLimit: The maximum number of buffered values. Beyond it, the oldest value
    ///   is dropped, and counted in ``LinkNotification/lostBefore``.
    public func notifications(
        of characteristic: GATTCharacteristic, bufferLimit: Int = 64
    ) async throws(BLEError) -> Notifications {
        guard characteristic.properties.canSubscribe else {
            throw BLEError(.notPermitted, .subscribe, uuid: characteristic.uuid)
        }
        let buffer = BoundedBuffer<LinkNotification, BLEError>(capacity: bufferLimit, on: time)
        var subscription = BLECancellable {}
        try await time.reply(to: .subscribe, characteristic.uuid) {
            subscription = client.subscribe(to: characteristic, buffer, $0.completion)
            return subscription
        }
        let source = BLECancellable { [self, subscription] in
            withExtendedLifetime(self) { subscription.cancel() }
        }
        return Notifications(buffer, markLost: { $0.lostBefore = $1 }, from: source)
    }

    /// Returns the events of the link from now on, of all characteristics, in order.
    ///
    /// - Parameter bufferLimit: The maximum number of buffered events. Beyond it, the oldest event
    ///   is dropped, and counted in ``ReceivedEvent/lostBefore``.
    public func events(bufferLimit: Int = 256) -> LinkEvents {
        let buffer = BoundedBuffer<ReceivedEvent, BLEError>(capacity: bufferLimit, on: time)
        let observation = observe { event, moment in
            buffer.push(ReceivedEvent(event, moment: moment))
            if case .disconnected = event { buffer.end() }
        }
        let source = BLECancellable { [self] in
            withExtendedLifetime(self) { observation.cancel() }
        }
        return LinkEvents(buffer, markLost: { $0.lostBefore = $1 }, from: source)
    }

    /// Closes the link, and returns when it is closed. The call returns at once if the link is
    /// already closed, or if the task is cancelled. Operations that are under way end with the
    /// reason ``DisconnectReason/Kind/local``.
    public func disconnect() async {
        let closed = Promise<Void, BLEError>(for: .disconnect, on: time)
        // A cancelled task closes the link, too.
        let observation = loop.run {
            defer { close() }
            return observe { event, _ in
                if case .disconnected = event { closed.resolve(.success(())) }
            }
        }
        try? await closed.value()
        observation.cancel()
    }
}

/// Operations with completion handlers, for callers in the loop.
///
/// Completions and observers are called in turns of the loop, in the order of the link's events.
/// They do not report waits to the transport's time.
extension BLELink {
    func open(_ driver: any LinkDriver) { loop.run { client.open(driver) } }

    /// Calls a function for each event of the link, in order, until cancelled. After the link's
    /// end, the function is called once with ``LinkEvent/disconnected(_:)``.
    package func observe(
        _ observer: @escaping @Sendable (LinkEvent, Moment) -> Void
    ) -> BLECancellable {
        let number = loop.run { client.observe(observer) }
        return BLECancellable { [weak client, loop] in loop.run { client?.removeObserver(number) } }
    }

    /// Discovers the services, unless they are known.
    @discardableResult
    package func submitServices(
        _ completion: @escaping BLECompletion<[GATTService]>
    ) -> BLECancellable { loop.run { client.services(completion) } }

    @discardableResult
    package func submitRead(
        _ characteristic: GATTCharacteristic, _ completion: @escaping BLECompletion<[UInt8]>
    ) -> BLECancellable {
        guard characteristic.properties.contains(.read) else {
            return client.refuse(
                BLEError(.notPermitted, .read, uuid: characteristic.uuid), completion)
        }
        return submitRead(characteristic.id, characteristic.uuid, completion)
    }

    private func submitRead(
        _ id: AttributeID, _ uuid: BluetoothUUID, _ completion: @escaping BLECompletion<[UInt8]>
    ) -> BLECancellable {
        loop.run {
            client.submit(.read, uuid, perform: { $0.read(id, $1) }, completion: completion)
        }
    }

    @discardableResult
    package func submitWrite(
        _ value: [UInt8], to characteristic: GATTCharacteristic, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) -> BLECancellable {
        guard characteristic.properties.contains(mode.property) else {
            return client.refuse(
                BLEError(.notPermitted, .write, uuid: characteristic.uuid), completion)
        }
        return submitWrite(value, to: characteristic.id, characteristic.uuid, mode, completion)
    }

    private func submitWrite(
        _ value: [UInt8], to id: AttributeID, _ uuid: BluetoothUUID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) -> BLECancellable {
        loop.run {
            // Any value is too long for a link that has ended; the error must be the link's end.
            if client.endedError(.write, uuid) == nil, value.count > maximumWriteLength(for: mode) {
                return client.refuse(BLEError(.tooLong, .write, uuid: uuid), completion)
            }
            return client.submit(
                .write, uuid, isWithoutResponse: mode == .withoutResponse,
                perform: { $0.write(value, to: id, mode, $1) }, completion: completion)
        }
    }

    /// Subscribes to a characteristic until cancelled; the values come to ``observe(_:)``.
    package func submitSubscription(
        to characteristic: GATTCharacteristic, _ completion: @escaping BLECompletion<Void>
    ) -> BLECancellable {
        guard characteristic.properties.canSubscribe else {
            return client.refuse(
                BLEError(.notPermitted, .subscribe, uuid: characteristic.uuid), completion)
        }
        return loop.run { client.subscribe(to: characteristic, nil, completion) }
    }

    /// Closes the link. ``observe(_:)`` reports the end, at the latest after ``closingTimeout``.
    package func close() { loop.run { client.close() } }
}

/// An event of a link, with the moment of its arrival.
public struct ReceivedEvent: Hashable, Sendable {
    /// The event.
    public let event: LinkEvent
    /// The moment on the transport's timeline.
    public let moment: Moment
    /// The number of events that were dropped before this one because the buffer was full.
    public internal(set) var lostBefore = 0

    package init(_ event: LinkEvent, moment: Moment) {
        self.event = event
        self.moment = moment
    }
}
