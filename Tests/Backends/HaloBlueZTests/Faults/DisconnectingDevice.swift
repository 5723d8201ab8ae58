import HaloProtocol
import HaloTransport

/// A device that leaves, or falls silent, after a number of further values.
struct DisconnectingDevice<Device: GATTPeripheral>: GATTPeripheral {
    /// The way in which it vanishes.
    enum Fate: Sendable {
        /// Closes the link.
        case leaves
        /// Stops answering.
        case fallsSilent
    }

    var device: Device
    private var fate: Fate?
    private var valuesLeft = 0
    /// `true` once it has vanished.
    private(set) var isGone = false

    init(_ device: Device) { self.device = device }

    /// Sends a number of further values, and then vanishes.
    mutating func meet(_ fate: Fate, after values: Int) {
        (self.fate, valuesLeft, isGone) = (fate, values, false)
    }

    var services: [GATTService] { device.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        var own = PeripheralEffects()
        device.handle(event, at: now, into: &own)
        if case .connected = event, isGone { (fate, isGone) = (nil, false) }
        for effect in own.all {
            guard let fate, case .notify = effect else {
                effects.append(effect)
                continue
            }
            if valuesLeft > 0 {
                valuesLeft -= 1
                effects.append(effect)
            } else if !isGone {
                isGone = true
                if case .leaves = fate { effects.append(.disconnect) }
            }
        }
    }
}
