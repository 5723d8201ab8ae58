public import Foundation

/// The delegate of a ``CBCentralManager``. All functions but the first are optional.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    /// The state of Bluetooth has changed.
    func centralManagerDidUpdateState(_ central: CBCentralManager)

    /// The system hands over what it has kept for the app: the first call of all.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])

    /// A device was discovered.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber)

    /// A link is open.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)

    /// An attempt has failed.
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?)

    /// A link has ended.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?)

    /// A link has ended; called only if the delegate does not have the older function.
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?)
}

extension CBCentralManagerDelegate {
    /// Notes that the delegate does not have this function.
    public func centralManager(
        _ central: CBCentralManager, willRestoreState dict: [String: Any]
    ) { central.system.ignore("centralManager(_:willRestoreState:)") }

    /// Notes that the delegate does not have this function.
    public func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) { central.system.ignore("centralManager(_:didDiscover:advertisementData:rssi:)") }

    /// Notes that the delegate does not have this function.
    public func centralManager(
        _ central: CBCentralManager, didConnect peripheral: CBPeripheral
    ) { central.system.ignore("centralManager(_:didConnect:)") }

    /// Notes that the delegate does not have this function.
    public func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) { central.system.ignore("centralManager(_:didFailToConnect:error:)") }

    /// Notes that the delegate does not have this function.
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        central.lacksOlderDisconnect = true
    }

    /// Notes that the delegate does not have this function.
    public func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
    ) {
        central.system.ignore(
            "centralManager(_:didDisconnectPeripheral:timestamp:isReconnecting:error:)")
    }
}

/// The time of day of a callback in seconds.
public typealias CFAbsoluteTime = Double
