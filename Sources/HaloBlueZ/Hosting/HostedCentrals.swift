#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// What the daemon asks of an object, with what it says beside it: any of that may be missing, or
/// of another type than it should be.
struct HostedRequest: Hashable, Sendable {
    /// The session's number for it.
    let number: UInt64
    let path: DBusObjectPath
    let interface: String
    let member: String
    let arguments: [DBusValue]
    let sender: String?

    var value: [UInt8] { arguments.first?.bytes ?? [] }

    var offset: Int { integer(AttributeOption.offset, 0...Int64(UInt16.max)) ?? 0 }

    var mtu: Int? { integer(AttributeOption.mtu, Self.smallestMTU...Int64(UInt16.max)) }

    var device: DBusObjectPath? { options?[AttributeOption.device]?.objectPath }

    /// Whether nobody waits for an answer.
    var isCommand: Bool { options?[AttributeOption.type]?.string == AttributeOption.command }

    /// Whether nothing is written yet.
    var isOnlyAnnounced: Bool { options?[AttributeOption.prepareAuthorize]?.boolean == true }

    private static let smallestMTU: Int64 = 23

    private var options: DBusValue? { arguments.last }

    private func integer(_ name: String, _ range: ClosedRange<Int64>) -> Int? {
        guard let number = options?[name]?.integer, range.contains(number) else { return nil }
        return Int(number)
    }
}

/// Who is connected to the adapter of a hosted device, who of them is its central, and what that
/// one wants.
///
/// Rules:
/// - One central at a time. Who asks for something, or connects first, is it; until it has asked
///   for something that is a guess, and another one that does takes its place, and what was
///   subscribed to meanwhile is its. What the second one asks for is refused, and its link closed.
///   A guess is never disconnected: it may be a keyboard. A device that this program has connected
///   to is none, nor is one that was connected before.
/// - Connected is who is so over low energy, where the daemon tells that from the older Bluetooth.
///   Who is told to be so once more has been nowhere else.
/// - Each request is answered once: by the device, or with ``ATTError/unlikely`` shortly before
///   the daemon would, which is after five seconds (seen on 5.66), or with an error when the link
///   or the device ends. An answer of the device that comes later is dropped.
struct HostedCentrals: Sendable {
    struct Central: Hashable, Sendable {
        var path: DBusObjectPath?
        /// Whether it has asked for anything.
        var isSure: Bool
        var mtu: Int?
    }

    /// A request that the device has not answered yet.
    struct Pending: Hashable, Sendable {
        let request: UInt64
        let due: Moment
    }

    /// An attribute, and what may be done with it.
    struct Target {
        let id: AttributeID
        let canRead: Bool
        let canWrite: Bool
    }

    /// The daemon waits for five seconds.
    static let patience: Duration = .milliseconds(4500)
    static let mostPending = 32
    static let longestValue = 512

    private(set) var central: Central?
    private(set) var pending: [ResponseToken: Pending] = [:]
    private var subscriptions: Set<AttributeID> = []
    /// Devices of the adapter that have a link.
    private var connected: Set<DBusObjectPath>
    /// Those of them that have connected since the device is there, and not to this program's wish.
    private var arrivals: Set<DBusObjectPath> = []

    init(connected: Set<DBusObjectPath>) { self.connected = connected }

    var deadline: Moment? { pending.values.map(\.due).min() }

    static func maximumLength(_ mtu: Int) -> Int { min(max(mtu - 3, 0), longestValue) }

    static func cut(_ value: [UInt8]) -> [UInt8] { Array(value.prefix(longestValue)) }

    /// What of a value can be told to the central; `nil` if it does not want it.
    func value(_ value: [UInt8], of attribute: AttributeID) -> [UInt8]? {
        guard subscriptions.contains(attribute) else { return nil }
        let longest = central?.mtu.map { Self.maximumLength($0) } ?? Self.longestValue
        return Array(value.prefix(longest))
    }

    // MARK: Links

    /// A device of the adapter has a link, or none any more; it may be the central if it counts.
    mutating func connection(
        of path: DBusObjectPath, _ isOn: Bool, counts: Bool, _ turn: inout HostTurn
    ) {
        guard isOn else {
            arrivals.remove(path)
            let was = connected.remove(path) != nil
            // The one that nobody named is the only one that it can have been.
            if let central, central.path == path || central.path == nil && was { leave(&turn) }
            return
        }
        guard connected.insert(path).inserted, counts else { return }
        arrivals.insert(path)
        if central == nil { arrive(Central(path: path, isSure: false), &turn) }
    }

    private mutating func arrive(_ new: Central, _ turn: inout HostTurn) {
        central = new
        turn.perform(.tell(.connected))
    }

    /// The central has gone, and what it asked for with it.
    mutating func leave(_ turn: inout HostTurn) {
        for (_, waiting) in inOrder {
            turn.perform(.refuse(DeviceRefusal.refusal(.unlikely), of: waiting.request))
        }
        pending = [:]
        subscriptions = []
        guard central != nil else { return }
        central = nil
        turn.perform(.tell(.disconnected))
    }

    /// Ends the central's link, if it is one for certain; a guess is let go of.
    mutating func disconnect(_ turn: inout HostTurn) {
        guard let central, central.isSure else { return leave(&turn) }
        if let path = central.path { disconnect(path, &turn) }
    }

    private func disconnect(_ device: DBusObjectPath, _ turn: inout HostTurn) {
        let interface = turn.mirror.linkInterface(of: device)
        let call = DBusCall(Device1.disconnect, of: interface, at: device, on: BlueZDaemon.name)
        turn.perform(.ask(nil, call, timeout: HostedStay.answerTimeout))
    }

    /// The central was another one than was thought.
    private mutating func replace(by device: DBusObjectPath, _ turn: inout HostTurn) {
        let kept = subscriptions.sorted { $0.rawValue < $1.rawValue }
        leave(&turn)
        arrive(Central(path: device, isSure: true), &turn)
        for attribute in kept {
            subscriptions.insert(attribute)
            turn.perform(.tell(.subscription(attribute, isOn: true)))
        }
    }

    // MARK: Requests

    mutating func asked(
        _ request: HostedRequest, _ target: Target, _ lastToken: inout UInt32,
        _ turn: inout HostTurn
    ) {
        switch request.member {
        case GattCharacteristic1.readValue:
            guard admit(request, &turn) else { return }
            // The daemon lets a central read what has no flag of reading or writing (5.66).
            guard target.canRead else { return refuse(request, .readNotPermitted, &turn) }
            guard let token = expect(request, &lastToken, &turn) else { return }
            turn.perform(.tell(.read(target.id, offset: request.offset, token: token)))
        case GattCharacteristic1.writeValue:
            if admit(request, &turn) { write(request, target, &lastToken, &turn) }
        case GattCharacteristic1.startNotify: subscribe(target.id, isOn: true, request, &turn)
        case GattCharacteristic1.stopNotify: subscribe(target.id, isOn: false, request, &turn)
        case GattCharacteristic1.confirm:
            turn.perform(.reply([], to: request.number))
            turn.perform(.tell(.confirmed(target.id)))
        default: refuse(request, .requestNotSupported, &turn)
        }
    }

    private func refuse(_ request: HostedRequest, _ error: ATTError, _ turn: inout HostTurn) {
        turn.perform(.refuse(DeviceRefusal.refusal(error), of: request.number))
    }

    private mutating func write(
        _ request: HostedRequest, _ target: Target, _ lastToken: inout UInt32,
        _ turn: inout HostTurn
    ) {
        guard target.canWrite else { return refuse(request, .writeNotPermitted, &turn) }
        // The daemon puts the pieces of a long write together before it tells of it (seen on 5.66).
        // With an offset comes what a central writes into the middle of a value, and a device is
        // told of whole values only.
        guard request.offset == 0 else { return refuse(request, .invalidOffset, &turn) }
        if request.isOnlyAnnounced { return turn.perform(.reply([], to: request.number)) }
        if request.isCommand {
            turn.perform(.reply([], to: request.number))
            return turn.perform(.tell(.write(target.id, request.value, token: nil)))
        }
        guard let token = expect(request, &lastToken, &turn) else { return }
        turn.perform(.tell(.write(target.id, request.value, token: token)))
    }

    private mutating func subscribe(
        _ attribute: AttributeID, isOn: Bool, _ request: HostedRequest, _ turn: inout HostTurn
    ) {
        turn.perform(.reply([], to: request.number))
        // The daemon does not say who subscribes. If nobody is known to be connected, somebody is;
        // if only one has come, it is that one.
        if isOn, central == nil { arrive(Central(path: nil, isSure: true), &turn) }
        if isOn, arrivals.count == 1, arrivals.first == central?.path { central?.isSure = true }
        let isNews =
            isOn ? subscriptions.insert(attribute).inserted : subscriptions.remove(attribute) != nil
        if isNews { turn.perform(.tell(.subscription(attribute, isOn: isOn))) }
    }

    /// Attributes are there no longer.
    mutating func forgetSubscriptions(
        to attributes: some Sequence<AttributeID>, _ turn: inout HostTurn
    ) {
        for attribute in attributes.sorted(by: { $0.rawValue < $1.rawValue })
        where subscriptions.remove(attribute) != nil {
            turn.perform(.tell(.subscription(attribute, isOn: false)))
        }
    }

    /// Whether the one who asks is the central; it is, if nobody else is for certain.
    private mutating func admit(_ request: HostedRequest, _ turn: inout HostTurn) -> Bool {
        let device = request.device
        if let central, let known = central.path, let device, known != device {
            guard !central.isSure else {
                refuse(request, .insufficientAuthorization, &turn)
                disconnect(device, &turn)
                return false
            }
            replace(by: device, &turn)
        } else if let known = central {
            central?.isSure = true
            central?.path = known.path ?? device
        } else {
            arrive(Central(path: device, isSure: true), &turn)
        }
        if let mtu = request.mtu, mtu != central?.mtu {
            central?.mtu = mtu
            turn.perform(.tell(.maximumLength(Self.maximumLength(mtu))))
        }
        return true
    }

    /// Remembers a request that the device is to answer, if there is room.
    private mutating func expect(
        _ request: HostedRequest, _ lastToken: inout UInt32, _ turn: inout HostTurn
    ) -> ResponseToken? {
        guard pending.count < Self.mostPending else {
            refuse(request, .insufficientResources, &turn)
            return nil
        }
        repeat { lastToken &+= 1 } while pending[ResponseToken(lastToken)] != nil
        let token = ResponseToken(lastToken)
        pending[token] = Pending(request: request.number, due: turn.now + Self.patience)
        return token
    }

    mutating func answer(_ token: ResponseToken, _ values: [DBusValue], _ turn: inout HostTurn) {
        guard let waiting = pending.removeValue(forKey: token) else { return }
        turn.perform(.reply(values, to: waiting.request))
    }

    mutating func refuse(_ token: ResponseToken, _ error: ATTError, _ turn: inout HostTurn) {
        guard let waiting = pending.removeValue(forKey: token) else { return }
        turn.perform(.refuse(DeviceRefusal.refusal(error), of: waiting.request))
    }

    mutating func tick(_ turn: inout HostTurn) {
        for (token, waiting) in inOrder where waiting.due <= turn.now {
            refuse(token, .unlikely, &turn)
        }
    }

    /// What waits, in the order in which it came.
    private var inOrder: [(ResponseToken, Pending)] {
        pending.sorted { $0.value.request < $1.value.request }.map { ($0.key, $0.value) }
    }
}
#endif
