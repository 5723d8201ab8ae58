#if os(Linux)
import HaloProtocol
import HaloTransport

/// A device that goes, or falls silent, after it has sent so many more values.
struct VanishingDevice<Device: GATTPeripheral>: GATTPeripheral {
    /// What becomes of it.
    enum Fate: Sendable {
        /// It closes the link.
        case leaves
        /// It says nothing more.
        case fallsSilent
    }

    var device: Device
    private var fate: Fate?
    private var valuesLeft = 0
    /// Whether its fate has come.
    private(set) var isGone = false

    init(_ device: Device) { self.device = device }

    /// From now on it sends so many values, and no more.
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
#endif
