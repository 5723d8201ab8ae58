import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport

/// A log of all that a client does, a line for each operation and event with its virtual time in
/// milliseconds; and a list of the operations that have not ended.
final class LifeLog: Sendable {
    private struct State {
        var lines: [String] = []
        var lastNumber: [String: Int] = [:]
        /// The names of the operations that have begun and not ended.
        var open: Set<String> = []
        /// The number of waits of each kind that have begun and not ended.
        var waits: [String: Int] = [:]
        var names: [AttributeID: String] = [:]
    }

    private let state = Locked(State())
    private let air: VirtualBluetooth

    /// Called when a link is closed, and when it is released.
    let linkLeft: @Sendable () -> Void

    /// Creates a log for a transport.
    init(_ air: VirtualBluetooth, linkLeft: @escaping @Sendable () -> Void = {}) {
        self.air = air
        self.linkLeft = linkLeft
    }

    /// The transport, with every timer, scan, link and operation in the log.
    var bluetooth: WatchedBluetooth { WatchedBluetooth(air, self) }

    /// All lines so far.
    var text: String { state.withLock { $0.lines }.map { $0 + "\n" }.joined() }

    /// Notes an action or an observation of an app.
    func note(_ words: String) {
        let milliseconds = air.time.now().microseconds / 1_000
        let column = String(repeating: " ", count: max(0, 9 - "\(milliseconds)".count))
        state.withLock { $0.lines.append("\(column)\(milliseconds)  \(words)") }
    }

    /// Notes the beginning of an operation; returns its name, which has a number.
    func begin(_ kind: String, _ words: String) -> String {
        let name = state.withLock { state in
            let number = (state.lastNumber[kind] ?? 0) + 1
            state.lastNumber[kind] = number
            state.open.insert("\(kind) \(number)")
            return "\(kind) \(number)"
        }
        note("\(name)\(words)")
        return name
    }

    /// Notes the end of an operation; returns `false` if it had ended before.
    @discardableResult
    func end(_ name: String, _ words: String) -> Bool {
        let isFirst = state.withLock { $0.open.remove(name) != nil }
        if isFirst { note("\(name) \(words)") }
        return isFirst
    }

    /// Counts the waits of a kind.
    func wait(_ kind: String, _ change: Int) {
        state.withLock { $0.waits[kind, default: 0] += change }
    }

    /// Learns the names of the attributes of services.
    func learn(_ services: [GATTService]) {
        state.withLock { state in
            for characteristic in services.flatMap(\.characteristics) {
                state.names[characteristic.id] = Self.name(characteristic.uuid)
            }
        }
    }

    /// The name of an attribute.
    func name(_ attribute: AttributeID) -> String {
        state.withLock { $0.names[attribute] } ?? "attribute \(attribute.rawValue)"
    }

    private static func name(_ uuid: BluetoothUUID) -> String {
        switch uuid {
        case RingServices.uartWrite: "uart"
        case RingServices.uartNotify: "uart answers"
        case RingServices.bigDataWrite: "records"
        case RingServices.bigDataNotify: "records' answers"
        default: "\(uuid)"
        }
    }

    /// The operations and waits that have not ended; empty after everything was cleaned up.
    var leftovers: [String] {
        state.withLock { state in
            state.open.sorted()
                + state.waits.filter { $0.value != 0 }.map { "\($0.value) of \($0.key)" }.sorted()
        }
    }
}

/// Virtual Bluetooth that logs its operations.
struct WatchedBluetooth: ForwardingTransport {
    let base: VirtualBluetooth
    private let log: LifeLog

    init(_ air: VirtualBluetooth, _ log: LifeLog) {
        base = air
        self.log = log
    }

    var time: any TransportTime { WatchedTime(base.time, log) }
    var clock: VirtualClock { base.clock }

    func startScan(
        _ filter: ScanFilter, _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> BLECancellable {
        let name = log.begin("scan", "")
        let scan = base.startScan(filter, report)
        return BLECancellable { [log] in
            log.end(name, "ends")
            scan.cancel()
        }
    }

    func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> BLECancellable {
        let name = log.begin("link", ": connect")
        let attempt = base.openLink(to: identity) { [log] event in
            switch event {
            case .value: break
            case .servicesChanged: log.note("\(name): the services change")
            case .maximumLengthChanged: log.note("\(name): the length of writes changes")
            case .disconnected(let reason): log.end(name, "ends: \(reason)")
            }
            events(event)
        } completion: { [log] result in
            switch result {
            case .success(let driver):
                log.note("\(name): connected")
                completion(.success(WatchedDriver(driver, name, log)))
            case .failure(let error):
                log.end(name, "fails: \(error)")
                completion(.failure(error))
            }
        }
        return BLECancellable { [log] in
            log.note("\(name): cancel connecting")
            attempt.cancel()
        }
    }
}

/// Virtual time that logs its timers.
private struct WatchedTime: ForwardingTime {
    let base: any TransportTime
    private let log: LifeLog

    init(_ time: any TransportTime, _ log: LifeLog) {
        base = time
        self.log = log
    }

    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        let name = log.begin("timer", " for \(moment.microseconds / 1_000)")
        let timer = base.schedule(at: moment) { [log] in
            log.end(name, "rings")
            action()
        }
        return BLECancellable { [log] in
            log.end(name, "is cancelled")
            timer.cancel()
        }
    }

    func waiting(_ change: WaitChange) {
        switch change {
        case .begins: log.wait("waits", 1)
        case .ends: log.wait("waits", -1)
        case .resumes: break
        case .listeningBegins: log.wait("waits that only listen", 1)
        case .listeningEnds: log.wait("waits that only listen", -1)
        case .sleepBegins: log.wait("sleeps", 1)
        case .sleepEnds: log.wait("sleeps", -1)
        case .actionBegins: log.wait("actions", 1)
        case .actionEnds: log.wait("actions", -1)
        }
        base.waiting(change)
    }
}

/// A link that logs its operations and their failures.
private final class WatchedDriver: ForwardingDriver {
    let base: any LinkDriver
    private let name: String
    private let log: LifeLog

    init(_ driver: any LinkDriver, _ name: String, _ log: LifeLog) {
        base = driver
        self.name = name
        self.log = log
    }

    private func asked<Value>(
        _ words: String, _ completion: @escaping @Sendable (Result<Value, BLEError>) -> Void
    ) -> @Sendable (Result<Value, BLEError>) -> Void {
        log.note("\(name): \(words)")
        return { [log, name] result in
            if case .failure(let error) = result { log.note("\(name): \(error)") }
            completion(result)
        }
    }

    func discoverServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) {
        base.discoverServices(
            asked("discover") { [log] result in
                if case .success(let services) = result { log.learn(services) }
                completion(result)
            })
    }

    func read(
        _ attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) {
        base.read(attribute, asked("read \(log.name(attribute))", completion))
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        let mark = mode == .withResponse ? "" : " without response"
        let words = "write \(log.name(attribute))\(mark) \(Self.words(value))"
        base.write(value, to: attribute, mode, asked(words, completion))
    }

    /// Bytes in hexadecimal; of a frame without its checksum and the zeros at its end.
    private static func words(_ value: [UInt8]) -> String {
        var bytes = value[...]
        if (try? Frame(decoding: value)) != nil {
            bytes = bytes.dropLast()
            while bytes.count > 1, bytes.last == 0 { bytes = bytes.dropLast() }
        }
        return bytes.map { HexText.byte($0) }.joined(separator: " ")
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) {
        let words = isOn ? "subscribe to" : "unsubscribe from"
        base.setNotify(isOn, for: attribute, asked("\(words) \(log.name(attribute))", completion))
    }

    func readRSSI(_ completion: @escaping @Sendable (Result<Int, BLEError>) -> Void) {
        base.readRSSI(asked("read the signal's strength", completion))
    }

    func disconnect() {
        log.note("\(name): disconnect")
        log.linkLeft()
        base.disconnect()
    }

    deinit { log.linkLeft() }
}
