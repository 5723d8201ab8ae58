internal import HaloProtocol
internal import HaloTransport

/// A device that writes down what reaches it and what it sends, and is otherwise as it is.
struct WatchedDevice<Device: GATTPeripheral>: GATTPeripheral {
    /// The device.
    var device: Device
    let record: DeviceRecord<Device>
    private let channels: [AttributeID: RingChannel]
    /// What has arrived last on each channel, as its first byte, until that is answered.
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
            // Answers and requests begin with the same byte, on either channel.
            if let first = awaited[channel], first == bytes.first {
                awaited[channel] = nil
                record.append(.state(device, now))
            }
            record.append(.sent(channel, bytes))
        }
    }
}

/// What a ``WatchedDevice`` has written down and nobody has read yet.
final class DeviceRecord<Device: Sendable>: Sendable {
    /// One thing that was seen.
    enum Entry: Sendable {
        /// Something was written to the device.
        case arrived(RingChannel, [UInt8])
        /// The device has sent something.
        case sent(RingChannel, [UInt8])
        /// The device as it was then.
        case state(Device, Moment)
    }

    private let entries = Locked<[Entry]>([])

    /// Puts something down.
    func append(_ entry: Entry) {
        entries.withLock { $0.append(entry) }
    }

    /// Everything that was put down since the last time, in order.
    func take() -> [Entry] {
        entries.withLock { entries in
            guard !entries.isEmpty else { return [] }
            defer { entries.removeAll(keepingCapacity: true) }
            return entries
        }
    }
}
