import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport

/// A backend for one ``ContractPeripheral`` on stepped time, which keeps the transport contract
/// except for one planted mistake.
final class MadeUpBluetooth: BLETransport {
    /// The possible mistakes.
    enum Mistake: CaseIterable, Sendable {
        case dropsWhatComesBeforeTheSubscriptionIsAnswered
        case swapsValues
        case sendsValuesTwice
        case answersBeforeEarlierValues
        case losesWritesWithoutResponse
        case swapsKindsOfWrites
        case staysConnectedAfterCancelling
        case connectsTwice
        case mistakesWhoClosed
        case forgetsErrorCodes
        case cutsLongValues
        case writesNoLongValues
        case neverSaysThatTheDeviceClosed
        case waitsForSilentDevices
        case keepsOldServices
        case keepsDevicesSwitchedOn
        case losesDescriptors
        case losesProperties
        case hidesNames
        case finishesNothingAtTheEnd
        case doesNotCloseLinks
        case saysNoToConfirmedValues
        case answersReadsOfTheWrongCharacteristic
        case createsALoopForEachUse
    }

    struct State: Sendable {
        var device = ContractPeripheral()
        var advertisement: PeripheralAdvertisement?
        var link: MadeUpDriver?
        var lastToken: UInt32 = 0
        var scans: [UInt64: @Sendable (Result<Discovery, BLEError>) -> Void] = [:]
        var lastScan: UInt64 = 0
        var isBeaconing = false
        var beacons = 0
    }

    let stepped = SteppedTime()
    let mistake: Mistake?
    let state = Locked(State())

    static let identity = PeripheralIdentity("made up")
    static let delay: Duration = .milliseconds(10)

    init(_ mistake: Mistake? = nil) {
        self.mistake = mistake
        deliver(.started(stepped.wallClock()))
    }

    var time: any TransportTime {
        mistake == .createsALoopForEachUse ? TimeWithNewLoop(base: stepped) : stepped
    }
    var features: TransportFeatures { [.connectedRSSI, .duplicateReports] }
    var adapterState: AdapterState { .poweredOn }

    func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> BLECancellable { BLECancellable {} }

    func startScan(
        _ filter: ScanFilter, _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> BLECancellable {
        let (number, mustBegin) = state.withLock { state in
            state.lastScan += 1
            state.scans[state.lastScan] = report
            defer { state.isBeaconing = true }
            return (state.lastScan, !state.isBeaconing)
        }
        if mustBegin { later(.milliseconds(100)) { self.beacon() } }
        return BLECancellable { [self] in state.withLock { $0.scans[number] = nil } }
    }

    private func beacon() {
        let (reports, discovery) = state.withLock { state in
            guard !state.scans.isEmpty else {
                state.isBeaconing = false
                return ([@Sendable (Result<Discovery, BLEError>) -> Void](), Discovery?.none)
            }
            state.beacons += 1
            let reports = state.scans.sorted { $0.key < $1.key }.map(\.value)
            guard let advertisement = state.advertisement, state.link == nil else {
                return (reports, nil)
            }
            let data = state.beacons % 2 == 1 ? advertisement.data : advertisement.scanResponse
            return (reports, data.map(self.discovery))
        }
        guard !reports.isEmpty else { return }
        later(.milliseconds(100)) { self.beacon() }
        guard let discovery else { return }
        for report in reports { report(.success(discovery)) }
    }

    private func discovery(_ data: AdvertisingData) -> Discovery {
        var discovery = Discovery(
            Self.identity, name: mistake == .hidesNames ? nil : data.name?.text,
            services: data.services, rssi: -60, isConnectable: true)
        for structure in data.structures {
            guard case .manufacturerData(let company, let bytes) = structure.content else {
                continue
            }
            discovery.manufacturerData.append(ManufacturerData(company: company, bytes: bytes))
        }
        return discovery
    }

    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> BLECancellable {
        let isOver = Locked(false)
        let end: @Sendable () -> Bool = {
            isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
        }
        let driver = MadeUpDriver(self, events)
        later(Self.delay) { [self] in
            let answer = state.withLock { state -> Result<any LinkDriver, BLEError>? in
                if isOver.withLock({ $0 }), mistake != .staysConnectedAfterCancelling { return nil }
                guard identity == Self.identity else {
                    return .failure(BLEError(.notFound, .connect))
                }
                if state.link != nil, mistake != .connectsTwice {
                    return .failure(BLEError(.alreadyConnected, .connect))
                }
                guard state.advertisement != nil else { return nil }
                state.link = driver
                return .success(driver)
            }
            guard let answer else { return }
            if case .success = answer {
                deliver(.connected)
                deliver(.maximumLength(MadeUpDriver.maximumLength))
            }
            if end() { completion(answer) }
        }
        return BLECancellable {
            if end() { completion(.failure(BLEError(.cancelled, .connect))) }
        }
    }

    func later(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
        _ = stepped.schedule(at: stepped.now() + delay, action)
    }

    func modify<Result: Sendable>(
        _ change: @Sendable (inout ContractPeripheral) -> Result
    ) -> Result {
        let result = state.withLock { change(&$0.device) }
        deliver(.changed)
        return result
    }

    /// Passes an event to the device, and performs its effects.
    func deliver(_ event: PeripheralEvent) {
        var effects = PeripheralEffects()
        let now = stepped.now()
        let link = state.withLock { state in
            state.device.handle(event, at: now, into: &effects)
            for case .advertise(let advertisement) in effects.all {
                state.advertisement = advertisement
            }
            return state.link
        }
        for effect in effects.all { link?.take(effect) }
    }

    func newToken() -> ResponseToken {
        state.withLock { state in
            state.lastToken += 1
            return ResponseToken(state.lastToken)
        }
    }

    /// Forgets the link of a driver.
    func left(_ driver: MadeUpDriver) {
        state.withLock { state in
            if state.link === driver { state.link = nil }
        }
        deliver(.disconnected)
    }
}

/// The stepped time, with a loop of its own.
private struct TimeWithNewLoop: ForwardingTime {
    let base: any TransportTime
    let loop = TransportLoop()
}
