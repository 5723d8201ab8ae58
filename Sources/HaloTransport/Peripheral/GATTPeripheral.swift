public import HaloProtocol

/// A device as a value: events and the time go in, effects come out.
///
/// It knows no clock, no task and no radio, so it is met in-process in tests, on a bus, or on the
/// air, and is the same everywhere. One central at a time is connected to it.
///
/// A host keeps to these rules. Events come in the order of time. Each read, and each write with
/// a token, is answered once, at once or later; a host answers for a device that never does,
/// after the thirty seconds that Bluetooth gives it, by closing the link. What a device sends
/// while nobody is connected or subscribed goes nowhere.
public protocol GATTPeripheral: Sendable {
    /// What the device consists of. It may change; then the device says so by
    /// ``PeripheralEffect/servicesChanged``.
    var services: [GATTService] { get }

    /// Takes in one event, and adds what the device does about it.
    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects)
}

/// An event that a device is told of.
public enum PeripheralEvent: Hashable, Sendable {
    /// The device came to life: the first event that it gets. The time on the wall is for devices
    /// that live with a person.
    case started(WallClock)
    /// The moment that the device asked for has come.
    case woken
    /// The device was changed from outside: it says again when it wants to be woken.
    case changed
    /// A central has connected; the MTU is 23 until told otherwise.
    case connected
    /// The central is gone; subscriptions with it.
    case disconnected
    /// Values can be so long on this link: in one notification, and in one write.
    case maximumLength(Int)
    /// A central reads the value of an attribute from an offset on.
    case read(AttributeID, offset: Int, token: ResponseToken)
    /// A central writes; without a token it wants no answer.
    case write(AttributeID, [UInt8], token: ResponseToken?)
    /// A central subscribes to a characteristic, or unsubscribes.
    case subscription(AttributeID, isOn: Bool)
    /// The central has confirmed an indication.
    case confirmed(AttributeID)
}

/// An action of a device.
public enum PeripheralEffect: Hashable, Sendable {
    /// Answers a read with the value from the offset on that was asked for; the host cuts it.
    case value([UInt8], ResponseToken)
    /// Answers a write with yes.
    case done(ResponseToken)
    /// Answers a read or a write with no.
    case refuse(ATTError, ResponseToken)
    /// Sends a value unasked: not longer than the link's maximum, or it is cut there.
    case notify(AttributeID, [UInt8])
    /// Sends a value unasked, to be confirmed.
    case indicate(AttributeID, [UInt8])
    /// Asks to be woken; replaces what was asked for before. `nil` means never.
    case wake(Moment?)
    /// Closes the link.
    case disconnect
    /// Advertises from now on with this; `nil` means not at all.
    ///
    /// A host stops advertising while a central is connected, and goes on when it has left.
    case advertise(PeripheralAdvertisement?)
    /// The services have changed.
    case servicesChanged
    /// Asks for other connection parameters, which a host may ignore.
    case requestParameters(LinkParameters)
}

/// The actions of a device on one event, in order.
public struct PeripheralEffects: Sendable {
    /// The actions so far.
    public private(set) var all: [PeripheralEffect] = []

    /// No actions.
    public init() {}

    /// Adds an action.
    public mutating func append(_ effect: PeripheralEffect) {
        all.append(effect)
    }

    /// Removes all, and keeps the room for them.
    public mutating func removeAll() {
        all.removeAll(keepingCapacity: true)
    }

    /// Answers a read.
    public mutating func respond(_ value: [UInt8], to token: ResponseToken) {
        append(.value(value, token))
    }

    /// Answers a read with a value from an offset on; an offset behind its end is refused.
    public mutating func respond(_ value: [UInt8], from offset: Int, to token: ResponseToken) {
        guard 0...value.count ~= offset else { return refuse(.invalidOffset, token) }
        append(.value(Array(value[offset...]), token))
    }

    /// Answers a write with yes; does nothing if it wanted no answer.
    public mutating func accept(_ token: ResponseToken?) {
        if let token { append(.done(token)) }
    }

    /// Answers with no; does nothing if no answer was wanted.
    public mutating func refuse(_ error: ATTError, _ token: ResponseToken?) {
        if let token { append(.refuse(error, token)) }
    }

    /// Sends a value unasked.
    public mutating func notify(_ attribute: AttributeID, _ value: [UInt8]) {
        append(.notify(attribute, value))
    }

    /// Asks to be woken; `nil` means never.
    public mutating func wake(at moment: Moment?) {
        append(.wake(moment))
    }
}

/// An advertisement: what a device sends to all.
public struct PeripheralAdvertisement: Hashable, Sendable {
    /// The data that it sends by itself.
    public var data: AdvertisingData
    /// The answer to an active scanner.
    public var scanResponse: AdvertisingData?
    /// The advertising interval.
    public var interval: Duration
    /// `true` if a central may connect.
    public var isConnectable: Bool

    /// An advertisement; ``AdvertisingData/connectable(name:services:)`` makes data for most
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

    /// Connection parameters.
    public init(interval: Duration, latency: Int, supervisionTimeout: Duration) {
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }
}

/// The number of a request, by which an answer finds it.
public struct ResponseToken: Hashable, Sendable {
    /// The host's number for it.
    public let rawValue: UInt32

    /// A request by its host's number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
