#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

extension BlueZSession {
    /// Hosts a device under a unique number.
    mutating func host(_ number: UInt64, _ machine: HostMachine, _ client: any HostClient) {
        hosts[number] = SessionHost(machine: machine, client: client)
        whenUsable { session, result in
            let adapter = result.flatMap { path in
                session.mirror.adapters[path].map { .success($0) }
                    ?? .failure(Outage(.noBluetooth, "the adapter has gone"))
            }
            session.updateHost(number, .adapter(adapter))
        }
    }

    /// Handles an input of a hosted device.
    mutating func updateHost(_ number: UInt64, _ input: HostInput) {
        guard hosts[number] != nil else { return }
        var turn = HostTurn(now: now, mirror: mirror, owner: daemon.owner)
        hosts[number]?.machine.handle(input, &turn)
        for effect in turn.effects { perform(effect, for: number) }
        setAlarm(of: number)
    }

    /// Handles a request to an exported object of a hosted device.
    mutating func asked(_ request: DBusRequest, of number: UInt64) {
        guard hosts[number] != nil else {
            return put(.host(.refuse(DeviceRefusal.refusal(.unlikely), of: request)))
        }
        let asked = HostedRequest(
            number: nextNumber(), path: request.path, interface: request.interface,
            member: request.member, arguments: request.arguments, sender: request.sender)
        hosts[number]?.requests[asked.number] = request
        updateHost(number, .request(asked))
    }

    /// Applies a change of the mirror to hosted devices.
    mutating func updateHosts(_ change: MirrorChange) {
        let isOurs =
            if case .connection(let path, true) = change { isCentral(of: path) } else { false }
        for number in hosts.keys.sorted() { updateHost(number, .mirror(change, isOurs: isOurs)) }
    }

    /// Ends hosted devices, as the bus has ended.
    mutating func hostsEnd(_ error: DBusError) {
        for number in hosts.keys.sorted() { updateHost(number, .busEnded(error)) }
    }

    /// Reloads the objects for hosted devices when the daemon adds some after a failed load: no
    /// other part of the session would repeat the request.
    mutating func hostsReceived(_ signal: DBusSignal) {
        if !hosts.isEmpty, signal.member == DBusObjectManager.interfacesAdded { load() }
    }

    /// `true` if this program has the link to a device, or is connecting to it.
    private func isCentral(of device: DBusObjectPath) -> Bool {
        if links.byDevice[device] != nil { return true }
        guard let address = mirror.devices[device]?.address else { return false }
        return !links.numbers(to: address).isEmpty
    }

    private mutating func perform(_ effect: HostEffect, for number: UInt64) {
        guard let client = hosts[number]?.client else { return }
        switch effect {
        case .ask(let tracked, let call, let timeout):
            self.call(call, timeout: timeout) { session, answer in
                guard let (tracked, generation) = tracked else { return }
                session.updateHost(
                    number, .answered(tracked, answer.failure, generation: generation))
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
        case .start: callBack { client.start() }
        case .deliver(let event): callBack { client.deliver(event) }
        case .ready: callBack { client.ready() }
        case .reportFault(let text): LocalSystem.reportFault(text)
        case .ended(let error):
            cancel(hosts[number]?.alarm?.timer)
            let host = hosts.removeValue(forKey: number)
            callBack { [host] in
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
            session.updateHost(number, .deadline)
        }
        hosts[number]?.alarm = (timer, due)
    }
}
#endif
