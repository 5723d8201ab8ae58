public import HaloProtocol
public import HaloTransport

/// An output of an air: the result of an operation under its tag, or an event.
public enum AirOutput: Hashable, Sendable {
    /// A scan has received an advertisement.
    indirect case heard(DeviceNumber, Discovery, tag: UInt64)
    /// A link is open.
    case connected(AirLinkNumber, tag: UInt64)
    /// The services of the device.
    case services([GATTService], tag: UInt64)
    /// A value was read.
    case value([UInt8], tag: UInt64)
    /// A write or a subscription was carried out.
    case done(tag: UInt64)
    /// The signal strength in dBm.
    case rssi(Int, tag: UInt64)
    /// An operation, a scan or a connection attempt failed.
    indirect case failed(BLEError, tag: UInt64)
    /// An event of a link.
    case event(AirLinkNumber, LinkEvent)
    /// A scheduled timer has fired.
    case timer(tag: UInt64)
}

/// The limits of an air's queues: beyond them packets are dropped and counted, or refused.
public enum AirLimits {
    /// The maximum number of packets of a device that wait for a link; more are dropped.
    public static let packetsToCentral = 1_024
    /// The maximum number of writes without response in the controller's buffer; further ones wait
    /// in the link's queue.
    public static let commandsInController = 8
    /// The maximum number of waiting operations of a link; more are refused as overloaded.
    public static let operations = 256
    /// The maximum length of an attribute's value in bytes; a device's longer value is truncated.
    public static let valueLength = 512
    /// The maximum number of queued outputs; further values and discoveries are dropped.
    public static let outputs = 65_536
    /// The request timeout in microseconds: thirty seconds.
    public static let answerMicroseconds: Int64 = 30_000_000
    /// The MTU of a link before an exchange.
    public static let defaultMTU = 23
    /// The maximum MTU that this air's centrals agree to.
    public static let centralMTU = 247
}

/// The counts of packets that an air dropped or truncated.
public struct AirLosses: Hashable, Sendable {
    /// Packets of devices beyond ``AirLimits/packetsToCentral``.
    public var packets = 0
    /// Notifications and indications that were truncated to the MTU.
    public var truncatedValues = 0
    /// Outputs dropped beyond ``AirLimits/outputs``.
    public var outputs = 0
    /// Replies of devices without a matching request.
    public var strayReplies = 0
    /// Notifications and indications sent without a connection or a subscription.
    public var unsubscribed = 0

    /// Creates counts of zero.
    public init() {}
}

/// The latest events on the links of an air.
public struct AirTrace: Hashable, Sendable, CustomStringConvertible {
    /// One event.
    public struct Entry: Hashable, Sendable {
        /// The moment in the air's time.
        public let moment: Moment
        /// The affected device.
        public let device: DeviceNumber
        /// The description of the event.
        public let text: String
    }

    /// The maximum number of entries.
    public let limit: Int
    private var ring: [Entry] = []
    private var next = 0

    /// Creates a trace of at most `limit` entries; a negative limit counts as 0.
    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    /// The entries, oldest first.
    public var entries: [Entry] { Array(ring[next...] + ring[..<next]) }

    mutating func append(_ moment: Moment, _ device: DeviceNumber, _ text: String) {
        let entry = Entry(moment: moment, device: device, text: text)
        if ring.count < limit {
            ring.append(entry)
        } else {
            ring[next] = entry
            next = (next + 1) % limit
        }
    }

    /// A line for each entry.
    public var description: String {
        entries.map { "\($0.moment) \($0.device): \($0.text)" }.joined(separator: "\n")
    }
}

/// A device of an air, numbered from 0 in the order of addition.
public struct DeviceNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number, counted from 0.
    public let rawValue: Int

    /// Creates the number of a device.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Orders devices by their number.
    public static func < (left: DeviceNumber, right: DeviceNumber) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `device 0`.
    public var description: String { "device \(rawValue)" }
}

/// A central of an air, numbered from 0 in the order of addition.
public struct CentralNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number, counted from 0.
    public let rawValue: Int

    /// Creates the number of a central.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `central 0`.
    public var description: String { "central \(rawValue)" }
}

/// A link of an air. Every link has its own number, so that a request to an ended link never
/// reaches a later one to the same device.
public struct AirLinkNumber: Hashable, Sendable {
    /// The device.
    public let device: DeviceNumber
    /// The 1-based index of the link in the air.
    public let serial: UInt64

    /// Creates the number of a link from its device and its serial number.
    public init(_ device: DeviceNumber, serial: UInt64) {
        self.device = device
        self.serial = serial
    }
}
