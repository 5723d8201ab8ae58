#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import HaloTransport

/// A discovery of all services, characteristics and descriptors: many replies of the system, and
/// one for the app.
///
/// Replies that are not waited for are ignored: the system sends some twice.
struct LinkDiscovery {
    private var awaitsServices = true
    private var services: Set<ObjectIdentifier> = []
    private var characteristics: Set<ObjectIdentifier> = []
    private(set) var restarts = 0

    static let maximumRestarts = 8

    /// Requests the services from the system.
    init(_ peripheral: CBPeripheral) { peripheral.discoverServices(nil) }

    mutating func restart(_ peripheral: CBPeripheral) {
        let restarts = self.restarts + 1
        self = LinkDiscovery(peripheral)
        self.restarts = restarts
    }

    var isComplete: Bool { !awaitsServices && services.isEmpty && characteristics.isEmpty }

    /// Handles the reply with the services; returns `false` if it was not waited for.
    mutating func receivedServices(_ peripheral: CBPeripheral) -> Bool {
        guard awaitsServices else { return false }
        awaitsServices = false
        for service in peripheral.services ?? [] {
            services.insert(ObjectIdentifier(service))
            peripheral.discoverCharacteristics(nil, for: service)
        }
        return true
    }

    /// Handles the characteristics of a service; returns `false` if they were not waited for.
    mutating func received(_ service: CBService, _ peripheral: CBPeripheral) -> Bool {
        guard services.remove(ObjectIdentifier(service)) != nil else { return false }
        for characteristic in service.characteristics ?? [] {
            characteristics.insert(ObjectIdentifier(characteristic))
            peripheral.discoverDescriptors(for: characteristic)
        }
        return true
    }

    /// Handles the descriptors of a characteristic; `false` if they were not waited for.
    mutating func received(_ characteristic: CBCharacteristic) -> Bool {
        characteristics.remove(ObjectIdentifier(characteristic)) != nil
    }
}
#endif
