#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

extension HostSession {
    /// A central is there.
    mutating func arrive(_ new: Central) {
        central = new
        perform(.tell(.connected))
    }

    /// The central has gone, and what it asked for with it.
    mutating func leave() {
        for waiting in pending.values {
            perform(.refuse(DeviceRefusal.refusal(.unlikely), of: waiting.request))
        }
        pending = [:]
        subscriptions = []
        guard central != nil else { return }
        central = nil
        perform(.tell(.disconnected))
    }

    /// Takes in what is asked of an object.
    mutating func asked(_ request: HostedRequest) {
        guard end == nil, request.sender == owner, owner != nil else {
            let refusal = DBusRefusal.accessDenied("Only \(BlueZDaemon.name) may ask")
            return perform(.refuse(refusal, of: request.number))
        }
        if request.interface == LEAdvertisement1.interfaceName { return released(request) }
        guard let attribute = present.lazy.compactMap({ $0.attributes[request.path] }).first else {
            return perform(.refuse(DeviceRefusal.refusal(.invalidHandle), of: request.number))
        }
        switch request.member {
        case GattCharacteristic1.readValue: read(attribute, request)
        case GattCharacteristic1.writeValue: write(attribute, request)
        case GattCharacteristic1.startNotify: subscribe(attribute, isOn: true, request)
        case GattCharacteristic1.stopNotify: subscribe(attribute, isOn: false, request)
        case GattCharacteristic1.confirm:
            perform(.reply([], to: request.number))
            perform(.tell(.confirmed(attribute.id)))
        default:
            perform(.refuse(DeviceRefusal.refusal(.requestNotSupported), of: request.number))
        }
    }

    private mutating func read(
        _ attribute: HostedApplication.Attribute, _ request: HostedRequest
    ) {
        guard admit(request) else { return }
        // The daemon lets a central read what has no flag of reading or writing (5.66).
        guard present.contains(where: { $0.canRead(attribute) }) else {
            return perform(.refuse(DeviceRefusal.refusal(.readNotPermitted), of: request.number))
        }
        guard let token = expect(request) else { return }
        let offset = request.offset
        perform(.tell(.read(attribute.id, offset: offset, token: token)))
    }

    private mutating func write(
        _ attribute: HostedApplication.Attribute, _ request: HostedRequest
    ) {
        guard admit(request) else { return }
        guard present.contains(where: { $0.canWrite(attribute) }) else {
            return perform(.refuse(DeviceRefusal.refusal(.writeNotPermitted), of: request.number))
        }
        // The daemon puts the pieces of a long write together before it tells of it (seen on 5.66).
        // With an offset comes what a central writes into the middle of a value, and a device is
        // told of whole values only.
        guard request.offset == 0 else {
            return perform(.refuse(DeviceRefusal.refusal(.invalidOffset), of: request.number))
        }
        if request.isOnlyAnnounced { return perform(.reply([], to: request.number)) }
        if request.isCommand {
            perform(.reply([], to: request.number))
            return perform(.tell(.write(attribute.id, request.value, token: nil)))
        }
        guard let token = expect(request) else { return }
        perform(.tell(.write(attribute.id, request.value, token: token)))
    }

    private mutating func subscribe(
        _ attribute: HostedApplication.Attribute, isOn: Bool, _ request: HostedRequest
    ) {
        perform(.reply([], to: request.number))
        // The daemon does not say who subscribes. If nobody is known to be connected, somebody is;
        // if only one has come, it is that one.
        if isOn, central == nil { arrive(Central(path: nil, isSure: true)) }
        if isOn, arrivals.count == 1, arrivals.first == central?.path { central?.isSure = true }
        let isNews =
            isOn
            ? subscriptions.insert(attribute.id).inserted
            : subscriptions.remove(attribute.id) != nil
        if isNews { perform(.tell(.subscription(attribute.id, isOn: isOn))) }
    }

    /// The daemon advertises no longer: the adapter is about to go, which is told separately.
    private mutating func released(_ request: HostedRequest) {
        perform(.reply([], to: request.number))
        guard case .registered = advertisement else { return }
        takeBack(.advertisement)
        retryAt = now + Self.pause
        perform(.alarm(now + Self.pause))
    }

    /// Whether the one who asks is the central; it is, if nobody else is for certain.
    private mutating func admit(_ request: HostedRequest) -> Bool {
        if let device = request.device, let central, central.isSure, let known = central.path,
            known != device
        {
            perform(
                .refuse(DeviceRefusal.refusal(.insufficientAuthorization), of: request.number))
            call(.disconnect, Device1.disconnect, of: Device1.interfaceName, at: device)
            return false
        }
        if let present = central {
            if let device = request.device, let known = present.path, known != device {
                replace(by: device)
            } else {
                central?.isSure = true
                central?.path = present.path ?? request.device
            }
        } else {
            arrive(Central(path: request.device, isSure: true))
        }
        if let mtu = request.mtu, mtu != central?.mtu {
            central?.mtu = mtu
            perform(.tell(.maximumLength(Self.maximumLength(mtu))))
        }
        return true
    }

    /// The central was another one than was thought.
    private mutating func replace(by device: DBusObjectPath) {
        let kept = subscriptions.sorted(by: Self.order)
        leave()
        arrive(Central(path: device, isSure: true))
        for attribute in kept {
            subscriptions.insert(attribute)
            perform(.tell(.subscription(attribute, isOn: true)))
        }
    }

    static func maximumLength(_ mtu: Int) -> Int { min(max(mtu - 3, 0), longestValue) }

    /// Remembers a request that the device is to answer, if there is room.
    private mutating func expect(_ request: HostedRequest) -> ResponseToken? {
        guard pending.count < Self.mostPending else {
            perform(.refuse(DeviceRefusal.refusal(.insufficientResources), of: request.number))
            return nil
        }
        let token = nextToken()
        pending[token] = Pending(request: request.number, due: now + Self.patience)
        perform(.alarm(now + Self.patience))
        return token
    }
}
#endif
