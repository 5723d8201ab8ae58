import Dispatch
import HaloProtocol
import HaloTransport

/// The way between an app and a device: scans, attempts to connect, and one link.
///
/// Everything happens on a serial queue, so events and completions come one at a time and in order,
/// and nothing is called under a lock.
final class Loopback: @unchecked Sendable {
    /// A scan of the app.
    final class Scan: Sendable {
        let report: BLECompletion<Discovery>

        init(_ report: @escaping BLECompletion<Discovery>) { self.report = report }
    }

    /// An attempt to connect.
    final class Attempt: Sendable {
        let identity: PeripheralIdentity
        let events: @Sendable (LinkEvent) -> Void
        let completion: BLECompletion<any LinkDriver>

        init(
            _ identity: PeripheralIdentity, _ events: @escaping @Sendable (LinkEvent) -> Void,
            _ completion: @escaping BLECompletion<any LinkDriver>
        ) {
            self.identity = identity
            self.events = events
            self.completion = completion
        }
    }

    /// The open link, and the requests without a response.
    private struct OpenLink {
        let driver: LoopbackLink
        let events: @Sendable (LinkEvent) -> Void
        var pending: [ResponseToken: BLECompletion<[UInt8]>] = [:]
    }

    static let identity = PeripheralIdentity("loopback")
    /// The most bytes of a notification, and of a write without response.
    static let maximumLength = 244
    /// The most bytes of an attribute's value.
    static let longestValue = 512
    /// The time after which a device that does not respond loses its link: 30 seconds on a radio.
    static let responseTimeout = DispatchTimeInterval.seconds(5)

    private let queue = DispatchQueue(label: "loopback")
    private var host: (any PeripheralHosting)?
    private var advertisement: PeripheralAdvertisement?
    private var scans: [Scan] = []
    private var attempts: [Attempt] = []
    private var link: OpenLink?
    private var lastToken: UInt32 = 0

    /// Runs a function on the queue, after all earlier ones.
    func run(_ body: @escaping @Sendable (Loopback) -> Void) {
        queue.async { body(self) }
    }

    func start<Device>(_ host: PeripheralHost<Device>) {
        run { loopback in
            loopback.host = host
            host.start()
        }
    }

    // MARK: Scanning and connecting

    func begin(_ scan: Scan) {
        scans.append(scan)
        advertise(to: [scan])
    }

    func end(_ scan: Scan) { scans.removeAll { $0 === scan } }

    /// Reports the advertisement and the scan response, if the device is not connected.
    private func advertise(to scans: [Scan]) {
        guard link == nil, let advertisement else { return }
        for data in [advertisement.data, advertisement.scanResponse].compactMap({ $0 }) {
            var discovery = Discovery(
                Self.identity, name: data.name?.text, services: data.services, rssi: -40,
                isConnectable: advertisement.isConnectable)
            for structure in data.structures {
                if case .manufacturerData(let company, let bytes) = structure.content {
                    discovery.manufacturerData.append(
                        ManufacturerData(company: company, bytes: bytes))
                }
            }
            for scan in scans { scan.report(.success(discovery)) }
        }
    }

    func begin(_ attempt: Attempt) {
        guard attempt.identity == Self.identity else {
            return attempt.completion(.failure(BLEError(.notFound, .connect)))
        }
        guard link == nil else {
            return attempt.completion(.failure(BLEError(.alreadyConnected, .connect)))
        }
        attempts.append(attempt)
        connect()
    }

    /// Ends an attempt, unless it is over.
    func cancel(_ attempt: Attempt) {
        guard attempts.contains(where: { $0 === attempt }) else { return }
        attempts.removeAll { $0 === attempt }
        attempt.completion(.failure(BLEError(.cancelled, .connect)))
    }

    /// Connects for the first attempt, if the device accepts connections.
    private func connect() {
        guard link == nil, advertisement?.isConnectable == true, !attempts.isEmpty else { return }
        let attempt = attempts.removeFirst()
        let driver = LoopbackLink(self)
        link = OpenLink(driver: driver, events: attempt.events)
        attempt.completion(.success(driver))
        host?.handle(.connected)
        host?.handle(.maximumLength(Self.maximumLength))
    }

    // MARK: The link

    /// The services of the device; `nil` if the driver's link has ended.
    func services(for driver: LoopbackLink) -> [GATTService]? {
        isOpen(driver) ? host?.services : nil
    }

    /// Hands an event to the device; `false` if the driver's link has ended.
    func send(_ event: PeripheralEvent, from driver: LoopbackLink) -> Bool {
        guard isOpen(driver) else { return false }
        host?.handle(event)
        return true
    }

    /// Hands a request to the device, and keeps the completion for its response.
    func request(
        from driver: LoopbackLink, _ operation: BLEError.Operation,
        _ event: (ResponseToken) -> PeripheralEvent, _ completion: @escaping BLECompletion<[UInt8]>
    ) {
        guard isOpen(driver) else {
            return completion(
                .failure(
                    BLEError(.disconnected, operation, disconnectReason: DisconnectReason(.local))))
        }
        lastToken += 1
        let token = ResponseToken(lastToken)
        link?.pending[token] = completion
        queue.asyncAfter(deadline: .now() + Self.responseTimeout) { [weak self] in
            guard let self, link?.pending[token] != nil else { return }
            close(DisconnectReason(.noResponse))
        }
        host?.handle(event(token))
    }

    /// Closes the link of a driver, if it is open.
    func close(_ driver: LoopbackLink) {
        if isOpen(driver) { close(DisconnectReason(.local)) }
    }

    private func isOpen(_ driver: LoopbackLink) -> Bool { link?.driver === driver }

    private func close(_ reason: DisconnectReason) {
        guard let ended = link else { return }
        link = nil
        // The end is delivered first, so that a failed request finds the link's reason.
        ended.events(.disconnected(reason))
        for completion in ended.pending.values {
            completion(.failure(BLEError(.disconnected, .receive, disconnectReason: reason)))
        }
        host?.handle(.disconnected)
        advertise(to: scans)
        connect()
    }

    // MARK: The device

    /// Performs an effect of the device.
    func perform(_ effect: PeripheralEffect) {
        run { $0.carryOut(effect) }
    }

    private func carryOut(_ effect: PeripheralEffect) {
        switch effect {
        case .value(let value, let token):
            respond(token, .success(Array(value.prefix(Self.longestValue))))
        case .done(let token): respond(token, .success([]))
        case .refuse(let error, let token):
            respond(token, .failure(BLEError(.refused, .receive, attError: error)))
        case .notify(let attribute, let value), .indicate(let attribute, let value):
            link?.events(.value(attribute, Array(value.prefix(Self.maximumLength))))
            if case .indicate = effect { host?.handle(.confirmed(attribute)) }
        case .disconnect: close(DisconnectReason(.remote))
        case .servicesChanged: link?.events(.servicesChanged)
        case .advertise(let advertisement):
            self.advertisement = advertisement
            advertise(to: scans)
            connect()
        case .wake, .requestParameters: break
        }
    }

    private func respond(_ token: ResponseToken, _ result: Result<[UInt8], BLEError>) {
        link?.pending.removeValue(forKey: token)?(result)
    }
}
