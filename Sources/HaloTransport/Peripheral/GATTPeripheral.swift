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

    /// Takes in one event, and puts down what the device does about it.
    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects)
}

/// What happens to a device.
public enum PeripheralEvent: Hashable, Sendable {
    /// The device came to life, with a radio: the first event it gets. What a clock on the wall
    /// shows is for devices that live with a person.
    case started(WallClock)
    /// The moment that the device asked for has come.
    case woken
    /// Somebody changed the device from outside: it says again when it wants to be woken.
    case changed
    /// A central has connected; the MTU is 23 until told otherwise.
    case connected
    /// The central is gone; subscriptions with it.
    case disconnected
    /// Values can be so long on this link: in one notification, and in one write.
    case maximumLength(Int)
    /// A central asks for the value of an attribute from a place on.
    case read(AttributeID, offset: Int, token: ResponseToken)
    /// A central writes; without a token it wants no answer.
    case write(AttributeID, [UInt8], token: ResponseToken?)
    /// A central wants, or no longer wants, values of a characteristic as they come.
    case subscription(AttributeID, isOn: Bool)
    /// The central has confirmed an indication.
    case confirmed(AttributeID)
}

/// What a device does.
public enum PeripheralEffect: Hashable, Sendable {
    /// Answers a read with the value from the place on that was asked for; the host cuts it.
    case value([UInt8], ResponseToken)
    /// Answers a write with yes.
    case done(ResponseToken)
    /// Answers a read or a write with no.
    case refuse(ATTError, ResponseToken)
    /// Sends a value unasked: not longer than the link's maximum, or it is cut there.
    case notify(AttributeID, [UInt8])
    /// Sends a value unasked, to be confirmed.
    case indicate(AttributeID, [UInt8])
    /// Asks to be woken; replaces what was asked for before. Nothing means never.
    case wake(Moment?)
    /// Closes the link.
    case disconnect
    /// Advertises from now on with this; nothing means not at all.
    ///
    /// A host stops advertising while a central is connected, and goes on when it has left.
    case advertise(PeripheralAdvertisement?)
    /// The services are others than before.
    case servicesChanged
    /// Asks for another rhythm of the link, which a host may ignore.
    case requestParameters(LinkParameters)
}

/// What a device does about one event, in order.
public struct PeripheralEffects: Sendable {
    /// What was put down so far.
    public private(set) var all: [PeripheralEffect] = []

    /// Starts with nothing.
    public init() {}

    /// Puts down an effect.
    public mutating func append(_ effect: PeripheralEffect) {
        all.append(effect)
    }

    /// Forgets what was put down, and keeps the room for it.
    public mutating func removeAll() {
        all.removeAll(keepingCapacity: true)
    }

    /// Answers a read.
    public mutating func respond(_ value: [UInt8], to token: ResponseToken) {
        append(.value(value, token))
    }

    /// Answers a read with what a value has from a place on; a place behind its end is refused.
    public mutating func respond(_ value: [UInt8], from offset: Int, to token: ResponseToken) {
        guard 0...value.count ~= offset else { return refuse(.invalidOffset, token) }
        append(.value(Array(value[offset...]), token))
    }

    /// Answers a write with yes; nothing to do if it wanted no answer.
    public mutating func accept(_ token: ResponseToken?) {
        if let token { append(.done(token)) }
    }

    /// Answers with no; nothing to do if no answer was wanted.
    public mutating func refuse(_ error: ATTError, _ token: ResponseToken?) {
        if let token { append(.refuse(error, token)) }
    }

    /// Sends a value unasked.
    public mutating func notify(_ attribute: AttributeID, _ value: [UInt8]) {
        append(.notify(attribute, value))
    }

    /// Asks to be woken; nothing means never.
    public mutating func wake(at moment: Moment?) {
        append(.wake(moment))
    }
}

/// What a device sends to whom it may concern.
public struct PeripheralAdvertisement: Hashable, Sendable {
    /// What it sends by itself.
    public var data: AdvertisingData
    /// What it answers to a scanner that asks.
    public var scanResponse: AdvertisingData?
    /// How long it is from one sending to the next.
    public var interval: Duration
    /// Whether a central may connect.
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

/// The rhythm of a link.
public struct LinkParameters: Hashable, Sendable {
    /// How long it is from one meeting of the two radios to the next.
    public var interval: Duration
    /// How many meetings the device may miss when it has nothing to say.
    public var latency: Int
    /// After how long without a meeting the link is lost.
    public var supervisionTimeout: Duration

    /// A rhythm.
    public init(interval: Duration, latency: Int, supervisionTimeout: Duration) {
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }
}

/// Which request an answer belongs to.
public struct ResponseToken: Hashable, Sendable {
    /// The host's number for it.
    public let rawValue: UInt32

    /// A request by its host's number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
