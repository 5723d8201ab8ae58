public import HaloProtocol

/// A link to a device, as an app uses it.
///
/// A transport's `connect` gives it. Everything throws a ``BLEError``; when the link has ended,
/// all that was asked for ends with ``BLEError/Kind/disconnected`` and the reason, and so does
/// all that is asked for later. A task that is cancelled while it waits goes on at once with
/// ``BLEError/Kind/cancelled``; what the device was asked for may happen all the same.
///
/// The link is closed by ``disconnect()``, and when neither it nor a sequence of it is held any
/// more.
public final class BLELink: Sendable {
    let hub: LinkHub

    init(_ hub: LinkHub) {
        self.hub = hub
    }

    /// The device at the other end.
    public var identity: PeripheralIdentity { hub.identity }

    /// The time that passes where the device is.
    public var time: any TransportTime { hub.time }

    /// Why the link has ended; nothing while it is open.
    public var disconnectReason: DisconnectReason? { hub.end }

    /// The most bytes that one write can carry.
    ///
    /// With a response that is 512, the longest value of an attribute: what is longer than a packet
    /// is written in pieces, which not every device takes. Without a response, it is what fits into
    /// one packet: that may grow soon after connecting. Nothing can be written after the end.
    public func maximumWriteLength(_ mode: WriteMode) -> Int { hub.maximumWriteLength(mode) }

    /// What the device consists of: found out once, and again after the device has said that it
    /// changed.
    public var services: [GATTService] {
        get async throws(BLEError) {
            let hub = hub
            return try await answer(
                .discover, nil, begin: { hub.services($0) }, cancel: { hub.cancelServices($0) })
        }
    }

    /// A characteristic of a service, by their numbers; the first one if there are several.
    public func characteristic(
        _ uuid: BluetoothUUID, of service: BluetoothUUID
    ) async throws(BLEError) -> GATTCharacteristic {
        try Self.characteristic(uuid, of: service, in: await services)
    }

    /// Reads the whole value of a characteristic, however long.
    public func read(_ characteristic: GATTCharacteristic) async throws(BLEError) -> [UInt8] {
        guard characteristic.properties.contains(.read) else {
            throw BLEError(.notPermitted, .read, uuid: characteristic.uuid)
        }
        return try await read(characteristic.id, characteristic.uuid)
    }

    /// Reads the whole value of a descriptor.
    public func read(_ descriptor: GATTDescriptor) async throws(BLEError) -> [UInt8] {
        try await read(descriptor.id, descriptor.uuid)
    }

    /// Writes a value. With a response, it returns when the device has said yes; without, when
    /// there is room for the next one. Writes are carried out in the order in which they were
    /// asked for.
    public func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic, _ mode: WriteMode = .withResponse
    ) async throws(BLEError) {
        try check(value, for: characteristic, mode)
        try await write(value, to: characteristic.id, characteristic.uuid, mode)
    }

    /// Writes the value of a descriptor.
    public func write(
        _ value: [UInt8], to descriptor: GATTDescriptor
    ) async throws(BLEError) {
        try checkLength(of: value, descriptor.uuid, .withResponse)
        try await write(value, to: descriptor.id, descriptor.uuid, .withResponse)
    }

    /// How strong the device's signal is, in dBm, where ``TransportFeatures/connectedRSSI``
    /// says that the backend can tell.
    public func readRSSI() async throws(BLEError) -> Int {
        guard hub.features.contains(.connectedRSSI) else {
            throw BLEError(.notSupportedHere, .readRSSI)
        }
        let hub = hub
        return try await answer(
            .readRSSI, nil,
            begin: {
                hub.submit(.readRSSI, nil, perform: { $0.readRSSI($1) }, completion: $0)
            }, cancel: { hub.cancel($0) })
    }

    /// Pairs with the device, so that both know each other when they meet again, where
    /// ``TransportFeatures/pairing`` says that the backend can; elsewhere, the system pairs when an
    /// attribute demands it.
    public func pair() async throws(BLEError) {
        guard hub.features.contains(.pairing) else {
            throw BLEError(.notSupportedHere, .pair)
        }
        let hub = hub
        try await answer(
            .pair, nil,
            begin: { hub.submit(.pair, nil, perform: { $0.pair($1) }, completion: $0) },
            cancel: { hub.cancel($0) })
    }

    /// Has the device send the values of a characteristic, and gives them as they come.
    ///
    /// It returns when the device has said yes; no value from then on is missed, nor one that
    /// comes before. Whoever asks for the same characteristic shares one subscription on the
    /// device.
    ///
    /// - Parameter buffer: How many values wait at most for who takes them; see
    ///   ``Notifications`` for what happens then.
    public func notifications(
        of characteristic: GATTCharacteristic, buffer capacity: Int = 64
    ) async throws(BLEError) -> Notifications {
        guard characteristic.properties.canSubscribe else {
            throw BLEError(.notPermitted, .subscribe, uuid: characteristic.uuid)
        }
        let hub = hub
        let buffer = StreamBuffer<LinkNotification>(
            capacity: capacity, for: .receive, on: hub.time)
        let number = Locked<UInt64>(0)
        try await answer(
            .subscribe, characteristic.uuid,
            begin: {
                let new = hub.subscribe(to: characteristic, buffer, completion: $0)
                number.withLock { $0 = new }
                return new
            }, cancel: { hub.unsubscribe($0, from: characteristic) })
        let subscribed = number.withLock { $0 }
        return Notifications(
            buffer: buffer,
            token: ReleaseToken { hub.unsubscribe(subscribed, from: characteristic) })
    }

    /// Everything that happens on the link from now on, over all characteristics, in order.
    public func events(buffer capacity: Int = 256) -> LinkEvents {
        let hub = hub
        let buffer = StreamBuffer<ReceivedEvent>(capacity: capacity, for: .receive, on: hub.time)
        let number = hub.stream(into: buffer)
        return LinkEvents(buffer: buffer, token: ReleaseToken { hub.endStream(number) })
    }

    /// Closes the link, and returns when it is closed; at once if it is already, or if the task
    /// is cancelled. What is not complete by then ends with the reason
    /// ``DisconnectReason/Kind/local``.
    public func disconnect() async {
        let closed = Promise<Void>(for: .disconnect, on: hub.time)
        let observation = hub.observe { event, _ in
            if case .disconnected = event { closed.resolve(.success(())) }
        }
        hub.close()
        try? await closed.value()
        observation.cancel()
    }
}
