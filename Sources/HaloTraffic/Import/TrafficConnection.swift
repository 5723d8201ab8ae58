public import HaloCapture
public import HaloProtocol

/// A connection between an app and a device, as a file of traffic shows it.
public struct TrafficConnection: Hashable, Sendable {
    /// Which one it is, counted from 1 in the order in which they are met.
    public let number: Int
    /// The device's address, if the file tells it.
    public internal(set) var address: DeviceAddress?
    /// The device's name, if it was heard.
    public internal(set) var name: AdvertisedName?
    /// Which end the recorder sat at.
    public internal(set) var role = DeviceRole.unknown
    /// The record that it begins with.
    public internal(set) var firstRecord = 0
    /// When it began, in the file's microseconds.
    public internal(set) var firstMicroseconds: Int64 = 0
    /// When it was last heard of, in the file's microseconds.
    public internal(set) var lastMicroseconds: Int64 = 0
    /// The last record that belongs to it.
    public internal(set) var lastRecord = 0
    /// The maximum transfer unit that was agreed on last.
    public internal(set) var mtu: UInt16?
    /// Whether it was encrypted, at least in the end.
    public internal(set) var isEncrypted = false
    /// Whether what was said can be read, also where it was encrypted on the air.
    public internal(set) var isReadable = true
    /// Whether its end was recorded.
    public internal(set) var hasEnded = false
    /// Why it ended, in the controller's words.
    public internal(set) var endReason: UInt8?
    /// The device's attributes, as far as they were discovered or used, in the order of handles.
    public internal(set) var attributes: [TrafficAttribute] = []

    init(number: Int) {
        self.number = number
    }

    /// How many values went to the device and came from it.
    public var valueCount: Int {
        attributes.reduce(0) { $0 + $1.written.count + $1.notified.count + $1.read.count }
    }

    /// Whether anything was said.
    public var hasConversation: Bool { attributes.contains(where: \.isUsed) }

    /// Whether frames of a ring went over it: its characteristics were used, in its service where
    /// the device has told that. Nordic's service has characteristics of the same numbers.
    public var isRing: Bool {
        attributes.contains { attribute in
            let service = attribute.service
            return attribute.isUsed
                && (attribute.uuid == RingServices.uartWrite
                    || attribute.uuid == RingServices.uartNotify)
                && (service == nil || service == RingServices.uart)
        }
    }
}
