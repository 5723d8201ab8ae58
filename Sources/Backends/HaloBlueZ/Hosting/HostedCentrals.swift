#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The devices that are connected to a hosted device's adapter, the one of them that is its
/// central, and that central's requests.
///
/// Rules:
/// - There is one central at a time: the device that makes a request, or connects first. Until its
///   first request it is a guess: another device that makes a request replaces it, and inherits the
///   subscriptions made so far. A guess is never disconnected, as it may be a keyboard.
/// - Requests of a second central are refused, and its link is closed.
/// - A device that this program has connected to is no central, nor is one that was connected
///   before.
/// - Only connections over low energy count, where the daemon distinguishes them from Bluetooth
///   Classic. A repeated `Connected` is no new connection.
/// - Each request is answered once: by the device; or with ``ATTError/unlikely`` shortly before the
///   daemon would do so, which is after five seconds (seen on 5.66); or with an error when the link
///   or the device ends. A later answer of the device is dropped.
struct HostedCentrals: Sendable {
    struct Central: Hashable, Sendable {
        var path: DBusObjectPath?
        /// `true` once the central has made a request.
        var isConfirmed: Bool
        var mtu: Int?
    }

    struct PendingRequest: Hashable, Sendable {
        let request: UInt64
        let due: Moment
    }

    /// The timeout of a request: the daemon itself waits for five seconds.
    static let answerTimeout: Duration = .milliseconds(4500)
    static let maximumPending = 32
    static let longestValue = 512

    private(set) var central: Central?
    private(set) var pending: [ResponseToken: PendingRequest] = [:]
    private var subscriptions: Set<AttributeID> = []
    private var connected: Set<DBusObjectPath>
    /// The devices that have connected since hosting began, and not by this program.
    private var newConnections: Set<DBusObjectPath> = []

    init(connected: Set<DBusObjectPath>) { self.connected = connected }

    var deadline: Moment? { pending.values.map(\.due).min() }

    static func maximumLength(_ mtu: Int) -> Int { min(max(mtu - 3, 0), longestValue) }

    static func cut(_ value: [UInt8]) -> [UInt8] { Array(value.prefix(longestValue)) }

    /// Returns the part that fits into a notification; `nil` without a subscription.
    func value(_ value: [UInt8], of attribute: AttributeID) -> [UInt8]? {
        guard subscriptions.contains(attribute) else { return nil }
        let longest = central?.mtu.map { Self.maximumLength($0) } ?? Self.longestValue
        return Array(value.prefix(longest))
    }

    // MARK: Links

    /// Handles a device's connection, which may become the central if `counts`, or its end.
    mutating func connection(
        of path: DBusObjectPath, _ isOn: Bool, counts: Bool, _ turn: inout HostTurn
    ) {
        guard isOn else {
            newConnections.remove(path)
            let was = connected.remove(path) != nil
            // The unnamed central can only be this device.
            if let central, central.path == path || central.path == nil && was {
                removeCentral(&turn)
            }
            return
        }
        guard connected.insert(path).inserted, counts else { return }
        newConnections.insert(path)
        if central == nil { setCentral(Central(path: path, isConfirmed: false), &turn) }
    }

    private mutating func setCentral(_ new: Central, _ turn: inout HostTurn) {
        central = new
        turn.put(.deliver(.connected))
    }

    /// Removes the central and its subscriptions, and fails its requests.
    mutating func removeCentral(_ turn: inout HostTurn) {
        for (_, waiting) in inOrder {
            turn.put(.refuse(DeviceRefusal.refusal(.unlikely), of: waiting.request))
        }
        pending = [:]
        subscriptions = []
        guard central != nil else { return }
        central = nil
        turn.put(.deliver(.disconnected))
    }

    /// Disconnects the central if it is confirmed; a guess is only removed.
    mutating func disconnect(_ turn: inout HostTurn) {
        guard let central, central.isConfirmed else { return removeCentral(&turn) }
        if let path = central.path { disconnect(path, &turn) }
    }

    private func disconnect(_ device: DBusObjectPath, _ turn: inout HostTurn) {
        let interface = turn.mirror.linkInterface(of: device)
        let call = DBusCall(Device1.disconnect, of: interface, at: device, on: BlueZDaemon.name)
        turn.put(.ask(nil, call, timeout: HostedEpoch.answerTimeout))
    }

    /// Makes another device the central, with the subscriptions of the guess.
    private mutating func replace(by device: DBusObjectPath, _ turn: inout HostTurn) {
        let kept = subscriptions.sorted { $0.rawValue < $1.rawValue }
        removeCentral(&turn)
        setCentral(Central(path: device, isConfirmed: true), &turn)
        for attribute in kept {
            subscriptions.insert(attribute)
            turn.put(.deliver(.subscription(attribute, isOn: true)))
        }
    }

    // MARK: Requests

    mutating func received(
        _ request: HostedRequest, _ target: HostedApplication.Attribute,
        _ lastToken: inout UInt32, _ turn: inout HostTurn
    ) {
        switch request.member {
        case GattCharacteristic1.readValue:
            guard accept(request, &turn) else { return }
            // The daemon passes on reads of a characteristic that can be neither read nor written
            // (5.66).
            guard target.canRead else { return refuse(request, .readNotPermitted, &turn) }
            guard let token = addPending(request, &lastToken, &turn) else { return }
            turn.put(.deliver(.read(target.id, offset: request.offset, token: token)))
        case GattCharacteristic1.writeValue:
            if accept(request, &turn) { write(request, target, &lastToken, &turn) }
        case GattCharacteristic1.startNotify: subscribe(target.id, isOn: true, request, &turn)
        case GattCharacteristic1.stopNotify: subscribe(target.id, isOn: false, request, &turn)
        case GattCharacteristic1.confirm:
            turn.put(.reply([], to: request.number))
            turn.put(.deliver(.confirmed(target.id)))
        default: refuse(request, .requestNotSupported, &turn)
        }
    }

    private func refuse(_ request: HostedRequest, _ error: ATTError, _ turn: inout HostTurn) {
        turn.put(.refuse(DeviceRefusal.refusal(error), of: request.number))
    }

    private mutating func write(
        _ request: HostedRequest, _ target: HostedApplication.Attribute,
        _ lastToken: inout UInt32, _ turn: inout HostTurn
    ) {
        guard target.canWrite else { return refuse(request, .writeNotPermitted, &turn) }
        // The daemon reassembles long writes (seen on 5.66). An offset comes from a central that
        // writes into the middle of a value; devices support whole values only.
        guard request.offset == 0 else { return refuse(request, .invalidOffset, &turn) }
        if request.isOnlyAnnounced { return turn.put(.reply([], to: request.number)) }
        if request.isCommand {
            turn.put(.reply([], to: request.number))
            return turn.put(.deliver(.write(target.id, request.value, token: nil)))
        }
        guard let token = addPending(request, &lastToken, &turn) else { return }
        turn.put(.deliver(.write(target.id, request.value, token: token)))
    }

    private mutating func subscribe(
        _ attribute: AttributeID, isOn: Bool, _ request: HostedRequest, _ turn: inout HostTurn
    ) {
        turn.put(.reply([], to: request.number))
        // The daemon does not name the subscriber. Without a known central there is an unnamed one;
        // if only one device has connected, it is that one.
        if isOn, central == nil { setCentral(Central(path: nil, isConfirmed: true), &turn) }
        if isOn, newConnections.count == 1, newConnections.first == central?.path {
            central?.isConfirmed = true
        }
        let isNews =
            isOn ? subscriptions.insert(attribute).inserted : subscriptions.remove(attribute) != nil
        if isNews { turn.put(.deliver(.subscription(attribute, isOn: isOn))) }
    }

    mutating func forgetSubscriptions(
        to attributes: some Sequence<AttributeID>, _ turn: inout HostTurn
    ) {
        for attribute in attributes.sorted(by: { $0.rawValue < $1.rawValue })
        where subscriptions.remove(attribute) != nil {
            turn.put(.deliver(.subscription(attribute, isOn: false)))
        }
    }

    /// Accepts a request from the central, or from a device that becomes the central because no
    /// other is confirmed.
    private mutating func accept(_ request: HostedRequest, _ turn: inout HostTurn) -> Bool {
        let device = request.device
        if let central, let known = central.path, let device, known != device {
            guard !central.isConfirmed else {
                refuse(request, .insufficientAuthorization, &turn)
                disconnect(device, &turn)
                return false
            }
            replace(by: device, &turn)
        } else if let known = central {
            central?.isConfirmed = true
            central?.path = known.path ?? device
        } else {
            setCentral(Central(path: device, isConfirmed: true), &turn)
        }
        if let mtu = request.mtu, mtu != central?.mtu {
            central?.mtu = mtu
            turn.put(.deliver(.maximumLength(Self.maximumLength(mtu))))
        }
        return true
    }

    private mutating func addPending(
        _ request: HostedRequest, _ lastToken: inout UInt32, _ turn: inout HostTurn
    ) -> ResponseToken? {
        guard pending.count < Self.maximumPending else {
            refuse(request, .insufficientResources, &turn)
            return nil
        }
        repeat { lastToken &+= 1 } while pending[ResponseToken(lastToken)] != nil
        let token = ResponseToken(lastToken)
        pending[token] = PendingRequest(request: request.number, due: turn.now + Self.answerTimeout)
        return token
    }

    mutating func answer(_ token: ResponseToken, _ values: [DBusValue], _ turn: inout HostTurn) {
        guard let waiting = pending.removeValue(forKey: token) else { return }
        turn.put(.reply(values, to: waiting.request))
    }

    mutating func refuse(_ token: ResponseToken, _ error: ATTError, _ turn: inout HostTurn) {
        guard let waiting = pending.removeValue(forKey: token) else { return }
        turn.put(.refuse(DeviceRefusal.refusal(error), of: waiting.request))
    }

    mutating func tick(_ turn: inout HostTurn) {
        for (token, waiting) in inOrder where waiting.due <= turn.now {
            refuse(token, .unlikely, &turn)
        }
    }

    private var inOrder: [(ResponseToken, PendingRequest)] {
        pending.sorted { $0.value.request < $1.value.request }.map { ($0.key, $0.value) }
    }
}
#endif
