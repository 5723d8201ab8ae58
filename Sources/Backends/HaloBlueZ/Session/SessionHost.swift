#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct SessionHost: Sendable {
    var machine: HostMachine
    let perform: @Sendable (HostEffect) -> Void
    /// The timer for the machine's deadline; it may fire early.
    var alarm: (timer: BlueZSession.TimerNumber, due: Moment)?
}

extension BlueZSession {
    /// Hosts a device under a unique number. `perform` gets the effects that concern the device or
    /// its objects on the bus; it is held until the end.
    mutating func host(
        _ number: UInt64, _ machine: HostMachine,
        perform: @escaping @Sendable (HostEffect) -> Void
    ) {
        hosts[number] = SessionHost(machine: machine, perform: perform)
        whenUsable { session, result in
            let adapter = result.flatMap { path in
                session.mirror.adapters[path].map { .success($0) }
                    ?? .failure(Outage(.noBluetooth, "the adapter has gone"))
            }
            session.updateHost(number, .adapter(adapter))
        }
    }

    mutating func updateHost(_ number: UInt64, _ input: HostInput) {
        guard hosts[number] != nil else { return }
        var turn = HostTurn(now: now, mirror: mirror, owner: daemon.owner)
        hosts[number]?.machine.handle(input, &turn)
        for effect in turn.effects { perform(effect, for: number) }
        setAlarm(of: number)
    }

    mutating func updateHosts(_ change: MirrorChange) {
        let isOurs =
            if case .connection(let path, true) = change { isCentral(of: path) } else { false }
        for number in hosts.keys.sorted() { updateHost(number, .mirror(change, isOurs: isOurs)) }
    }

    /// `true` if this program has the link to a device, or is connecting to it.
    private func isCentral(of device: DBusObjectPath) -> Bool {
        if links.byDevice[device] != nil { return true }
        guard let address = mirror.devices[device]?.address else { return false }
        return !links.numbers(to: address).isEmpty
    }

    private mutating func perform(_ effect: HostEffect, for number: UInt64) {
        guard let perform = hosts[number]?.perform else { return }
        switch effect {
        case .ask(let tracked, let call, let timeout):
            self.call(call, timeout: timeout) { session, answer in
                guard let (tracked, generation) = tracked else { return }
                session.updateHost(
                    number, .answered(tracked, answer.failure, generation: generation))
            }
            return
        case .ended:
            cancel(hosts[number]?.alarm?.timer)
            hosts[number] = nil
        case .export, .unexport, .value, .reply, .refuse, .start, .deliver, .ready, .reportFault:
            break
        }
        callBack { perform(effect) }
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
