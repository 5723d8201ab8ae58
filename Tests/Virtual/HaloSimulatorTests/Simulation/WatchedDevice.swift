import HaloProtocol
import HaloTransport

@testable import HaloSimulator

/// A wrapper that records the packets and states of a device, without changing its behaviour.
struct WatchedDevice<Device: GATTPeripheral>: GATTPeripheral {
    /// The wrapped device.
    var device: Device
    let record: DeviceRecord<Device>
    private let channels: [AttributeID: RingChannel]
    /// The first byte of the last write on each channel, until it is answered.
    private var awaited: [RingChannel: UInt8] = [:]

    init(_ device: Device, record: DeviceRecord<Device>) {
        self.device = device
        self.record = record
        var channels: [AttributeID: RingChannel] = [:]
        for characteristic in device.services.flatMap(\.characteristics) {
            switch characteristic.uuid {
            case RingServices.uartWrite, RingServices.uartNotify:
                channels[characteristic.id] = .uart
            case RingServices.bigDataWrite, RingServices.bigDataNotify:
                channels[characteristic.id] = .bigData
            default: break
            }
        }
        self.channels = channels
    }

    var services: [GATTService] { device.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        let before = effects.all.count
        device.handle(event, at: now, into: &effects)
        if case .write(let attribute, let bytes, _) = event, let channel = channels[attribute] {
            record.append(.arrived(channel, bytes))
            record.append(.state(device, now))
            awaited[channel] = bytes.first
        }
        for effect in effects.all[min(before, effects.all.count)...] {
            guard case .notify(let attribute, let bytes) = effect,
                let channel = channels[attribute]
            else { continue }
            // Replies and requests begin with the same byte, on either channel.
            if let first = awaited[channel], first == bytes.first {
                awaited[channel] = nil
                record.append(.state(device, now))
            }
            record.append(.sent(channel, bytes))
        }
    }
}

/// The entries that a ``WatchedDevice`` has recorded since the last ``drain()``.
final class DeviceRecord<Device: Sendable>: Sendable {
    /// One observation.
    enum Entry: Sendable {
        /// A write arrived at the device.
        case arrived(RingChannel, [UInt8])
        /// The device has sent a packet.
        case sent(RingChannel, [UInt8])
        /// A copy of the device at a moment.
        case state(Device, Moment)
    }

    private let entries = Locked<[Entry]>([])

    /// Appends an entry.
    func append(_ entry: Entry) {
        entries.withLock { $0.append(entry) }
    }

    /// Removes and returns every entry, in order.
    func drain() -> [Entry] {
        entries.withLock { entries in
            guard !entries.isEmpty else { return [] }
            defer { entries.removeAll(keepingCapacity: true) }
            return entries
        }
    }
}
