internal import HaloCapture
package import HaloProtocol

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
    /// The devices with advertisements, in the order of their first ones; at most
    /// `TrafficSurvey.deviceLimit`. All anonymous ones are one.
    public internal(set) var heard: [HeardDevice] = []
    /// Every connection, in the order of first records.
    public internal(set) var connections: [TrafficConnection] = []
    /// The irregularities, the most frequent first.
    public internal(set) var findings: [TrafficFinding] = []

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
                    ? "the connections are encrypted, and cannot be read"
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

extension BluetoothUUID {
    /// The UUID for a capture of a characteristic with an unknown UUID, made from its handle.
    ///
    ///     0000HHHH-4841-4C4F-0000-000000000000    HHHH: the handle; 4841 4C4F spells HALO
    package static func unnamed(handle: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: UInt64(handle) << 32 | unnamedMark, low: 0)
    }

    /// The handle in a UUID of ``unnamed(handle:)``; `nil` for other UUIDs.
    package var unnamedHandle: UInt16? {
        guard low == 0, high & 0xFFFF_FFFF == Self.unnamedMark else { return nil }
        return UInt16(exactly: high >> 32)
    }

    private static var unnamedMark: UInt64 { 0x4841_4C4F }
}
