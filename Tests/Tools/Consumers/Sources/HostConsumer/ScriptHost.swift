import HaloProtocol
import HaloTransport

/// A host whose central is a script; it keeps the effects of the device.
///
/// Its time passes only when the script says so, so the script is exact.
final class ScriptHost<Device: GATTPeripheral>: Sendable {
    let time: ScriptTime
    let log: ScriptLog
    private let host: PeripheralHost<Device>
    /// The device as the program holds it.
    let hosted: Hosted<Device>

    init(_ device: Device) {
        let time = ScriptTime()
        let log = ScriptLog()
        let host = PeripheralHost(device, on: time) { log.add($0) }
        self.time = time
        self.log = log
        self.host = host
        hosted = Hosted(host, ScriptControl(host, log))
        host.start()
    }

    func connect() {
        log.isConnected = true
        host.handle(.connected)
        host.handle(.maximumLength(20))
    }

    func read(_ attribute: AttributeID, token: UInt32) {
        host.handle(.read(attribute, offset: 0, token: ResponseToken(token)))
    }

    func write(_ value: [UInt8], to attribute: AttributeID, token: UInt32) {
        host.handle(.write(attribute, value, token: ResponseToken(token)))
    }

    func subscribe(to attribute: AttributeID) {
        host.handle(.subscription(attribute, isOn: true))
    }
}

/// The host's control of its device.
final class ScriptControl: HostControl {
    let identity: PeripheralIdentity? = PeripheralIdentity("script")
    private let host: any PeripheralHosting
    private let log: ScriptLog

    init(_ host: any PeripheralHosting, _ log: ScriptLog) {
        self.host = host
        self.log = log
    }

    var isConnected: Bool { log.isConnected }

    func remove() async {
        host.handle(.disconnected)
        host.stop()
        log.isConnected = false
    }

    func waitUntilEnded() async -> BLEError? { nil }
}
