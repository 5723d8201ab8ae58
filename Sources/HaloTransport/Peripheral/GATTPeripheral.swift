public import HaloProtocol

/// A device as a value: it receives events with their moments, and returns effects.
///
/// A device has no clock, no task and no radio: the same device runs in-process in tests, on a
/// private bus, or on the air. At most one central at a time is connected to it.
///
/// Rules of a host: Events come in the order of time. The device responds once to each read, and to
/// each write with a token, at once or later. If it does not respond within the 30 seconds of an
/// ATT transaction, the host closes the link. Values are dropped if no central is connected or
/// subscribed.
public protocol GATTPeripheral: Sendable {
    /// The services; after a change, the device returns ``PeripheralEffect/servicesChanged``.
    var services: [GATTService] { get }

    /// Handles one event, and appends its effects.
    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects)
}

/// An event for a device.
public enum PeripheralEvent: Hashable, Sendable {
    /// The first event, with the local date and time for devices that show or record them.
    case started(WallClock)
    /// The moment of ``PeripheralEffect/wake(_:)`` has come.
    case woken
    /// The device was changed by ``Hosted/modify(_:)``. It must request its next wake again.
    case changed
    /// A central has connected; the MTU is 23 until ``maximumLength(_:)``.
    case connected
    /// The central has disconnected; its subscriptions have ended.
    case disconnected
    /// The maximum number of bytes of one notification or one write without response on this link.
    case maximumLength(Int)
    /// A central reads the value of an attribute, beginning at an offset.
    case read(AttributeID, offset: Int, token: ResponseToken)
    /// A central writes a value. Without a token, the central expects no response.
    case write(AttributeID, [UInt8], token: ResponseToken?)
    /// A central subscribes to a characteristic, or unsubscribes.
    case subscription(AttributeID, isOn: Bool)
    /// The central has confirmed an indication.
    case confirmed(AttributeID)
}

/// An effect of a device: an action of its host.
public enum PeripheralEffect: Hashable, Sendable {
    /// Responds to a read with the value, beginning at the requested offset. The host cuts it to
    /// the MTU.
    case value([UInt8], ResponseToken)
    /// Confirms a write.
    case done(ResponseToken)
    /// Refuses a read or a write.
    case refuse(ATTError, ResponseToken)
    /// Sends a notification, cut to the link's maximum length.
    case notify(AttributeID, [UInt8])
    /// Sends an indication, which the central confirms.
    case indicate(AttributeID, [UInt8])
    /// Requests ``PeripheralEvent/woken`` at a moment, in place of an earlier request; `nil` for
    /// never.
    case wake(Moment?)
    /// Closes the link.
    case disconnect
    /// Advertises from now on; `nil` to stop.
    ///
    /// A host pauses advertising while a central is connected.
    indirect case advertise(PeripheralAdvertisement?)
    /// The services have changed.
    case servicesChanged
    /// Requests other connection parameters, which a host may ignore.
    indirect case requestParameters(LinkParameters)
}

/// The effects of one event, in order.
public struct PeripheralEffects: Sendable {
    /// The effects so far.
    public private(set) var all: [PeripheralEffect] = []

    /// Creates an empty list of effects.
    public init() {}

    /// Appends an effect.
    public mutating func append(_ effect: PeripheralEffect) {
        all.append(effect)
    }

    /// Removes all effects, and keeps the capacity.
    public mutating func removeAll() {
        all.removeAll(keepingCapacity: true)
    }

    /// Responds to a read.
    public mutating func respond(_ value: [UInt8], to token: ResponseToken) {
        append(.value(value, token))
    }

    /// Responds to a read with a value, beginning at an offset; refuses an offset behind its end.
    public mutating func respond(_ value: [UInt8], from offset: Int, to token: ResponseToken) {
        guard 0...value.count ~= offset else { return refuse(.invalidOffset, token) }
        append(.value(Array(value[offset...]), token))
    }

    /// Confirms a write, if the central expects a response.
    public mutating func accept(_ token: ResponseToken?) {
        if let token { append(.done(token)) }
    }

    /// Refuses a read, or a write that expects a response.
    public mutating func refuse(_ error: ATTError, _ token: ResponseToken?) {
        if let token { append(.refuse(error, token)) }
    }

    /// Sends a notification.
    public mutating func notify(_ attribute: AttributeID, _ value: [UInt8]) {
        append(.notify(attribute, value))
    }

    /// Requests ``PeripheralEvent/woken`` at a moment; `nil` for never.
    public mutating func wake(at moment: Moment?) {
        append(.wake(moment))
    }
}

/// The advertisement of a device.
public struct PeripheralAdvertisement: Hashable, Sendable {
    /// The advertising data.
    public var data: AdvertisingData
    /// The scan response, for active scanners.
    public var scanResponse: AdvertisingData?
    /// The advertising interval.
    public var interval: Duration
    /// `true` if a central may connect.
    public var isConnectable: Bool

    /// Creates an advertisement; `AdvertisingData.connectable(name:services:)` makes data for most
    /// devices.
    public init(
        _ data: AdvertisingData, scanResponse: AdvertisingData? = nil,
        interval: Duration = .milliseconds(500), isConnectable: Bool = true
    ) {
        self.data = data
        self.scanResponse = scanResponse
        self.interval = interval
        self.isConnectable = isConnectable
    }
}

/// The connection parameters of a link.
public struct LinkParameters: Hashable, Sendable {
    /// The connection interval.
    public var interval: Duration
    /// Peripheral latency: the number of connection events the device may skip.
    public var latency: Int
    /// The supervision timeout: the time without a packet after which the link is lost.
    public var supervisionTimeout: Duration

    /// Creates connection parameters.
    public init(interval: Duration, latency: Int, supervisionTimeout: Duration) {
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }
}

/// A token of a read or a write, which assigns a response to its request.
public struct ResponseToken: Hashable, Sendable {
    /// The host's number of the request.
    public let rawValue: UInt32

    /// Creates a token from the host's number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
