internal import HaloProtocol
internal import HaloTransport

/// A slot with its device.
final class AirBox<Device: GATTPeripheral>: AirSlot {
    @exclusivity(unchecked) var device: Device

    init(
        _ number: DeviceNumber, _ options: AirPlacement, _ device: Device,
        events: inout EventQueue
    ) {
        self.device = device
        super.init(number, options, events: &events)
    }

    override func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        device.handle(event, at: now, into: &effects)
    }

    override func readServices() {
        services = device.services
        super.readServices()
    }
}
