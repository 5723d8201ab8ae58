public import HaloCapture
public import HaloProtocol

/// What is in a file of traffic: devices, connections, what their attributes are, what looks
/// wrong.
///
/// Times are microseconds of the file's own clock: since 1970 in UTC where the format knows a
/// date, else since the recorder began.
public struct TrafficReport: Hashable, Sendable {
    /// The format of the file; nothing where that was not found out.
    public internal(set) var format: TrafficFormat?
    /// How many records were read.
    public internal(set) var recordCount = 0
    /// How many bytes were read: those before the error, where one ended the reading.
    public internal(set) var byteCount = 0
    /// The time of the first record.
    public internal(set) var firstMicroseconds: Int64?
    /// The latest time of a record.
    public internal(set) var lastMicroseconds: Int64?
    /// Devices that were heard advertising, in the order in which they were heard first; no more
    /// than ``TrafficSurvey/deviceLimit``.
    public internal(set) var heard: [HeardDevice] = []
    /// Every connection, in the order in which they were met.
    public internal(set) var connections: [TrafficConnection] = []
    /// What looks wrong, the most frequent first.
    public internal(set) var findings: [TrafficFinding] = []

    init() {}

    /// From the first record to the latest, in microseconds.
    public var microseconds: Int64 {
        guard let firstMicroseconds, let lastMicroseconds else { return 0 }
        return max(lastMicroseconds.subtractingReportingOverflow(firstMicroseconds).partialValue, 0)
    }

    /// What a clock in UTC showed at a time of the file, if the file knows dates.
    ///
    /// A recorder without a clock counts from its own beginning: a time before the year 2000 is
    /// taken for that.
    public static func clock(_ microseconds: Int64) -> CivilDateTime? {
        let seconds = microseconds / 1_000_000
        guard seconds >= 946_684_800, let seconds = UInt32(exactly: seconds) else { return nil }
        return CivilDateTime(secondsSince1970: seconds)
    }
}

/// A device that was heard advertising.
public struct HeardDevice: Hashable, Sendable {
    /// Its address.
    public let address: DeviceAddress
    /// Its name, if it said one; the last one, the complete one before a cut one.
    public internal(set) var name: AdvertisedName?
    /// How many advertisements and scan responses were heard.
    public internal(set) var count = 0
    /// How strong the strongest was, in dBm.
    public internal(set) var strongest: Int8?
}

/// What looks wrong in a file of traffic, how often, and where first.
public struct TrafficFinding: Hashable, Sendable {
    /// What looks wrong.
    public let oddity: TrafficOddity
    /// How often.
    public internal(set) var count: Int
    /// The record where it was seen first, counted from 1.
    public let firstRecord: Int
    /// Where in the file that record begins, in bytes.
    public let firstOffset: Int
}

/// Which end of a connection the recorder sat at.
public enum DeviceRole: Hashable, Sendable {
    /// The recorder's host is the app's: the device is the other one.
    case remote
    /// The recorder's host is the device itself.
    case local
    /// The recorder listened between them.
    case overheard
    /// Nobody knows: the recording began in the middle of the connection.
    case unknown
}

extension TrafficReport {
    /// The connections that a selection means, in the order in which they were met: at least one,
    /// and only such as have values.
    public func conversations(
        _ device: DeviceSelection
    ) throws(TrafficError) -> [TrafficConnection] {
        let talking = connections.filter(\.hasConversation)
        guard !talking.isEmpty else {
            let isSecret = connections.contains { $0.isEncrypted && !$0.isReadable }
            throw Self.none(
                isSecret
                    ? "the connections are encrypted, and nothing of them can be read"
                    : "no connection of this file has any values")
        }
        switch device {
        case .all:
            return talking
        case .address(let address):
            let same = talking.filter { $0.address?.value == address }
            guard !same.isEmpty else {
                throw Self.none("no conversation has a device of this address")
            }
            return same
        case .connection(let number):
            guard let one = talking.first(where: { $0.number == number }) else {
                throw Self.none("no conversation has this number")
            }
            return [one]
        case .only:
            if Self.isOneDevice(talking) { return talking }
            let rings = talking.filter(\.isRing)
            guard !rings.isEmpty else {
                throw Self.none("there are several devices, and none is known to be a ring")
            }
            guard Self.isOneDevice(rings) else { throw Self.none("there are several rings") }
            return rings
        }
    }

    /// Whether all connections are with one device. One whose address was not told is a device of
    /// its own.
    private static func isOneDevice(_ connections: [TrafficConnection]) -> Bool {
        guard connections.count > 1 else { return true }
        guard let address = connections.first?.address else { return false }
        return connections.allSatisfy { $0.address == address }
    }

    private static func none(_ hint: String) -> TrafficError {
        TrafficError(.noConversation, at: 0, hint: hint)
    }
}
