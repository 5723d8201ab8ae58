public import Foundation

/// The delegate of a ``CBPeripheral``. All functions are optional.
public protocol CBPeripheralDelegate: NSObjectProtocol {
    /// The name has changed.
    func peripheralDidUpdateName(_ peripheral: CBPeripheral)

    /// Services have changed; the invalidated ones are of no use any more.
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])

    /// The answer to `readRSSI`.
    func peripheral(
        _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)

    /// The answer to `discoverServices`.
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)

    /// The answer to `discoverIncludedServices`.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService,
        error: (any Error)?)

    /// The answer to `discoverCharacteristics`.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?)

    /// The answer to a read, or a notification: both come here.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?)

    /// The answer to a write with response.
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?)

    /// The answer to `setNotifyValue`.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?)

    /// The answer to `discoverDescriptors`.
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?)

    /// The answer to a read of a descriptor.
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor,
        error: (any Error)?)

    /// The answer to a write of a descriptor.
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor,
        error: (any Error)?)

    /// There is room again for writes without response.
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)
}

extension CBPeripheralDelegate {
    /// Notes that the delegate does not have this function.
    public func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
        peripheral.system.ignore("peripheralDidUpdateName(_:)")
    }

    /// Logs that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]
    ) {
        peripheral.system.log(
            "WARNING: The delegate for \(peripheral.logName) does not implement"
                + " -[peripheral:didModifyServices:]")
    }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didReadRSSI:error:)") }

    /// Notes that the delegate does not have this function.
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        peripheral.system.ignore("peripheral(_:didDiscoverServices:)")
    }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService,
        error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didDiscoverIncludedServicesFor:error:) service") }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didDiscoverCharacteristicsFor:error:) service") }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didUpdateValueFor:error:) characteristic") }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didWriteValueFor:error:) characteristic") }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        peripheral.system.ignore(
            "peripheral(_:didUpdateNotificationStateFor:error:) characteristic")
    }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didDiscoverDescriptorsFor:error:) characteristic") }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor,
        error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didUpdateValueFor:error:) descriptor") }

    /// Notes that the delegate does not have this function.
    public func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor,
        error: (any Error)?
    ) { peripheral.system.ignore("peripheral(_:didWriteValueFor:error:) descriptor") }

    /// Notes that the delegate does not have this function.
    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        peripheral.system.ignore("peripheralIsReady(toSendWriteWithoutResponse:)")
    }
}
