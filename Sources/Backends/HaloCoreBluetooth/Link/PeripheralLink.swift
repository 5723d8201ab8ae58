#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// An open link: the state machine of its requests, and the delegate of its peripheral.
///
/// The system's replies name an attribute, not a request. So one request is made at a time, and
/// the first reply that fits it is its own.
///
/// - **Values.** A value of the attribute that is being read is the reply, whether the device has
///   sent it as a reply or as a notification: the system does not tell. The next one is reported
///   as a notification, so none is lost. All others are notifications.
/// - **Room.** The system drops a write without response while it has no room, and sometimes
///   forgets to report that there is room again. So it is polled at each report and each 50 ms.
///   After 2 s the value is written anyway: better one lost value than no more values. The next
///   ones wait for 100 ms, until the system reports room.
/// - **Silence.** The system ends a link without a reply to a request after 30 s, as if the device
///   were out of reach, or without a reason. The age of the request tells it apart.
/// - **Suspension.** While the app is suspended, time passes and no reply comes. So a poll that
///   comes late begins the wait again: the replies of that time follow it.
final class PeripheralLink: NSObject, CBPeripheralDelegate {
    private struct Running {
        let request: LinkRequest
        /// The object of the request's attribute.
        let attribute: CBAttribute?
        var discovery: LinkDiscovery?
    }

    /// The lengths of the longest writes, which an app's thread may read at any time.
    struct Lengths: Equatable, Sendable {
        var withResponse: Int
        var withoutResponse: Int
    }

    /// The time after which a value is written although the system reports no room.
    static let roomLimit = Duration.seconds(2)
    /// The same time for the values after such a one, until the system reports room.
    static let laterRoomLimit = Duration.milliseconds(100)
    /// The time between two polls for room.
    static let roomInterval = Duration.milliseconds(50)
    /// The ages of a request at which the end of the link counts as caused by its silence.
    static let silence = Duration.seconds(29)..<Duration.seconds(40)
    /// The time after which a link is closed because the system does not reply.
    static let replyLimit = Duration.seconds(60)
    /// The time after which an RSSI is given up: the system forgets some of these requests.
    static let rssiLimit = Duration.seconds(5)
    /// The error with which some systems reply to a write without response. Bluetooth assigns it to
    /// nothing, so it is never the reply to a write with response.
    static let replyToCommand = ATTError(code: 114)
    /// The delay of a poll from which on the app must have been suspended.
    static let suspensionLimit = Duration.seconds(1)

    /// The number of the attempt that has opened the link.
    let number: UInt64
    let peripheral: CBPeripheral
    let lengths: Guarded<Lengths>
    private unowned let owner: any LinkOwner
    private let report: @Sendable (LinkEvent) -> Void
    private var running: Running?
    /// The moment of the last request to the system, or of its last reply.
    private var since = ContinuousClock.now
    private var requests: [LinkRequest] = []
    private var attributes = PeripheralAttributes()
    /// The moment of the next poll; later ones are not scheduled.
    private var nextPoll: ContinuousClock.Instant?
    /// `true` once a value was written although the system reported no room.
    private var isStuck = false

    init(
        _ number: UInt64, _ peripheral: CBPeripheral, owner: any LinkOwner,
        events: @escaping @Sendable (LinkEvent) -> Void
    ) {
        self.number = number
        self.peripheral = peripheral
        self.owner = owner
        report = events
        lengths = Guarded(Self.lengths(of: peripheral))
        super.init()
    }

    private static func lengths(of peripheral: CBPeripheral) -> Lengths {
        Lengths(
            withResponse: peripheral.maximumWriteValueLength(for: .withResponse),
            withoutResponse: peripheral.maximumWriteValueLength(for: .withoutResponse))
    }

    // MARK: Requests

    func request(_ request: LinkRequest) {
        requests.append(request)
        advance()
    }

    /// Makes the next requests, until one has to wait.
    private func advance() {
        while running == nil, !requests.isEmpty { start(requests.removeFirst()) }
        watch()
    }

    private func start(_ request: LinkRequest) {
        since = .now
        let attribute = request.attribute.flatMap { attributes[$0] }
        running = Running(request: request, attribute: attribute)
        switch (request, attribute) {
        case (.discover, _): running?.discovery = LinkDiscovery(peripheral)
        case (.read, let characteristic as CBCharacteristic):
            peripheral.readValue(for: characteristic)
        case (.read, let descriptor as CBDescriptor): peripheral.readValue(for: descriptor)
        case (.write(let value, _, .withResponse, _), let characteristic as CBCharacteristic):
            peripheral.writeValue(Data(value), for: characteristic, type: .withResponse)
        case (.write(_, _, .withoutResponse, _), is CBCharacteristic): writeIfThereIsRoom()
        case (.write(let value, _, _, _), let descriptor as CBDescriptor):
            peripheral.writeValue(Data(value), for: descriptor)
        case (.setNotify(let isOn, _, _), let characteristic as CBCharacteristic):
            peripheral.setNotifyValue(isOn, for: characteristic)
        case (.readRSSI, _): peripheral.readRSSI()
        default:
            running = nil
            request.fail(BLEError(.noSuchAttribute, request.operation))
        }
    }

    /// The write without response that waits until the system has room.
    private var waitingWrite: ([UInt8], CBCharacteristic, BLECompletion<Void>)? {
        guard case .write(let value, _, .withoutResponse, let completion) = running?.request,
            let characteristic = running?.attribute as? CBCharacteristic
        else { return nil }
        return (value, characteristic, completion)
    }

    private func writeIfThereIsRoom() {
        guard let (value, characteristic, completion) = waitingWrite else { return }
        let hasRoom = peripheral.canSendWriteWithoutResponse
        let limit = isStuck ? Self.laterRoomLimit : Self.roomLimit
        guard hasRoom || since.duration(to: .now) >= limit else { return }
        compareLengths()
        isStuck = !hasRoom
        running = nil
        peripheral.writeValue(Data(value), for: characteristic, type: .withoutResponse)
        completion(.success(()))
    }

    /// Ends the request, and makes the next ones after the completion.
    private func finish(_ complete: () -> Void) {
        compareLengths()
        running = nil
        complete()
        advance()
    }

    private func compareLengths() {
        let now = Self.lengths(of: peripheral)
        let isNew = lengths.withLock { lengths in
            defer { lengths = now }
            return lengths != now
        }
        if isNew { report(.maximumLengthChanged) }
    }

    // MARK: Time

    /// Schedules a poll while a request is under way.
    private func watch() {
        guard let running else { return }
        let now = ContinuousClock.now
        let moment =
            switch running.request {
            case _ where waitingWrite != nil: now + Self.roomInterval
            case .readRSSI: since + Self.rssiLimit
            default: since + Self.replyLimit
            }
        if let nextPoll, nextPoll <= moment { return }
        nextPoll = moment
        owner.poll(self, after: now.duration(to: moment))
    }

    func poll() {
        let now = ContinuousClock.now
        if let moment = nextPoll, moment <= now {
            nextPoll = nil
            if moment.duration(to: now) >= Self.suspensionLimit { since = now }
        }
        let age = since.duration(to: now)
        switch running?.request {
        case _ where waitingWrite != nil: writeIfThereIsRoom()
        case .readRSSI(let completion) where age >= Self.rssiLimit:
            return finish { completion(.failure(BLEError(.timedOut, .readRSSI))) }
        case nil, .readRSSI: break
        case _ where age >= Self.replyLimit:
            return owner.close(self, DisconnectReason(.noResponse))
        case .discover, .read, .write, .setNotify: break
        }
        advance()
    }

    // MARK: The end

    func reason(_ error: (any Error)?) -> DisconnectReason {
        let error = error.map { SystemError($0) }
        let reason = error?.disconnectReason ?? DisconnectReason(.remote)
        let isUnclear = error == nil || error?.code == .unknown || reason.kind == .outOfReach
        guard isUnclear, isSilent else { return reason }
        return DisconnectReason(.noResponse, details: reason.details)
    }

    /// `true` if a request has waited for as long as a reply may take.
    private var isSilent: Bool {
        running != nil && waitingWrite == nil
            && Self.silence.contains(since.duration(to: .now))
    }

    /// Ends the link, which its owner drops: reports the end, then fails all requests in order.
    func end(_ reason: DisconnectReason) {
        report(.disconnected(reason))
        let error = { (operation: BLEError.Operation, attribute: CBAttribute?) in
            BLEError(
                .disconnected, operation, uuid: attribute.map { BluetoothUUID($0.uuid) },
                disconnectReason: reason)
        }
        if let running {
            running.request.fail(error(running.request.operation, running.attribute))
        }
        for request in requests { request.fail(error(request.operation, nil)) }
    }

    // MARK: The system's replies

    /// Returns `true` for the link's own peripheral, which may be another object.
    private func isOurs(_ peripheral: CBPeripheral) -> Bool {
        peripheral.identifier == self.peripheral.identifier
    }

    private func isFor(_ attribute: CBAttribute) -> Bool { running?.attribute === attribute }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        discover(peripheral, error) { $0.receivedServices(peripheral) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        discover(peripheral, error) { $0.received(service, peripheral) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        // Without its descriptors a characteristic is still of use.
        discover(peripheral, nil) { $0.received(characteristic) }
    }

    private func discover(
        _ peripheral: CBPeripheral, _ error: (any Error)?, _ receive: (inout LinkDiscovery) -> Bool
    ) {
        guard isOurs(peripheral), var discovery = running?.discovery,
            case .discover(let completion) = running?.request, receive(&discovery)
        else { return }
        if let error {
            return finish { completion(.failure(SystemError(error).error(.discover))) }
        }
        running?.discovery = discovery
        since = .now
        guard discovery.isComplete else { return }
        // Some systems find nothing at first.
        if peripheral.services?.isEmpty != false, discovery.restarts == 0 {
            discovery.restart(peripheral)
            running?.discovery = discovery
            return
        }
        let services = attributes.replace(with: peripheral.services ?? [])
        finish { completion(.success(services)) }
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])
    {
        guard isOurs(peripheral) else { return }
        attributes.remove(invalidatedServices)
        report(.servicesChanged)
        guard let running else { return }
        let operation = running.request.operation
        if var discovery = running.discovery {
            guard discovery.restarts < LinkDiscovery.maximumRestarts else {
                let error = BLEError(
                    .backend, operation, details: "the services change again and again")
                return finish { running.request.fail(error) }
            }
            since = .now
            discovery.restart(peripheral)
            self.running?.discovery = discovery
        } else if let attribute = running.attribute, attributes.number(attribute) == nil {
            let error = BLEError(
                .noSuchAttribute, operation, uuid: BluetoothUUID(attribute.uuid))
            finish { running.request.fail(error) }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard isOurs(peripheral) else { return }
        // The next value replaces this one.
        let value = characteristic.value.map { Array($0) } ?? []
        if case .read(_, let completion) = running?.request, isFor(characteristic) {
            return finish { completion(Self.result(value, error, .read, characteristic)) }
        }
        compareLengths()
        guard error == nil, let id = attributes.number(characteristic) else { return }
        report(.value(id, value))
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor,
        error: (any Error)?
    ) {
        guard isOurs(peripheral), case .read(_, let completion) = running?.request,
            isFor(descriptor)
        else { return }
        let value = bytes(ofDescriptor: descriptor.value)
        finish {
            completion(
                Self.result(
                    value, error, .read, descriptor,
                    ifNil: "the descriptor has a value of an unknown type"))
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if isOurs(peripheral) { written(characteristic, error) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor,
        error: (any Error)?
    ) {
        if isOurs(peripheral) { written(descriptor, error) }
    }

    private func written(_ attribute: CBAttribute, _ error: (any Error)?) {
        guard case .write(_, _, _, let completion) = running?.request, isFor(attribute),
            waitingWrite == nil
        else { return }
        if let error, SystemError(error).attError == Self.replyToCommand { return }
        finish { completion(Self.result((), error, .write, attribute)) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard isOurs(peripheral), let request = running?.request,
            case .setNotify(_, _, let completion) = request, isFor(characteristic)
        else { return }
        finish { completion(Self.result((), error, request.operation, characteristic)) }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
    ) {
        guard case .readRSSI(let completion) = running?.request, isOurs(peripheral) else { return }
        let value = Discovery.rssi(RSSI)
        finish {
            completion(Self.result(value, error, .readRSSI, ifNil: "the system has no RSSI"))
        }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        writeIfThereIsRoom()
        advance()
    }

    /// The result of a request: a value, the system's error, or a text if there is neither.
    private static func result<Value>(
        _ value: Value?, _ error: (any Error)?, _ operation: BLEError.Operation,
        _ attribute: CBAttribute? = nil, ifNil details: String? = nil
    ) -> Result<Value, BLEError> {
        let uuid = attribute.map { BluetoothUUID($0.uuid) }
        if let error { return .failure(SystemError(error).error(operation, uuid)) }
        if let value { return .success(value) }
        return .failure(BLEError(.backend, operation, uuid: uuid, details: details))
    }
}
#endif
