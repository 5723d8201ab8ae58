public import HaloProtocol
public import HaloTransport

/// An attribute of a device: what it is, how that is known, and what went over it.
public struct TrafficAttribute: Hashable, Sendable {
    /// Its handle; nothing where the log has none.
    public let handle: UInt16?
    /// What it is; what nobody can name has a number of its own, see
    /// ``BluetoothUUID/unnamed(handle:)``.
    public let uuid: BluetoothUUID
    /// How that is known.
    public let basis: ResolutionBasis
    /// The service that it belongs to, if the device has said so.
    public internal(set) var service: BluetoothUUID?
    /// What can be done with it, if it is a characteristic's value and the device has said so.
    public internal(set) var properties: GATTProperties?
    /// The handle whose notifications are switched here, if this is where that is done.
    public internal(set) var subscribes: UInt16?
    /// Values that the app has written.
    public internal(set) var written = ValueCount()
    /// Values that the device has sent by itself.
    public internal(set) var notified = ValueCount()
    /// Values that the app has read.
    public internal(set) var read = ValueCount()
    /// How often the device has refused.
    public internal(set) var refusalCount = 0

    init(handle: UInt16?, uuid: BluetoothUUID, basis: ResolutionBasis) {
        self.handle = handle
        self.uuid = uuid
        self.basis = basis
    }

    /// Whether anything went over it.
    public var isUsed: Bool {
        written.count > 0 || notified.count > 0 || read.count > 0 || refusalCount > 0
    }
}

/// How it is known what an attribute is.
public enum ResolutionBasis: Hashable, Sendable, CaseIterable {
    /// The user has said so.
    case mapped
    /// The log itself names it.
    case named
    /// The device has said so on this connection.
    case discovered
    /// The device has said so on another connection in the file, which the app remembered.
    case discoveredElsewhere
    /// What was written there switches the notifications of the attribute before it.
    case subscribed
    /// Other handles were recognised, and lie as on rings whose captures are known.
    case layout
    /// What went over it looks like it.
    case recognised
    /// It is not.
    case unknown

    /// Whether it may be wrong.
    public var isGuess: Bool {
        switch self {
        case .mapped, .named, .discovered, .discoveredElsewhere: false
        case .subscribed, .layout, .recognised, .unknown: true
        }
    }
}

extension ResolutionBasis: CustomStringConvertible {
    /// In words.
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

/// How many values went one way, and how long they were.
public struct ValueCount: Hashable, Sendable {
    /// How many.
    public private(set) var count = 0
    /// How long the shortest was, in bytes; 0 if there was none.
    public private(set) var shortest = 0
    /// How long the longest was, in bytes; 0 if there was none.
    public private(set) var longest = 0

    init() {}

    @inline(__always)
    mutating func take(_ length: Int) {
        shortest = count == 0 ? length : min(shortest, length)
        longest = max(longest, length)
        count &+= 1
    }
}

extension BluetoothUUID {
    /// Stands in a capture for a characteristic of which only the handle is known.
    ///
    ///     0000HHHH-4841-4C4F-0000-000000000000    HHHH: the handle; 4841 4C4F spells HALO
    public static func unnamed(handle: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: UInt64(handle) << 32 | unnamedMark, low: 0)
    }

    /// The handle, if this stands for a characteristic of which nobody knows more.
    public var unnamedHandle: UInt16? {
        guard low == 0, high & 0xFFFF_FFFF == Self.unnamedMark else { return nil }
        return UInt16(exactly: high >> 32)
    }

    private static var unnamedMark: UInt64 { 0x4841_4C4F }
}

/// Handles as people write them.
package enum HandleText {
    /// Four digits: `0x0025`.
    package static func text(_ handle: UInt16) -> String {
        "0x" + HexText.byte(UInt8(handle >> 8)) + HexText.byte(UInt8(truncatingIfNeeded: handle))
    }
}
