public import Foundation

/// The delegate of a ``CBPeripheralManager``. All functions but the first are optional.
public protocol CBPeripheralManagerDelegate: NSObjectProtocol {
    /// The state of Bluetooth has changed.
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)

    /// The system hands over what it has kept for the app.
    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any])

    /// The answer to `startAdvertising`.
    func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?)

    /// The answer to `add`.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)

    /// A central has subscribed.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic)

    /// A central has unsubscribed, or is gone.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic)

    /// A central reads; the app must respond once.
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)

    /// A central writes; the app must respond once, to the first of the requests.
    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])

    /// There is room again for updates.
    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)
}

extension CBPeripheralManagerDelegate {
    /// Notes that the delegate does not have this function.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]
    ) { peripheral.system.ignore("peripheralManager(_:willRestoreState:)") }

    /// Notes that the delegate does not have this function.
    public func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) { peripheral.system.ignore("peripheralManagerDidStartAdvertising(_:error:)") }

    /// Notes that the delegate does not have this function.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) { peripheral.system.ignore("peripheralManager(_:didAdd:error:)") }

    /// Notes that the delegate does not have this function.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) { peripheral.system.ignore("peripheralManager(_:central:didSubscribeTo:)") }

    /// Notes that the delegate does not have this function.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) { peripheral.system.ignore("peripheralManager(_:central:didUnsubscribeFrom:)") }

    /// Does nothing: the central waits for ever.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
    ) { peripheral.system.ignore("peripheralManager(_:didReceiveRead:)") }

    /// Does nothing: the central waits for ever.
    public func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) { peripheral.system.ignore("peripheralManager(_:didReceiveWrite:)") }

    /// Notes that the delegate does not have this function.
    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        peripheral.system.ignore("peripheralManagerIsReady(toUpdateSubscribers:)")
    }
}
