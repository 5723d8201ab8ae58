#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct LinkTable: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, BLEError>) -> Void

    struct Entry: Sendable {
        var machine: LinkMachine
        let events: @Sendable (LinkEvent) -> Void
        let makeDriver: @Sendable (LinkNumber) -> any LinkDriver
        /// The completion of the attempt; `nil` once it has been called.
        var completion: Completion<any LinkDriver>?
        var requests: [UInt64: Completion<[UInt8]>] = [:]
        var waiters: [UInt64: Completion<[GATTService]>] = [:]
        var timers: [LinkTimer: BlueZSession.TimerNumber] = [:]
    }

    /// The link that has subscribed to a characteristic.
    struct Source: Sendable {
        let link: LinkNumber
        let attribute: AttributeID
        let events: @Sendable (LinkEvent) -> Void
        /// `true` during a read, when values are held until the reply.
        var isRead = false
    }

    var entries: [LinkNumber: Entry] = [:]
    /// The link that owns each device: the only one that receives the device's events.
    private(set) var byDevice: [DBusObjectPath: LinkNumber] = [:]
    private(set) var listening: Set<LinkNumber> = []
    /// Links that are open for an app.
    private(set) var open: Set<LinkNumber> = []
    /// The subscribed characteristics of the present links. The daemon also signals values for
    /// subscriptions of an earlier link (pitfall 10, testbed: "stays Notifying over a reconnect")
    /// and of other programs.
    var sources: [DBusObjectPath: Source] = [:]
    /// Devices for which `Disconnect` was called, with the generation of the last call.
    var disconnecting: [DBusObjectPath: UInt64] = [:]
    var agent = PairingAgent.absent
    /// The time without an answer after which the end of a link means
    /// ``DisconnectReason/Kind/noResponse``.
    var silenceThreshold = LinkLimits.silenceThreshold
    var inputs = Queue<(LinkNumber, LinkInput)>()
    var isHandling = false
    private(set) var lastNumber: UInt64 = 0

    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    mutating func handle(
        _ input: LinkInput, for number: LinkNumber, now: Moment, mirror: BlueZMirror,
        options: BlueZOptions
    ) -> [LinkEffect] {
        var turn = LinkTurn(
            now: now, mirror: mirror, options: options, silenceThreshold: silenceThreshold,
            lastNumber: lastNumber)
        // The link is mutated in place: a copy costs more than the work.
        guard let change = entries[number]?.machine.handling(input, &turn) else { return [] }
        lastNumber = turn.lastNumber
        if change.from != change.to {
            if let device = change.from { byDevice[device] = nil }
            if let device = change.to { byDevice[device] = number }
        }
        if change.isListening { listening.insert(number) } else { listening.remove(number) }
        if change.isOpen { open.insert(number) } else { open.remove(number) }
        return turn.effects
    }

    func numbers(to address: String) -> [LinkNumber] {
        entries.filter { $0.value.machine.address == address }.keys.sorted()
    }
}

extension LinkMachine {
    /// Handles an input; returns what the table's indices depend on, in one access.
    fileprivate mutating func handling(
        _ input: LinkInput, _ turn: inout Turn
    ) -> (from: DBusObjectPath?, to: DBusObjectPath?, isListening: Bool, isOpen: Bool) {
        let device = place?.device
        handle(input, &turn)
        return (device, place?.device, isListening, link != nil)
    }
}

/// Requests of the app for links.
extension BlueZSession {
    /// Starts a link; the completion is called once.
    mutating func openLink(
        to address: String, events: @escaping @Sendable (LinkEvent) -> Void,
        makeDriver: @escaping @Sendable (LinkNumber) -> any LinkDriver,
        completion: @escaping LinkTable.Completion<any LinkDriver>
    ) -> LinkNumber {
        let number = LinkNumber(rawValue: links.newNumber())
        let others = links.numbers(to: address)
        guard others.allSatisfy({ links.entries[$0]?.machine.isEnding == true }) else {
            callBack { completion(.failure(BLEError(.alreadyConnected, .connect))) }
            return number
        }
        links.entries[number] = LinkTable.Entry(
            machine: LinkMachine(address: address), events: events, makeDriver: makeDriver,
            completion: completion)
        if others.isEmpty { handle(.begin, for: number) }
        return number
    }

    mutating func cancelLink(_ number: LinkNumber) { handle(.cancel, for: number) }

    mutating func closeLink(_ number: LinkNumber) {
        if links.open.contains(number) { handle(.close, for: number) }
    }

    mutating func discoverServices(
        on number: LinkNumber, _ completion: @escaping LinkTable.Completion<[GATTService]>
    ) {
        guard links.open.contains(number) else {
            return callBack { completion(.failure(.closed(.discover))) }
        }
        let request = nextNumber()
        links.entries[number]?.waiters[request] = completion
        handle(.discover(request), for: number)
    }

    /// Starts an operation; only a read completes with a value.
    mutating func submit(
        _ work: LinkOperation.Work, for attribute: AttributeID?, on number: LinkNumber,
        _ completion: @escaping LinkTable.Completion<[UInt8]>
    ) {
        let operation = LinkOperation(number: links.newNumber(), attribute: attribute, work: work)
        guard links.open.contains(number) else {
            return callBack { completion(.failure(.closed(operation.kind))) }
        }
        links.entries[number]?.requests[operation.number] = completion
        handle(.submit(operation), for: number)
    }

    // MARK: Events of the daemon

    /// Applies a change of the mirror to links.
    ///
    /// Signals and replies come in the daemon's order: so a value from before the end of a link is
    /// delivered before the end (pitfall 14).
    mutating func updateLinks(_ change: MirrorChange) {
        switch change {
        case .value(let characteristic, let value): valuesReceived([value], from: characteristic)
        case .battery(let device, let level): handle(.battery(level), of: device)
        case .attributes(let device): handle(.attributesChanged, of: device)
        case .mtu(let characteristic):
            guard let device = mirror.device(of: characteristic) else { return }
            handle(.mtuChanged, of: device)
        case .resolved(let device, let isResolved): handle(.resolved(isResolved), of: device)
        case .connection(let device, let isConnected):
            handle(isConnected ? .connected : .disconnected, of: device)
            if !isConnected { didDisconnect(device) }
        case .reason(let device, let name, let text):
            handle(.reason(name: name, text: text), of: device)
        case .deviceRemoved(let device):
            handle(.deviceRemoved, of: device)
            didDisconnect(device)
        case .device(let device, _):
            if mirror.devices[device]?.isPaired == true { handle(.paired, of: device) }
            lookUpAgain(for: device)
        case .loaded: break
        case .adapter(let path):
            // Its links end with it, and so do attempts: their `Connect` is never answered when the
            // adapter is powered off (testbed: "no reply at all").
            guard let adapter = mirror.adapters[path], !adapter.isOn else { return }
            lose(path, "the adapter is switched off", orElse: .bluetoothOff)
        case .adapterRemoved(let path): lose(path, "the adapter was removed", orElse: .noBluetooth)
        case .lost(let text):
            // A daemon that comes back has none of the links: they end, and the next attempt finds
            // the new daemon (pitfall 19). Attempts that wait for another link's end come first, as
            // they would start with that end.
            let all = links.entries.keys.sorted()
            let waiting = all.filter { links.entries[$0]?.machine.isWaiting == true }
            for number in waiting + all {
                let reason = DisconnectReason(.backendGone, details: text)
                handle(.lost(reason, orElse: .backend), for: number)
            }
            links.agent = .absent
        }
    }

    private mutating func lose(
        _ adapter: DBusObjectPath, _ text: String, orElse kind: BLEError.Kind
    ) {
        let lost = links.entries.filter { $0.value.machine.adapter == adapter }
        for number in lost.keys.sorted() {
            handle(.lost(DisconnectReason(.adapterGone, details: text), orElse: kind), for: number)
        }
    }

    /// Looks up a device for the links that wait for it. This happens often in a crowd, so its cost
    /// does not depend on the number of devices.
    private mutating func lookUpAgain(for device: DBusObjectPath) {
        guard !links.listening.isEmpty, let found = mirror.devices[device],
            let address = found.address, let adapter = found.adapter
        else { return }
        for number in links.listening.sorted() {
            guard let machine = links.entries[number]?.machine, machine.address == address,
                machine.adapter == adapter
            else { continue }
            handle(.lookup(lookup(of: address, on: adapter)), for: number)
        }
    }

    private func lookup(of address: String, on adapter: DBusObjectPath) -> DeviceLookup {
        guard let device = mirror.device(address: address, on: adapter) else { return .unknown }
        let isConnected = mirror.devices[device]?.isConnected == true
        if isConnected, links.disconnecting[device] != nil { return .disconnecting }
        return links.byDevice[device] == nil ? .there(device) : .inUse
    }

    /// Calls `Disconnect`. Until the link's end, a lookup returns ``DeviceLookup/disconnecting``.
    private mutating func requestDisconnect(_ device: DBusObjectPath, for number: LinkNumber?) {
        let generation = links.newNumber()
        links.disconnecting[device] = generation
        call(Device1.disconnect, of: mirror.linkInterface(of: device), at: device) {
            session, answer in
            if let number { session.handle(.disconnectAnswered, for: number) }
            session.disconnectReplied(device, generation, answer)
        }
    }

    /// Handles the reply to `Disconnect`, which before 5.79 precedes the end (its source).
    private mutating func disconnectReplied(
        _ device: DBusObjectPath, _ generation: UInt64, _ answer: Answer
    ) {
        guard case .success = answer, mirror.devices[device]?.isConnected == true else {
            return didDisconnect(device, generation)
        }
        _ = after(LinkLimits.lateLink) { session in session.didDisconnect(device, generation) }
    }

    /// Ends the wait for a disconnect, unless there was a newer call.
    private mutating func didDisconnect(_ device: DBusObjectPath, _ generation: UInt64) {
        if links.disconnecting[device] == generation { didDisconnect(device) }
    }

    private mutating func didDisconnect(_ device: DBusObjectPath) {
        links.disconnecting[device] = nil
        lookUpAgain(for: device)
    }

    /// Reads `Connected`, whose change the daemon may not have announced: where it hosts the device
    /// itself, 5.66 replies to `Connect` and does not announce the connection (seen each time in
    /// the virtual machine; its log has "is already connected").
    private mutating func askWhetherConnected(_ device: DBusObjectPath, for number: LinkNumber) {
        call(
            DBusProperties.get, of: DBusProperties.interfaceName, at: device,
            [.string(mirror.linkInterface(of: device)), .string(Device1.connected)]
        ) { session, answer in
            if case .success(let reply) = answer, reply.values.first?.unwrapped.boolean == true,
                session.mirror.devices[device]?.isConnected == false
            {
                session.mirror.devices[device]?.isConnected = true
                session.apply(.connection(device, isConnected: true))
            }
            session.handle(.strayChecked, for: number)
        }
    }

    // MARK: The machines

    private mutating func handle(_ input: LinkInput, of device: DBusObjectPath) {
        if let number = links.byDevice[device] { handle(input, for: number) }
    }

    /// Handles an input of a link, and performs its effects before the next input of any link.
    mutating func handle(_ input: LinkInput, for number: LinkNumber) {
        links.inputs.append((number, input))
        guard !links.isHandling else { return }
        links.isHandling = true
        while let (number, input) = links.inputs.popFirst() {
            if case .agentReady(let need) = input, !links.entries.keys.contains(number) {
                releaseAgent(need)
            }
            let effects = links.handle(
                input, for: number, now: now, mirror: mirror, options: options)
            for effect in effects { perform(effect, for: number) }
        }
        links.isHandling = false
    }

    private mutating func perform(_ effect: LinkEffect, for number: LinkNumber) {
        switch effect {
        case .requestAdapter: requestAdapter(for: number)
        case .holdDiscovery(let hold): holdDiscovery(searching: hold == .searching)
        case .releaseDiscovery(let hold): releaseDiscovery(searching: hold == .searching)
        case .requestAgent(let need): requestAgent(need, for: number)
        case .releaseAgent(let need): releaseAgent(need)
        case .disconnect(let device): requestDisconnect(device, for: number)
        case .askWhetherConnected(let device): askWhetherConnected(device, for: number)
        case .call(let owner, let call, let timeout):
            self.call(call, timeout: timeout) { session, answer in
                session.answered(owner, at: call.path, answer, for: number)
            }
        case .start(let wait, let duration): start(wait, duration, for: number)
        case .stop(let wait): stop(wait, for: number)
        case .listen(let path, let attribute):
            guard let events = links.entries[number]?.events else { return }
            links.sources[path] = LinkTable.Source(
                link: number, attribute: attribute, events: events)
        case .unlisten(let path): links.sources[path] = nil
        case .holdValues(let path, let isRead): links.sources[path]?.isRead = isRead
        case .complete(let request, let result):
            guard let completion = links.entries[number]?.requests.removeValue(forKey: request)
            else { return }
            callBack { completion(result) }
        case .completeServices(let requests, let result):
            let waiters = requests.compactMap {
                links.entries[number]?.waiters.removeValue(forKey: $0)
            }
            callBack { for waiter in waiters { waiter(result) } }
        case .opened:
            guard let makeDriver = links.entries[number]?.makeDriver else { return }
            answer(number) { .success(makeDriver(number)) }
        case .failed(let error): answer(number) { .failure(error) }
        case .deliver(let event):
            guard let events = links.entries[number]?.events else { return }
            callBack { events(event) }
        case .deliverValues(let values, let attribute):
            guard let events = links.entries[number]?.events else { return }
            put(.deliver(attribute, values, events))
        case .reportFault(let text): LocalSystem.reportFault(text)
        case .ended: remove(number)
        }
    }

    /// Completes an attempt, once.
    private mutating func answer(
        _ number: LinkNumber, _ result: @escaping @Sendable () -> Result<any LinkDriver, BLEError>
    ) {
        guard let completion = links.entries[number]?.completion else { return }
        links.entries[number]?.completion = nil
        callBack { completion(result()) }
    }

    private mutating func requestAdapter(for number: LinkNumber) {
        whenUsable { session, result in
            session.handle(.adapter(result), for: number)
            guard case .success(let adapter) = result,
                let address = session.links.entries[number]?.machine.address
            else { return }
            session.handle(.lookup(session.lookup(of: address, on: adapter)), for: number)
        }
    }

    private mutating func start(_ wait: LinkTimer, _ duration: Duration, for number: LinkNumber) {
        stop(wait, for: number)
        let timer = after(duration) { session in
            session.links.entries[number]?.timers[wait] = nil
            session.handle(.timer(wait), for: number)
        }
        links.entries[number]?.timers[wait] = timer
    }

    private mutating func stop(_ wait: LinkTimer, for number: LinkNumber) {
        cancel(links.entries[number]?.timers.removeValue(forKey: wait))
    }

    private mutating func answered(
        _ owner: LinkCall, at device: DBusObjectPath, _ answer: Answer, for number: LinkNumber
    ) {
        let error = answer.failure
        switch owner {
        case .connect(let attempt):
            guard links.entries[number]?.machine.awaits(attempt: attempt) == true else {
                // A connection that belongs to no attempt and no link is closed.
                if error == nil, links.byDevice[device] == nil {
                    requestDisconnect(device, for: nil)
                }
                return
            }
            handle(.connectAnswered(attempt: attempt, error), for: number)
        case .operation(let step): handle(.answered(step: step, answer), for: number)
        case .pair(let need):
            releaseAgent(need)
            handle(.pairAnswered(need: need, error), for: number)
        case .ignored: break
        }
    }

    /// Removes a link, and starts the attempts that wait for its end.
    private mutating func remove(_ number: LinkNumber) {
        guard let entry = links.entries.removeValue(forKey: number) else { return }
        for timer in entry.timers.values { cancel(timer) }
        callBack { withExtendedLifetime(entry) {} }
        for next in links.numbers(to: entry.machine.address)
        where links.entries[next]?.machine.isWaiting == true { handle(.begin, for: next) }
    }
}

extension BLEError {
    fileprivate static func closed(_ operation: Operation) -> BLEError {
        BLEError(.disconnected, operation, disconnectReason: DisconnectReason(.local))
    }
}
#endif
