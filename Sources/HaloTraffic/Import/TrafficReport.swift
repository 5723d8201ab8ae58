public import HaloCapture
public import HaloProtocol
public import HaloTransport

/// The contents of a file of traffic: devices, connections, their attributes, and irregularities.
///
/// Times are microseconds of the file's own clock: since 1970 in UTC if the format has dates, else
/// since the recorder began.
public struct TrafficReport: Hashable, Sendable {
    /// The format of the file, or `nil` if it was not recognised.
    public internal(set) var format: TrafficFormat?
    /// The number of records read.
    public internal(set) var recordCount = 0
    /// The number of bytes read; after an error, those before it.
    public internal(set) var byteCount = 0
    /// The time of the first record, or `nil` without records.
    public internal(set) var firstMicroseconds: Int64?
    /// The latest time of a record, or `nil` without records.
    public internal(set) var lastMicroseconds: Int64?
    /// The adapters of the recorder, as far as the file has their addresses or names, in the order
    /// of their numbers.
    public internal(set) var recorders: [TrafficRecorder] = []
    /// The devices with advertisements, in the order of their first ones; at most
    /// `TrafficSurvey.deviceLimit`. All anonymous ones are one.
    public internal(set) var heard: [HeardDevice] = []
    /// Every connection, in the order of first records.
    public internal(set) var connections: [TrafficConnection] = []
    /// The irregularities, the most frequent first.
    public internal(set) var findings: [TrafficFinding] = []

    init() {}

    /// The time from the first record to the latest, in microseconds.
    public var microseconds: Int64 {
        guard let firstMicroseconds, let lastMicroseconds else { return 0 }
        return max(lastMicroseconds.subtractingReportingOverflow(firstMicroseconds).partialValue, 0)
    }

    /// The date and time in UTC at a time of the file; `nil` if the file has no dates.
    ///
    /// A time before the year 2000 is treated as that of a recorder without a clock, which counts
    /// from its start.
    package static func clock(_ microseconds: Int64) -> CivilDateTime? {
        let seconds = microseconds / 1_000_000
        guard seconds >= 946_684_800, let seconds = UInt32(exactly: seconds) else { return nil }
        return CivilDateTime(secondsSince1970: seconds)
    }
}

/// An adapter of the computer or phone that recorded the file.
public struct TrafficRecorder: Hashable, Sendable {
    /// The number of the adapter: 1 for `hci1`.
    public let adapter: UInt16
    /// The public address, or `nil` if the file lacks it.
    public internal(set) var address: DeviceAddress?
    /// The name, or `nil` if the file lacks it.
    public internal(set) var name: AdvertisedName?

    init(adapter: UInt16) {
        self.adapter = adapter
    }
}

/// A device with advertisements in the file.
public struct HeardDevice: Hashable, Sendable {
    /// The address in its advertisements; `nil` for anonymous ones.
    public let address: DeviceAddress?
    /// The longest advertised name; a complete name takes precedence over a shortened one.
    public internal(set) var name: AdvertisedName?
    /// The number of advertisements and scan responses.
    public internal(set) var count = 0
    /// The highest signal strength, in dBm.
    public internal(set) var strongest: Int8?
}

/// An irregularity in a file of traffic, with its count and its first record.
public struct TrafficFinding: Hashable, Sendable {
    /// The irregularity.
    public let oddity: TrafficOddity
    /// The number of occurrences.
    public internal(set) var count: Int
    /// The number of the first record with it, counted from 1.
    public let firstRecord: Int
    /// The file offset of the first record with it.
    public let firstOffset: Int
}

extension TrafficReport {
    /// The connections of a selection, in the order of first records: at least one, and only those
    /// with values.
    package func conversations(
        _ device: DeviceSelection
    ) throws(TrafficError) -> [TrafficConnection] {
        let all = connections.filter(\.hasConversation)
        let conversations = all.filter { !$0.isMirrored(in: all) }
        guard !conversations.isEmpty else {
            let isSecret = connections.contains { $0.isEncrypted && !$0.isReadable }
            throw Self.none(
                isSecret
                    ? "the connections are encrypted, and nothing of them can be read"
                    : "no connection of this file has any values")
        }
        switch device {
        case .all:
            return conversations
        case .address(let address):
            let same = conversations.filter { $0.address?.value == address }
            guard !same.isEmpty else {
                throw Self.none("no conversation has a device of this address")
            }
            return same
        case .connection(let number):
            guard let one = all.first(where: { $0.number == number }) else {
                throw Self.none("no conversation has this number")
            }
            return [one]
        case .only:
            if Self.isOneDevice(conversations) { return conversations }
            let rings = conversations.filter(\.isRing)
            guard !rings.isEmpty else {
                throw Self.none(
                    "there are several devices, and none is known to be a ring: "
                        + Self.choice(conversations))
            }
            guard Self.isOneDevice(rings) else {
                throw Self.none("there are several rings: " + Self.choice(rings))
            }
            return rings
        }
    }

    /// The numbers of connections, and how to select one.
    private static func choice(_ connections: [TrafficConnection]) -> String {
        let limit = 8
        let numbers = connections.prefix(limit).map { "\($0.number)" }.joined(separator: ", ")
        let more = connections.count > limit ? ", …" : ""
        return
            "connections \(numbers)\(more); --device selects one by its number or address, or all"
    }

    /// `true` if all connections are with one device. A connection without an address is a device
    /// of its own.
    private static func isOneDevice(_ connections: [TrafficConnection]) -> Bool {
        guard connections.count > 1 else { return true }
        guard let address = connections.first?.address else { return false }
        return connections.allSatisfy { $0.address == address }
    }

    private static func none(_ hint: String) -> TrafficError {
        TrafficError(.noConversation, at: 0, hint: hint)
    }
}

/// A connection between an app and a device in a file of traffic.
public struct TrafficConnection: Hashable, Sendable {
    /// The number of the connection, counted from 1 in the order of their first records.
    public let number: Int
    /// The device's address, or `nil` if the file lacks it.
    public internal(set) var address: DeviceAddress?
    /// The device's name by its advertisements, or `nil` without one.
    public internal(set) var name: AdvertisedName?
    /// The end of the connection at which the recorder was.
    public internal(set) var role = DeviceRole.unknown
    /// The basis of the role.
    public internal(set) var roleBasis = RoleBasis.assumed
    /// The number of its first record.
    public internal(set) var firstRecord = 0
    /// The time of its first record, in the file's microseconds.
    public internal(set) var firstMicroseconds: Int64 = 0
    /// The latest time of its records, in the file's microseconds.
    public internal(set) var lastMicroseconds: Int64 = 0
    /// The number of its last record.
    public internal(set) var lastRecord = 0
    /// The maximum transfer unit that was agreed last; `nil` without an agreement.
    public internal(set) var mtu: UInt16?
    /// `true` if the connection was encrypted at some time.
    public internal(set) var isEncrypted = false
    /// `true` if its packets can be read, even if they were encrypted in the air.
    public internal(set) var isReadable = true
    /// `true` if its end was recorded.
    public internal(set) var hasEnded = false
    /// The controller's reason for its end, or `nil` if it was not recorded.
    public internal(set) var endReason: UInt8?
    /// The attributes that were discovered or used, in the order of handles.
    public internal(set) var attributes: [TrafficAttribute] = []

    init(number: Int) {
        self.number = number
    }

    /// The number of values in both directions.
    public var valueCount: Int {
        attributes.reduce(0) { $0 + $1.written.count + $1.notified.count + $1.read.count }
    }

    /// `true` if any of its attributes was used.
    public var hasConversation: Bool { attributes.contains(where: \.isUsed) }

    /// `true` if the values of a ring's characteristics are frames with correct checksums.
    ///
    /// The characteristics alone decide nothing: Nordic's UART service has the same ones, and many
    /// devices have that.
    public var isRing: Bool {
        attributes.contains { attribute in
            attribute.hasRingFrames
                && (attribute.uuid == RingServices.uartWrite
                    || attribute.uuid == RingServices.uartNotify)
        }
    }

    /// `true` if the connection was recorded on the device's side, and another one is the same
    /// connection, recorded on the app's side by another adapter.
    fileprivate func isMirrored(in connections: [TrafficConnection]) -> Bool {
        guard role == .local, let address else { return false }
        return connections.contains {
            $0.role == .remote && $0.address == address
                && $0.firstRecord < lastRecord && firstRecord < $0.lastRecord
        }
    }
}

/// An attribute of a device with its UUID, the basis of the UUID, and its traffic.
public struct TrafficAttribute: Hashable, Sendable {
    /// The handle, or `nil` if the log has none.
    public let handle: UInt16?
    /// The type, or ``BluetoothUUID/unnamed(handle:)`` if it is unknown.
    public let uuid: BluetoothUUID
    /// The basis of the type.
    public let basis: ResolutionBasis
    /// The service that contains the attribute, or `nil` if it was not discovered.
    public internal(set) var service: BluetoothUUID?
    /// The properties of the characteristic with this value, or `nil` if they were not discovered.
    public internal(set) var properties: GATTProperties?
    /// The value handle whose notifications this descriptor switches, or `nil`.
    public internal(set) var subscribes: UInt16?
    /// The handle of the value that this descriptor belongs to, or its own one if that is not
    /// known; `nil` for a value.
    public internal(set) var describes: UInt16?
    /// The values written by the app.
    public internal(set) var written = ValueCount()
    /// The values notified or indicated by the device.
    public internal(set) var notified = ValueCount()
    /// The values read by the app.
    public internal(set) var read = ValueCount()
    /// The number of refusals.
    public internal(set) var refusalCount = 0
    /// `true` if values are frames of a ring, with few exceptions.
    public internal(set) var hasRingFrames = false

    init(handle: UInt16?, uuid: BluetoothUUID, basis: ResolutionBasis) {
        self.handle = handle
        self.uuid = uuid
        self.basis = basis
    }

    /// `true` for the values of a log that names neither their characteristic nor a handle.
    package var isUnnamed: Bool { uuid.unnamedHandle == 0 }

    /// `true` if the attribute has any traffic.
    public var isUsed: Bool {
        written.count > 0 || notified.count > 0 || read.count > 0 || refusalCount > 0
    }
}

/// The basis of an attribute's type.
public enum ResolutionBasis: Hashable, Sendable, CaseIterable {
    /// The options of the import.
    case mapped
    /// The log, which names the attribute.
    case named
    /// A discovery on this connection.
    case discovered
    /// A discovery on another connection of the file, which the app has cached.
    case discoveredElsewhere
    /// Writes to the attribute that switched the notifications of the attribute before it.
    case subscribed
    /// The handle, by the layout of known rings, after others of its handles were recognised.
    case layout
    /// The form of the values.
    case recognised
    /// No basis: the type is unknown.
    case unknown

    /// `true` if the type may be wrong.
    public var isGuess: Bool {
        switch self {
        case .mapped, .named, .discovered, .discoveredElsewhere: false
        case .subscribed, .layout, .recognised, .unknown: true
        }
    }
}

extension ResolutionBasis: CustomStringConvertible {
    /// The basis in words.
    public var description: String {
        switch self {
        case .mapped: "as told"
        case .named: "named by the log"
        case .discovered: "discovered"
        case .discoveredElsewhere: "discovered on another connection"
        case .subscribed: "guessed by its use"
        case .layout: "guessed by its place"
        case .recognised: "guessed by its values"
        case .unknown: "unknown"
        }
    }
}

/// The number of values in one direction, and their lengths.
public struct ValueCount: Hashable, Sendable {
    /// The number of values.
    public private(set) var count = 0
    /// The length of the shortest value in bytes; 0 without values.
    public private(set) var shortest = 0
    /// The length of the longest value in bytes; 0 without values.
    public private(set) var longest = 0

    init() {}

    @inline(__always)
    mutating func add(_ length: Int) {
        shortest = count == 0 ? length : min(shortest, length)
        longest = max(longest, length)
        count &+= 1
    }
}

extension BluetoothUUID {
    /// The UUID for a capture of a characteristic with an unknown UUID, made from its handle.
    ///
    ///     0000HHHH-4841-4C4F-0000-000000000000    HHHH: the handle; 4841 4C4F spells HALO
    public static func unnamed(handle: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: UInt64(handle) << 32 | unnamedMark, low: 0)
    }

    /// The handle in a UUID of ``unnamed(handle:)``; `nil` for other UUIDs.
    public var unnamedHandle: UInt16? {
        guard low == 0, high & 0xFFFF_FFFF == Self.unnamedMark else { return nil }
        return UInt16(exactly: high >> 32)
    }

    private static var unnamedMark: UInt64 { 0x4841_4C4F }
}

/// Attribute handles in text.
package enum HandleText {
    /// A handle in four digits: `0x0025`.
    package static func text(_ handle: UInt16) -> String {
        "0x" + HexText.byte(UInt8(handle >> 8)) + HexText.byte(UInt8(truncatingIfNeeded: handle))
    }
}
