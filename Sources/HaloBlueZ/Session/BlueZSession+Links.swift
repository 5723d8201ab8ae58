#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// What the program does with links.
extension BlueZSession {
    /// Begins a link; the completion is called once.
    mutating func openLink(
        to address: String, _ shell: LinkShell,
        completion: @escaping LinkTable.Completion<any LinkDriver>
    ) -> LinkNumber {
        let number = LinkNumber(rawValue: links.newNumber())
        let others = links.numbers(to: address)
        guard others.allSatisfy({ links.entries[$0]?.machine.isEnding == true }) else {
            perform { completion(.failure(BLEError(.alreadyConnected, .connect))) }
            return number
        }
        links.entries[number] = LinkTable.Entry(
            machine: LinkMachine(address: address), shell: shell, completion: completion)
        if others.isEmpty { take(.begin, for: number) }
        return number
    }

    /// Nobody wants a link any more that is still to come.
    mutating func cancelLink(_ number: LinkNumber) { take(.cancel, for: number) }

    mutating func closeLink(_ number: LinkNumber) { take(.close, for: number) }

    /// Tells the services when they are known.
    mutating func discoverServices(
        on number: LinkNumber, _ completion: @escaping LinkTable.Completion<[GATTService]>
    ) {
        guard links.open.contains(number) else {
            return perform { completion(.failure(.closed(.discover))) }
        }
        let request = nextNumber()
        links.entries[number]?.waiters[request] = completion
        take(.discover(request), for: number)
    }

    /// Asks for something; nothing that is read is no value.
    mutating func submit(
        _ work: LinkOperation.Work, for attribute: AttributeID?, on number: LinkNumber,
        _ completion: @escaping LinkTable.Completion<[UInt8]>
    ) {
        let operation = LinkOperation(number: links.newNumber(), attribute: attribute, work: work)
        guard links.open.contains(number) else {
            return perform { completion(.failure(.closed(operation.kind))) }
        }
        links.entries[number]?.requests[operation.number] = completion
        take(.submit(operation), for: number)
    }

    /// A socket was made, or could not be.
    mutating func socketMade(_ socket: (any LinkSocket)?, _ key: UInt64, on number: LinkNumber) {
        guard let socket else { return socketEnded(key, on: number) }
        guard links.entries.keys.contains(number) else { return put(.closeSocket(socket)) }
        links.entries[number]?.sockets[key] = socket
        take(.socketMade(key), for: number)
    }

    mutating func socketReceived(_ values: [[UInt8]], _ key: UInt64, on number: LinkNumber) {
        guard let attribute = links.entries[number]?.machine.link?.sockets.source(key),
            let receiver = links.entries[number]?.shell.receiver
        else { return }
        guard effectCount < Self.maximumEffects else {
            return busEnded(daemon.connection, DBusError(.tooMuch, details: "values"))
        }
        put(.tell(attribute, values, receiver))
    }

    /// A socket has taken what was sent, or has not.
    mutating func socketSent(_ isTaken: Bool, _ key: UInt64, step: UInt64, on number: LinkNumber) {
        if !isTaken { letSocketGo(key, of: number) }
        take(.socketSent(key, step: step, isTaken: isTaken), for: number)
    }

    /// A socket has ended: with its link, or because somebody took it away.
    mutating func socketEnded(_ key: UInt64, on number: LinkNumber) {
        letSocketGo(key, of: number)
        take(.socketEnded(key), for: number)
    }

    private mutating func letSocketGo(_ key: UInt64, of number: LinkNumber) {
        guard let socket = links.entries[number]?.sockets.removeValue(forKey: key) else { return }
        perform { withExtendedLifetime(socket) {} }
    }
}

/// What the daemon says, for links.
extension BlueZSession {
    /// Takes in what a daemon said.
    ///
    /// Everything comes in the one order in which the daemon said it, answers among them: so what
    /// a device sent before its link ended is told before the end (pitfall 14).
    mutating func linksNoticed(_ change: MirrorChange) {
        switch change {
        case .value(let characteristic, let value): valuesCame([value], from: characteristic)
        case .battery(let device, let level): take(.battery(level), of: device)
        case .attributes(let device): take(.attributesChanged, of: device)
        case .mtu(let characteristic):
            guard let device = mirror.device(of: characteristic) else { return }
            take(.mtuChanged, of: device)
        case .resolved(let device, let isResolved): take(.resolved(isResolved), of: device)
        case .connection(let device, let isConnected):
            take(isConnected ? .connected : .disconnected, of: device)
            if !isConnected { parted(device) }
        case .reason(let device, let name, let text):
            take(.reason(name: name, text: text), of: device)
        case .deviceRemoved(let device):
            take(.deviceRemoved, of: device)
            parted(device)
        case .device(let device, _):
            if mirror.devices[device]?.isPaired == true { take(.paired, of: device) }
            lookAgain(for: device)
        case .loaded: break
        case .adapter(let path):
            // Links through it end with it, and so does a Connect, which is never answered when the
            // adapter is switched off under it (testbed: "no reply at all").
            guard let adapter = mirror.adapters[path], !adapter.isOn else { return }
            lose(path, "the adapter is switched off", orElse: .poweredOff)
        case .adapterRemoved(let path): lose(path, "the adapter was removed", orElse: .unsupported)
        case .lost(let text):
            // A daemon that comes back knows nothing of links that were: they end, and the next
            // attempt finds the new one (pitfall 19). First those who wait for another link's end,
            // which would begin when that comes.
            let all = links.entries.keys.sorted()
            let waiting = all.filter { links.entries[$0]?.machine.phase == .waiting }
            for number in waiting + all {
                let reason = DisconnectReason(.backendGone, details: text)
                take(.lost(reason, orElse: .backend), for: number)
            }
            links.agent = .absent
        }
    }

    private mutating func lose(
        _ adapter: DBusObjectPath, _ text: String, orElse kind: BLEError.Kind
    ) {
        for number in links.numbers(through: adapter) {
            take(.lost(DisconnectReason(.adapterGone, details: text), orElse: kind), for: number)
        }
    }

    /// A characteristic's values were told: they go past the link, unless it is being read.
    mutating func valuesCame(_ values: [[UInt8]], from path: DBusObjectPath) {
        guard let source = links.sources[path] else { return }
        let values = withoutEquals(values, of: path)
        guard source.isRead else { return put(.tell(source.attribute, values, source.receiver)) }
        for value in values { take(.value(value, source.attribute), for: source.link) }
    }

    /// The values without those that the options say to leave out.
    private mutating func withoutEquals(_ values: [[UInt8]], of path: DBusObjectPath) -> [[UInt8]] {
        guard let time = options.leavesOutEqualValuesWithin else { return values }
        return values.filter { value in
            let last = links.sources[path]?.last
            links.sources[path]?.last = (value, now)
            guard let last, last.value == value else { return true }
            return now.duration(since: last.moment) > time
        }
    }

    /// Looks whether a device that is there now was looked for. In a crowd this is asked all the
    /// time: it does not depend on how many devices there are.
    private mutating func lookAgain(for device: DBusObjectPath) {
        guard !links.listening.isEmpty, let found = mirror.devices[device],
            let address = found.address, let adapter = found.adapter
        else { return }
        for number in links.listening.sorted() {
            guard let machine = links.entries[number]?.machine, machine.address == address,
                machine.adapter == adapter
            else { continue }
            take(.look(sighting(of: address, on: adapter)), for: number)
        }
    }

    private func sighting(of address: String, on adapter: DBusObjectPath) -> LinkSighting {
        guard let device = mirror.device(address: address, on: adapter) else { return .unknown }
        let isConnected = mirror.devices[device]?.isConnected == true
        if isConnected, links.parting[device] != nil { return .parting }
        return links.byDevice[device] == nil ? .there(device) : .taken
    }

    /// Has the daemon disconnect a device. Whoever looks for it meanwhile would find a link that is
    /// about to end.
    private mutating func drop(_ device: DBusObjectPath, for number: LinkNumber?) {
        let question = links.newNumber()
        links.parting[device] = question
        call(Device1.disconnect, of: mirror.linkInterface(of: device), at: device) {
            session, answer in
            if let number { session.take(.disconnectAnswered, for: number) }
            session.dropAnswered(device, question, answer)
        }
    }

    /// Daemons before 5.79 answer first, and then say that the link has ended (their source).
    private mutating func dropAnswered(
        _ device: DBusObjectPath, _ question: UInt64, _ answer: Answer
    ) {
        guard case .success = answer, mirror.devices[device]?.isConnected == true else {
            return parted(device, question)
        }
        _ = after(LinkLimits.lateLink) { session in session.parted(device, question) }
    }

    /// What is left of a device's link is as good as any; nothing, if it was asked to end again.
    private mutating func parted(_ device: DBusObjectPath, _ question: UInt64) {
        if links.parting[device] == question { parted(device) }
    }

    /// Nothing is left of a device's link.
    private mutating func parted(_ device: DBusObjectPath) {
        links.parting[device] = nil
        lookAgain(for: device)
    }

    /// Asks what the daemon may not have said: where the device is hosted by the same daemon,
    /// 5.66 answers Connect and does not tell that the device is connected (seen each time in the
    /// virtual machine; its log has "is already connected").
    private mutating func askWhetherConnected(_ device: DBusObjectPath, for number: LinkNumber) {
        call(
            DBusProperties.get, of: DBusProperties.interfaceName, at: device,
            [.string(mirror.linkInterface(of: device)), .string(Device1.connected)]
        ) { session, answer in
            if case .success(let reply) = answer, reply.values.first?.unwrapped.boolean == true,
                session.mirror.devices[device]?.isConnected == false
            {
                session.mirror.devices[device]?.isConnected = true
                session.noticed(.connection(device, isConnected: true))
            }
            session.take(.strayChecked, for: number)
        }
    }
}

extension BlueZSession {
    private mutating func take(_ input: LinkInput, of device: DBusObjectPath) {
        if let number = links.byDevice[device] { take(input, for: number) }
    }

    /// Tells a link what has happened, and does what is to be done about it before anything else is
    /// told to any link.
    mutating func take(_ input: LinkInput, for number: LinkNumber) {
        links.inbox.append((number, input))
        guard !links.isTakingIn else { return }
        links.isTakingIn = true
        while let (number, input) = links.inbox.popFirst() {
            if case .agentIsThere(let need) = input, !links.entries.keys.contains(number) {
                releaseAgent(need)
            }
            let effects = links.handle(
                input, for: number, now: now, mirror: mirror, options: options)
            for effect in effects { carryOut(effect, for: number) }
        }
        links.isTakingIn = false
    }

    private mutating func carryOut(_ effect: LinkEffect, for number: LinkNumber) {
        switch effect {
        case .wantAdapter: wantAdapter(for: number)
        case .holdDiscovery(let hold): holdDiscovery(seeking: hold == .seeking)
        case .releaseDiscovery(let hold): releaseDiscovery(seeking: hold == .seeking)
        case .wantAgent(let need): wantAgent(need, for: number)
        case .releaseAgent(let need): releaseAgent(need)
        case .disconnect(let device): drop(device, for: number)
        case .askWhetherConnected(let device): askWhetherConnected(device, for: number)
        case .call(let owner, let call, let timeout):
            self.call(call, timeout: timeout) { session, answer in
                session.answered(owner, at: call.path, answer, for: number)
            }
        case .start(let wait, let duration): start(wait, duration, for: number)
        case .stop(let wait): stop(wait, for: number)
        case .listen(let path, let attribute):
            guard let receiver = links.entries[number]?.shell.receiver else { return }
            links.sources[path] = LinkTable.Source(
                link: number, attribute: attribute, receiver: receiver)
        case .unlisten(let path): links.sources[path] = nil
        case .holdValues(let path, let isRead): links.sources[path]?.isRead = isRead
        case .openSocket(let offer): put(.openSocket(offer, number))
        case .closeSocket(let key):
            if let socket = links.entries[number]?.sockets.removeValue(forKey: key) {
                put(.closeSocket(socket))
            }
        case .send(let value, let key, let step):
            guard let socket = links.entries[number]?.sockets[key] else { return }
            put(.send(value, socket, key, step: step, number))
        case .complete(let request, let result):
            guard let completion = links.entries[number]?.requests.removeValue(forKey: request)
            else { return }
            perform { completion(result) }
        case .completeServices(let requests, let result):
            let waiters = requests.compactMap {
                links.entries[number]?.waiters.removeValue(forKey: $0)
            }
            perform { for waiter in waiters { waiter(result) } }
        case .opened, .failed, .tell, .tellValues: tell(effect, to: number)
        case .over: remove(number)
        }
    }

    private mutating func tell(_ effect: LinkEffect, to number: LinkNumber) {
        guard let shell = links.entries[number]?.shell else { return }
        switch effect {
        case .opened: answer(number) { .success(shell.makeDriver(number)) }
        case .failed(let error): answer(number) { .failure(error) }
        case .tell(let event): perform { shell.receiver.event(event) }
        case .tellValues(let values, let attribute): put(.tell(attribute, values, shell.receiver))
        default: break
        }
    }

    /// Answers an attempt, once.
    private mutating func answer(
        _ number: LinkNumber, _ result: @escaping @Sendable () -> Result<any LinkDriver, BLEError>
    ) {
        guard let completion = links.entries[number]?.completion else { return }
        links.entries[number]?.completion = nil
        perform { completion(result()) }
    }

    private mutating func wantAdapter(for number: LinkNumber) {
        whenUsable { session, result in
            session.take(.adapter(result), for: number)
            guard case .success(let adapter) = result,
                let address = session.links.entries[number]?.machine.address
            else { return }
            session.take(.look(session.sighting(of: address, on: adapter)), for: number)
        }
    }

    private mutating func start(_ wait: LinkWait, _ duration: Duration, for number: LinkNumber) {
        stop(wait, for: number)
        let timer = after(duration) { session in
            session.links.entries[number]?.timers[wait] = nil
            session.take(.timer(wait), for: number)
        }
        links.entries[number]?.timers[wait] = timer
    }

    private mutating func stop(_ wait: LinkWait, for number: LinkNumber) {
        cancel(links.entries[number]?.timers.removeValue(forKey: wait))
    }

    private mutating func answered(
        _ owner: LinkCall, at device: DBusObjectPath, _ answer: Answer, for number: LinkNumber
    ) {
        let error = answer.failure
        switch owner {
        case .connect(let attempt):
            guard links.entries[number]?.machine.awaits(attempt: attempt) == true else {
                // A link that comes when nobody waits for it is not wanted.
                if error == nil, links.byDevice[device] == nil { drop(device, for: nil) }
                return
            }
            take(.connectAnswered(attempt: attempt, error), for: number)
        case .operation(let step): take(.answered(step: step, answer), for: number)
        case .pair(let need):
            releaseAgent(need)
            take(.pairAnswered(need: need, error), for: number)
        case .nobody: break
        }
    }

    /// Takes a link out of the table, and lets those go on who waited for that.
    private mutating func remove(_ number: LinkNumber) {
        guard let entry = links.entries.removeValue(forKey: number) else { return }
        for timer in entry.timers.values { cancel(timer) }
        perform { withExtendedLifetime(entry) {} }
        for next in links.numbers(to: entry.machine.address) { take(.begin, for: next) }
    }
}

extension BLEError {
    /// The app has closed the link already.
    fileprivate static func closed(_ operation: Operation) -> BLEError {
        BLEError(.disconnected, operation, reason: DisconnectReason(.local))
    }
}
#endif
