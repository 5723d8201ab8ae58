internal import HaloProtocol
internal import HaloTransport

/// What the heart of a ``HeartRateSensor`` remembers; used under its lock, and so never calls
/// anything.
struct HeartRateSensorState: ActingState {
    /// How it stands with the link.
    enum Phase: Sendable {
        case idle
        case connecting(attempt: Int)
        case connected
        case waiting(attempt: Int)
        case ended(DeviceError)
    }

    /// What a sensor can be subscribed to.
    enum Channel: Hashable, Sendable, CaseIterable {
        case measurement
        case battery
    }

    /// What can be under way for an attempt to connect, and for its link.
    enum Step: Hashable, Sendable, CaseIterable {
        /// The wait before the attempt, or its limit in time.
        case timer
        case opening
        case watch
        case discovery
    }

    /// A subscription on the sensor, which all loops share.
    struct Subscription: Sendable {
        /// What can be subscribed to; nothing if the sensor does not have it.
        var characteristic: GATTCharacteristic?
        /// Which subscription this is; nothing while there is none.
        var number: UInt64?
        var registration: Registration?
    }

    /// The latest moment that was seen.
    var now = Moment.origin
    var phase = Phase.idle
    var hasBeenConnected = false
    var link: BLELink?
    /// Which attempt to connect this is: what belongs to an earlier one means nothing.
    var generation: UInt64 = 0
    /// What is under way for this attempt or its link.
    var underWay: [Step: Registration] = [:]

    var measurement = Subscription()
    var battery = Subscription()
    private var lastNumber: UInt64 = 0
    /// What makes reports of values; one for all links, so that beats are counted on.
    var session = HeartRateSensorSession()
    var lastMeasurement = Moment.origin
    var silenceTimer: Registration?

    var measurementListeners: [Mailbox<HeartRateReport>] = []
    var batteryListeners: [Mailbox<BatteryLevel>] = []
    var stateListeners: [Mailbox<ConnectionState>] = []
    var connectionWaiters: [Promise<Void>] = []

    /// What is to be called, in order.
    var outbox = Outbox()

    /// A number that no other link or subscription of this sensor has.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// The subscription to one of the two.
    subscript(channel: Channel) -> Subscription {
        get {
            switch channel {
            case .measurement: measurement
            case .battery: battery
            }
        }
        set {
            switch channel {
            case .measurement: measurement = newValue
            case .battery: battery = newValue
            }
        }
    }

    /// Whether a loop wants what one of the two has.
    func isWanted(_ channel: Channel) -> Bool {
        switch channel {
        case .measurement: !measurementListeners.isEmpty
        case .battery: !batteryListeners.isEmpty
        }
    }

    /// How it stands with the link, as a program is told.
    var connectionState: ConnectionState {
        switch phase {
        case .idle,
            .connecting where !hasBeenConnected:
            .connecting
        case .connecting(let attempt), .waiting(let attempt): .reconnecting(attempt: attempt)
        case .connected: .connected
        case .ended(let error): .disconnected(error)
        }
    }

    /// Puts down that all who want to know of the link are told how it stands.
    mutating func tellState() {
        let (state, listeners) = (connectionState, stateListeners)
        outbox.append { for listener in listeners { listener.send(state) } }
    }

    /// Puts down that a report is given to every loop.
    mutating func tell(_ report: HeartRateReport) {
        let listeners = measurementListeners
        outbox.append { for listener in listeners { listener.send(report) } }
    }

    /// Puts down that loops end: with an error, or quietly.
    mutating func endListeners(of channel: Channel, _ end: Result<Void, DeviceError>) {
        switch channel {
        case .measurement:
            let listeners = measurementListeners
            measurementListeners = []
            outbox.append { for listener in listeners { listener.finish(end) } }
        case .battery:
            let listeners = batteryListeners
            batteryListeners = []
            outbox.append { for listener in listeners { listener.finish(end) } }
        }
    }

    /// Forgets a subscription, and puts down that the sensor is told.
    mutating func unsubscribe(_ channel: Channel) {
        let registration = self[channel].registration
        self[channel].number = nil
        self[channel].registration = nil
        if let registration { outbox.append { registration.cancel() } }
        guard channel == .measurement, let timer = silenceTimer else { return }
        silenceTimer = nil
        outbox.append { timer.cancel() }
    }

    /// Forgets the link and all that belongs to it, and puts down that it is closed.
    mutating func forgetLink() {
        generation = newNumber()
        for channel in Channel.allCases {
            unsubscribe(channel)
            self[channel].characteristic = nil
        }
        let (link, registrations) = (link, Step.allCases.compactMap { underWay[$0] })
        self.link = nil
        underWay = [:]
        outbox.append {
            for registration in registrations { registration.cancel() }
            link?.close()
        }
    }

    /// Ends everything, for good; only the loops over states end as if nothing were wrong.
    mutating func end(_ error: DeviceError, isWanted: Bool) {
        if case .ended = phase { return }
        forgetLink()
        phase = .ended(error)
        for channel in Channel.allCases {
            endListeners(of: channel, isWanted ? .success(()) : .failure(error))
        }
        tellState()
        let (listeners, waiters) = (stateListeners, connectionWaiters)
        stateListeners = []
        connectionWaiters = []
        let failure = error.bleError ?? BLEError(.disconnected, .connect, reason: error.reason)
        outbox.append {
            for listener in listeners { listener.finish(.success(())) }
            for waiter in waiters { waiter.resolve(.failure(failure)) }
        }
    }
}
