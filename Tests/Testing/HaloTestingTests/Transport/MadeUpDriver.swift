import HaloProtocol
import HaloTesting
import HaloTransport

/// The made-up backend's end of a link: one request at a time, and everything in order.
final class MadeUpDriver: LinkDriver {
    private struct Request: Sendable {
        let begin: @Sendable (ResponseToken) -> PeripheralEvent
        let end: @Sendable (Result<[UInt8], BLEError>) -> Void
        let isAnswered: Bool
        var isAnsweredByHost = false
    }

    private struct State: Sendable {
        var requests: [Request] = []
        var current: (token: ResponseToken, request: Request)?
        var isEnded = false
        var switchedOn: Set<AttributeID> = []
        var services: [GATTService]?
        var held: (@Sendable () -> Void)?
    }

    private let bluetooth: MadeUpBluetooth
    private let events: @Sendable (LinkEvent) -> Void
    private let state = Locked(State())

    static let maximumLength = 97

    init(_ bluetooth: MadeUpBluetooth, _ events: @escaping @Sendable (LinkEvent) -> Void) {
        self.bluetooth = bluetooth
        self.events = events
    }

    var identity: PeripheralIdentity { MadeUpBluetooth.identity }

    private var mistake: MadeUpBluetooth.Mistake? { bluetooth.mistake }

    func maximumWriteLength(for mode: WriteMode) -> Int {
        switch mode {
        case .withResponse: mistake == .writesNoLongValues ? Self.maximumLength : 512
        case .withoutResponse: Self.maximumLength
        }
    }

    func discoverServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) {
        bluetooth.later(MadeUpBluetooth.delay) { [self] in
            var services = bluetooth.state.withLock { $0.device.services }
            services = state.withLock { state in
                if mistake == .keepsOldServices { services = state.services ?? services }
                state.services = services
                return services
            }
            services = services.map { service in
                GATTService(
                    service.uuid,
                    characteristics: service.characteristics.map { one in
                        GATTCharacteristic(
                            one.id, one.uuid,
                            mistake == .losesProperties
                                ? one.properties.subtracting(.indicate) : one.properties,
                            descriptors: mistake == .losesDescriptors ? [] : one.descriptors)
                    })
            }
            let isEnded = state.withLock { $0.isEnded }
            completion(
                isEnded ? .failure(BLEError(.disconnected, .discover)) : .success(services))
        }
    }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {
        let cuts = mistake == .cutsLongValues
        let asked =
            mistake == .answersReadsOfTheWrongCharacteristic ? AttributeID(1) : attribute
        submit(
            Request(
                begin: { .read(asked, offset: 0, token: $0) },
                end: { result in
                    completion(result.map { cuts ? Array($0.prefix(Self.maximumLength)) : $0 })
                }, isAnswered: true))
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        let isAnswered = mode == .withResponse
        let request = Request(
            begin: { .write(attribute, value, token: isAnswered ? $0 : nil) },
            end: { completion($0.map { _ in }) }, isAnswered: isAnswered)
        if !isAnswered, mistake == .losesWritesWithoutResponse, value.first == 17 {
            bluetooth.later(MadeUpBluetooth.delay) { completion(.success(())) }
        } else if !isAnswered, mistake == .swapsKindsOfWrites {
            bluetooth.later(.milliseconds(50)) { [self] in
                submit(
                    Request(begin: request.begin, end: { _ in }, isAnswered: false))
            }
            completion(.success(()))
        } else {
            submit(request)
        }
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        if !isOn, mistake == .keepsDevicesSwitchedOn {
            bluetooth.later(MadeUpBluetooth.delay) { completion(.success(())) }
            return
        }
        let isDeaf = mistake == .dropsWhatComesBeforeTheSubscriptionIsAnswered
        submit(
            Request(
                begin: { [self] _ in
                    if !isOn || !isDeaf { switchOn(isOn, attribute) }
                    return .subscription(attribute, isOn: isOn)
                },
                end: { [self] result in
                    if isDeaf { switchOn(isOn, attribute) }
                    completion(result.map { _ in })
                }, isAnswered: true, isAnsweredByHost: true))
    }

    private func switchOn(_ isOn: Bool, _ attribute: AttributeID) {
        state.withLock { state in
            if isOn {
                state.switchedOn.insert(attribute)
            } else {
                state.switchedOn.remove(attribute)
            }
        }
    }

    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {
        bluetooth.later(MadeUpBluetooth.delay) { completion(.success(-60)) }
    }

    func disconnect() {
        if mistake == .doesNotCloseLinks { return }
        bluetooth.later(MadeUpBluetooth.delay) { [self] in end(.local) }
    }

    /// Performs an effect of the device.
    func take(_ effect: PeripheralEffect) {
        switch effect {
        case .value(let value, let token): answer(token, .success(value))
        case .done(let token): answer(token, .success([]))
        case .refuse(let error, let token):
            answer(
                token,
                .failure(
                    BLEError(
                        .refused, .read, attError: mistake == .forgetsErrorCodes ? nil : error)))
        case .notify(let attribute, let value): send(value, attribute)
        case .indicate(let attribute, let value):
            if mistake != .saysNoToConfirmedValues { send(value, attribute) }
        case .disconnect:
            bluetooth.later(MadeUpBluetooth.delay) { [self] in
                end(mistake == .mistakesWhoClosed ? .local : .remote)
            }
        case .servicesChanged:
            bluetooth.later(MadeUpBluetooth.delay) { [self] in tell(.servicesChanged) }
        case .wake, .advertise, .requestParameters: break
        }
    }

    private func send(_ value: [UInt8], _ attribute: AttributeID) {
        let tellIt: @Sendable () -> Void = { [self] in
            if state.withLock({ $0.switchedOn.contains(attribute) }) {
                tell(.value(attribute, value))
            }
        }
        if mistake == .swapsValues, value.first == 20 {
            state.withLock { $0.held = tellIt }
            return
        }
        let delay =
            mistake == .answersBeforeEarlierValues ? .milliseconds(15) : MadeUpBluetooth.delay
        bluetooth.later(delay) { [self] in
            tellIt()
            if mistake == .sendsValuesTwice, value.first == 20 { tellIt() }
            let held = state.withLock { state in
                defer { state.held = nil }
                return state.held
            }
            held?()
        }
    }

    private func tell(_ event: LinkEvent) {
        if !state.withLock({ $0.isEnded }) { events(event) }
    }

    private func submit(_ request: Request) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.requests.append(request) }
            return state.isEnded
        }
        if isEnded {
            request.end(.failure(BLEError(.disconnected, .write)))
        } else {
            bluetooth.later(MadeUpBluetooth.delay) { [self] in beginNext() }
        }
    }

    private func beginNext() {
        let token = bluetooth.newToken()
        let request = state.withLock { state -> Request? in
            guard state.current == nil, !state.requests.isEmpty, !state.isEnded else { return nil }
            let request = state.requests.removeFirst()
            if request.isAnswered { state.current = (token, request) }
            return request
        }
        guard let request else { return }
        bluetooth.deliver(request.begin(token))
        if request.isAnsweredByHost { answer(token, .success([])) }
        guard request.isAnswered else {
            request.end(.success([]))
            beginNext()
            return
        }
        bluetooth.later(.seconds(30)) { [self] in
            let isSilent = state.withLock { $0.current?.token == token }
            if isSilent, mistake != .waitsForSilentDevices { end(.noResponse) }
        }
    }

    private func answer(_ token: ResponseToken, _ result: Result<[UInt8], BLEError>) {
        bluetooth.later(MadeUpBluetooth.delay) { [self] in
            let request = state.withLock { state -> Request? in
                guard state.current?.token == token else { return nil }
                defer { state.current = nil }
                return state.current?.request
            }
            request?.end(result)
            beginNext()
        }
    }

    private func end(_ kind: DisconnectReason.Kind) {
        let unfinished = state.withLock { state -> [Request]? in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            defer {
                state.requests = []
                state.current = nil
            }
            return (state.current.map { [$0.request] } ?? []) + state.requests
        }
        guard let unfinished else { return }
        bluetooth.left(self)
        if mistake != .finishesNothingAtTheEnd {
            for request in unfinished {
                request.end(
                    .failure(
                        BLEError(.disconnected, .write, disconnectReason: DisconnectReason(kind))))
            }
        }
        if kind == .local || mistake != .neverSaysThatTheDeviceClosed {
            events(.disconnected(DisconnectReason(kind)))
        }
    }
}
