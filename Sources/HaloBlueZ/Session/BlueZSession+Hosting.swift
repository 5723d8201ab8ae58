#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Who is told of a hosted device. It is held until the device's end.
protocol HostClient: AnyObject, Sendable {
    /// Brings the device to life; ``HostInput/started(_:)`` follows.
    func start()
    func tell(_ event: PeripheralEvent)
    func ready()
    func ended(_ error: BLEError?)
}

/// What is said on the bus for hosted devices; nobody is called back for it.
enum HostMessage: Sendable {
    /// Puts an object on the bus; what is asked of it goes to ``BlueZSession/asked(_:of:)``.
    case export(HostedApplication.Object, of: UInt64)
    case unexport(DBusObjectPath)
    /// Gives a characteristic a value, of which the daemon hears.
    case value([UInt8], at: DBusObjectPath)
    case reply([DBusValue], to: DBusRequest)
    case refuse(DBusRefusal, of: DBusRequest)
}

/// A hosted device with those who have to do with it.
struct SessionHost: Sendable {
    var machine: HostMachine
    let client: any HostClient
    /// What the daemon asks and was not answered.
    var requests: [UInt64: DBusRequest] = [:]
    /// It may ring for nothing.
    var alarm: (timer: BlueZSession.TimerNumber, due: Moment)?
}

extension BlueZSession {
    /// Hosts a device, under a number that nothing else has here.
    mutating func host(_ number: UInt64, _ machine: HostMachine, _ client: any HostClient) {
        hosts[number] = SessionHost(machine: machine, client: client)
        whenUsable { session, result in
            let adapter = result.flatMap { path in
                session.mirror.adapters[path].map { .success($0) }
                    ?? .failure(Outage(.unsupported, "the adapter has gone"))
            }
            session.tellHost(number, .adapter(adapter))
        }
    }

    /// A hosted device, its daemon or its owner has something new for it.
    mutating func tellHost(_ number: UInt64, _ input: HostInput) {
        guard hosts[number] != nil else { return }
        var turn = HostTurn(now, mirror, owner: daemon.owner)
        hosts[number]?.machine.handle(input, &turn)
        for effect in turn.effects { carryOut(effect, for: number) }
        setAlarm(of: number)
    }

    /// Somebody on the bus asks an object of a hosted device something.
    mutating func asked(_ request: DBusRequest, of number: UInt64) {
        guard hosts[number] != nil else {
            return put(.host(.refuse(DeviceRefusal.refusal(.unlikely), of: request)))
        }
        let asked = HostedRequest(
            number: nextNumber(), path: request.path, interface: request.interface,
            member: request.member, arguments: request.arguments, sender: request.sender)
        hosts[number]?.requests[asked.number] = request
        tellHost(number, .asked(asked))
    }

    /// Tells hosted devices what has changed in the mirror.
    mutating func hostsNoticed(_ change: MirrorChange) {
        let isOurs =
            if case .connection(let path, true) = change { isCentral(of: path) } else { false }
        for number in hosts.keys.sorted() { tellHost(number, .mirror(change, isOurs: isOurs)) }
    }

    /// The bus has ended, and hosted devices with it.
    mutating func hostsEnd(_ error: DBusError) {
        for number in hosts.keys.sorted() { tellHost(number, .busEnded(error)) }
    }

    /// A daemon that did not tell of its objects when it was asked says something. It may have
    /// what hosted devices wait for, of which nobody else would ask.
    mutating func hostsHear(_ signal: DBusSignal) {
        if !hosts.isEmpty, signal.member == DBusObjectManager.interfacesAdded { load() }
    }

    /// Whether a device's link is one that this program has, or is about to have, as a central.
    private func isCentral(of device: DBusObjectPath) -> Bool {
        if links.byDevice[device] != nil { return true }
        guard let address = mirror.devices[device]?.address else { return false }
        return !links.numbers(to: address.uppercased()).isEmpty
    }

    private mutating func carryOut(_ effect: HostEffect, for number: UInt64) {
        guard let client = hosts[number]?.client else { return }
        switch effect {
        case .ask(let question, let call, let timeout):
            self.call(call, timeout: timeout) { session, answer in
                guard let (question, generation) = question else { return }
                session.tellHost(
                    number, .answered(question, answer.failure, generation: generation))
            }
        case .export(let object): put(.host(.export(object, of: number)))
        case .unexport(let path): put(.host(.unexport(path)))
        case .value(let value, let path): put(.host(.value(value, at: path)))
        case .reply(let values, let asked):
            guard let request = hosts[number]?.requests.removeValue(forKey: asked) else { break }
            put(.host(.reply(values, to: request)))
        case .refuse(let refusal, let asked):
            guard let request = hosts[number]?.requests.removeValue(forKey: asked) else { break }
            put(.host(.refuse(refusal, of: request)))
        case .start: perform { client.start() }
        case .tell(let event): perform { client.tell(event) }
        case .ready: perform { client.ready() }
        case .ended(let error):
            cancel(hosts[number]?.alarm?.timer)
            let host = hosts.removeValue(forKey: number)
            perform { [host] in
                client.ended(error)
                withExtendedLifetime(host) {}
            }
        }
    }

    private mutating func setAlarm(of number: UInt64) {
        guard let host = hosts[number], let due = host.machine.deadline else { return }
        if let alarm = host.alarm {
            guard due < alarm.due else { return }
            cancel(alarm.timer)
        }
        let timer = after(due.duration(since: now)) { session in
            session.hosts[number]?.alarm = nil
            session.tellHost(number, .time)
        }
        hosts[number]?.alarm = (timer, due)
    }
}

extension Result {
    /// The error, if it is one.
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
#endif
