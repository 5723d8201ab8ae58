#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Something that was asked of a link: one at a time is with the daemon.
struct LinkOperation: Hashable, Sendable {
    enum Work: Hashable, Sendable {
        case read
        case write([UInt8], WriteMode)
        case notify(Bool)
        case pair
        /// A subscription that nobody has any more; nobody waits for it either.
        case release(DBusObjectPath)
    }

    /// Whose it is, and which answers are its.
    let number: UInt64
    let attribute: AttributeID?
    let work: Work
    /// Whether a socket was asked for and not given.
    var doesWithoutSocket = false

    var kind: BLEError.Operation {
        switch work {
        case .read: .read
        case .write: .write
        case .notify(true): .subscribe
        case .notify(false), .release: .unsubscribe
        case .pair: .pair
        }
    }
}

/// The operation that is with the daemon.
struct RunningOperation: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        case asked
        /// A socket was asked for; it is being made; it has what is written.
        case acquiring
        case awaitingSocket(UInt64)
        case sending(UInt64)
        /// The link's end may explain this error.
        case explaining(BlueZFault)
        case pausing
        case awaitingAgent(UInt64)
        case pairing(UInt64)
    }

    var operation: LinkOperation
    /// When the daemon was asked first.
    var began: Moment
    /// How often the daemon was busy.
    var retries = 0
    /// What the device said before it was paired with because of it.
    var refusal: BlueZFault?
    /// Values of the same characteristic that came while it is read.
    var held: [[UInt8]] = []
    var stage = Stage.asked

    /// Whether an answer is to what was asked last.
    func isAsked(_ step: UInt64) -> Bool {
        operation.number == step && (stage == .asked || stage == .acquiring)
    }

    func isSending(_ socket: UInt64, _ step: UInt64) -> Bool {
        operation.number == step && stage == .sending(socket)
    }
}

/// How values of a characteristic come.
enum LinkSubscriptionMode: Hashable, Sendable {
    case signals
    /// Through a socket, by its number.
    case socket(UInt64)
    /// With the daemon's word of the battery.
    case battery
    /// Not at this moment: the socket was taken away.
    case broken
}

/// What is asked of a device: one thing at a time on each link, in the order of asking, as the
/// daemon may refuse a second one (pitfall 6: bleak's client tries again then).
///
/// Values are switched on and off so:
/// - Who wants values is put down before the daemon is asked: a value that comes before its answer
///   is told (pitfall 12: bleak#374).
/// - A characteristic is switched on once, whoever wants its values: the layer above shares them
///   (pitfall 13: bleak#484).
/// - It is switched off in the way in which it was switched on (bleak#1973).
/// - What is left at a link's end is switched off then: the daemon would go on with it on the next
///   link (pitfall 10: testbed; tinygo#260).
///
/// What a read answers is told as a value too, just before the answer (pitfall 11: bleak, bluer;
/// seen on 5.66). So values of a characteristic that is being read wait for the answer, and the
/// last one that equals it is left out. If the device sends that very value by itself at that
/// moment, one of the two is missing: nobody can tell them apart.
///
/// The table, by what is asked for and then by stage; "done" answers, and the next begins:
///
///     submit, 1024 wait                    overloaded
///     release, notify no with signals      StopNotify                              → asked
///     pair                                 the agent is wanted                     → awaitingAgent
///     a number that is stale               done, noSuchAttribute
///     read                                 ReadValue                               → asked
///     read, the battery                    done
///     write without response, not empty, there is a socket
///                                          it is sent, for 33 s; or waits until
///                                          the socket is made       → sending, or awaitingSocket
///     write, there is a socket             it is closed, and none is asked for again; as below
///     write, the 9th without response in a row, sockets are wanted and offered
///                                          AcquireWrite                            → acquiring
///     write                                WriteValue                              → asked
///     notify yes, it is off or broken, sockets are wanted and offered
///                                          AcquireNotify                           → acquiring
///     notify yes, it is off or broken      its values are ours; StartNotify        → asked
///     notify no with a socket              it is closed; done
///     notify, it is so; of the battery     done
///     write the battery, notify a descriptor   done, notPermitted
///
///     asked, acquiring
///       answered                           done; a read without a value fails
///       answered, acquiring, a socket      it is made; done, or for a write   → awaitingSocket
///       answered, acquiring, none; or refused as `notSupported` and the like; a write: anyhow
///                                          it begins anew without a socket
///       refused, notify no: there was none; notify yes: it is on already      done
///       refused, release                   done
///       inProgress; acquired, and one of ours was closed within 2 s
///                                          for 10 s: a pause of 10 ms, twice as long each
///                                          time, at most 640 ms                    → pausing
///       timedOut; unlikely after 29 s      leave, noResponse
///       unlikely, gone, notConnected       a wait of 250 ms for the end           → explaining
///       notPaired, pairing is allowed      once: as `pair`                         → awaitingAgent
///       else refused                       done
///     explaining
///       hold, unlikely, keys may help      once: as `pair`                         → awaitingAgent
///       hold, notConnected                 leave, remote
///       hold                               done
///     pausing
///       retry                              it begins anew
///     awaitingAgent
///       agentIsThere                       Pair, for 60 s                          → pairing
///     pairing
///       pairAnswered, paired               done; what was refused before begins anew
///       pairAnswered, inProgress           for 60 times: a pause of 1 s            → pausing
///       pairAnswered, failed               done, with what it was refused for before
///     awaitingSocket
///       socketMade                         it begins anew
///     sending
///       socketSent, taken                  done
///       hold                               leave, noResponse
///     awaitingSocket, sending
///       socketEnded, socketSent not taken  none is asked for again; it begins anew
///     all
///       socketMade, of one that is closed  it is closed
///       socketEnded, of values             the length is measured; a wait of 250 ms
///       resubscribe                        the values go on as signals, if they are wanted
extension OpenLink {
    static let noOptions: [DBusValue] = [.properties([:])]

    mutating func handleOperation(_ input: LinkInput, _ turn: inout Turn) -> DisconnectReason? {
        switch input {
        case .submit(let operation): queue(operation, &turn)
        case .answered(let step, let answer):
            guard let running, running.isAsked(step) else { break }
            switch answer {
            case .success(let reply): succeeded(reply, &turn)
            case .failure(let error): return failed(running, BlueZFault(error), &turn)
            }
        case .timer(.hold): return heldLongEnough(&turn)
        case .timer(.retry): if running?.stage == .pausing { begin(&turn) }
        case .timer(.resubscribe(let attribute)): resubscribe(attribute, &turn)
        case .agentIsThere(let need): startPairing(need, &turn)
        case .pairAnswered(let need, let error):
            if running?.stage == .pairing(need) { paired(error.map(BlueZFault.init), &turn) }
        case .paired:
            guard case .pairing(let need)? = running?.stage else { break }
            turn.put(.releaseAgent(need))
            paired(nil, &turn)
        case .value(let value, let attribute): keep(value, of: attribute, &turn)
        case .socketMade(let socket): socketMade(socket, &turn)
        case .socketEnded(let socket): socketEnded(socket, &turn)
        case .socketSent(let socket, let step, let isTaken):
            guard running?.isSending(socket, step) == true else { break }
            // What is not taken: the other end is closed, because the link is over or the socket
            // was taken away; or this one is, because what was given out is stale.
            if isTaken { done(.success([]), &turn) } else { socketEnded(socket, &turn) }
        default: break
        }
        return nil
    }

    // MARK: One after the other

    mutating func queue(_ operation: LinkOperation, _ turn: inout Turn) {
        guard operations.count < LinkLimits.maximumOperations else {
            let error = BLEError(.overloaded, operation.kind)
            return turn.put(.complete(operation.number, .failure(error)))
        }
        operations.append(operation)
    }

    /// Begins what was asked for next, if nothing is under way.
    mutating func beginNext(_ turn: inout Turn) {
        while running == nil, let operation = operations.popFirst() {
            running = RunningOperation(operation: operation, began: turn.now)
            begin(&turn)
        }
    }

    mutating func begin(_ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        switch operation.work {
        case .release(let path): return ask(GattCharacteristic1.stopNotify, at: path, &turn)
        case .pair: return wantAgent(&turn)
        case .read, .write, .notify: break
        }
        guard let attribute = operation.attribute, let target = attributes?[attribute] else {
            // It is stale, or was never given out.
            return fail(BLEError(.noSuchAttribute, operation.kind), &turn)
        }
        switch (operation.work, target) {
        case (.read, .characteristic(let path)):
            turn.put(.holdValues(path, true))
            ask(GattCharacteristic1.readValue, at: path, with: Self.noOptions, &turn)
        case (.read, .descriptor(let path)):
            ask(
                GattDescriptor1.readValue, of: GattDescriptor1.interfaceName, at: path,
                with: Self.noOptions, &turn)
        case (.read, .battery):
            guard let level = turn.mirror.batteries[place.device] else {
                let details = "the daemon does not tell of the battery any more"
                return fail(BLEError(.backend, .read, details: details), &turn)
            }
            done(.success([UInt8(clamping: level)]), &turn)
        case (.write(let value, let mode), .characteristic(let path)):
            write(value, mode, to: path, attribute, &turn)
        case (.write(let value, _), .descriptor(let path)):
            ask(
                GattDescriptor1.writeValue, of: GattDescriptor1.interfaceName, at: path,
                with: [.bytes(value), .properties([:])], &turn)
        case (.notify(let isOn), .characteristic(let path)):
            setNotify(isOn, at: path, attribute, &turn)
        case (.notify(let isOn), .battery):
            subscriptions[attribute] = isOn ? .battery : nil
            done(.success([]), &turn)
        case (.write, .battery), (.notify, .descriptor):
            fail(BLEError(.notPermitted, operation.kind), &turn)
        case (.release, _), (.pair, _): break
        }
    }

    mutating func ask(
        _ method: String, of interface: String = GattCharacteristic1.interfaceName,
        at path: DBusObjectPath, with arguments: [DBusValue] = [],
        stage: RunningOperation.Stage = .asked, _ turn: inout Turn
    ) {
        guard let number = running?.operation.number else { return }
        running?.stage = stage
        turn.call(
            .operation(number), method, of: interface, at: path, arguments,
            timeout: LinkLimits.operationTimeout)
    }

    /// Asks for what is under way once more, and for no socket.
    private mutating func doWithoutSocket(_ turn: inout Turn) {
        running?.operation.doesWithoutSocket = true
        begin(&turn)
    }

    mutating func succeeded(_ reply: DBusReply, _ turn: inout Turn) {
        guard let running else { return }
        switch running.operation.work {
        case .read:
            guard let value = reply.values.first?.bytes else {
                let details = "an answer without a value"
                return fail(BLEError(.backend, .read, details: details), &turn)
            }
            done(.success(value), &turn)
        case .notify(true): subscribed(running, reply, &turn)
        case .write where running.stage == .acquiring: acquired(running, reply, &turn)
        case .notify(false), .write, .release, .pair: done(.success([]), &turn)
        }
    }

    private mutating func fail(_ error: BLEError, _ turn: inout Turn) {
        done(.failure(error), &turn)
    }

    /// What was under way is over: with a value, with none, or with an error.
    mutating func done(_ result: Result<[UInt8], BLEError>, _ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        tellHeld(answer: try? result.get(), &turn)
        turn.put(.stop(.hold))
        turn.put(.stop(.retry))
        running = nil
        if case .notify(let isOn) = operation.work, let attribute = operation.attribute,
            case .characteristic(let path)? = attributes?[attribute]
        {
            settleSubscription(isOn, attribute, at: path, result, &turn)
        }
        turn.put(.complete(operation.number, result))
    }

    /// What still comes of what is under way when the link has ended, or is about to.
    mutating func concludeRunning(_ answer: Result<DBusReply, DBusError>, _ turn: inout Turn) {
        guard let running, running.stage == .asked else { return }
        switch answer {
        case .success(let reply): succeeded(reply, &turn)
        case .failure(let error):
            let fault = BlueZFault(error)
            switch fault.meaning {
            case .timedOut: explained = DisconnectReason(.noResponse, details: fault.details)
            case .unlikely where isSilent(running, turn):
                explained = DisconnectReason(.noResponse, details: fault.details)
            case .unlikely, .gone, .notConnected, .inProgress, .notPaired: break
            default: fail(fault.error(running.operation.kind), &turn)
            }
        }
    }

    // MARK: Faults

    /// So the daemon says that a device has not answered for half a minute; the link ends two
    /// seconds later (5.66, in the virtual machine).
    private func isSilent(_ running: RunningOperation, _ turn: LinkTurn) -> Bool {
        turn.now.duration(since: running.began) >= turn.silence
    }

    /// The daemon refuses what is under way; the reason if the link is to end for it.
    private mutating func failed(
        _ running: RunningOperation, _ fault: BlueZFault, _ turn: inout Turn
    ) -> DisconnectReason? {
        guard !isSettled(running, fault, &turn) else { return nil }
        switch fault.meaning {
        case .inProgress: retry(running, fault, &turn)
        case .acquired where sockets.wasReleased(turn.now):
            // The daemon has not noticed yet that a socket of ours is closed.
            retry(running, fault, &turn)
        case .unlikely where isSilent(running, turn):
            return DisconnectReason(.noResponse, details: fault.details)
        case .unlikely, .gone, .notConnected:
            // A device's own 0x0E, the loss of the link, and sometimes that the daemon has begun to
            // pair (5.82 and 5.87) are the same word (testbed); a daemon that is gone is told of a
            // moment later.
            self.running?.stage = .explaining(fault)
            turn.put(.start(.hold, LinkLimits.explanationTime))
        case .timedOut:
            // Neither the device nor the daemon has done what Bluetooth demands of them.
            return DisconnectReason(.noResponse, details: fault.details)
        case .notPaired where turn.options.pairing != nil && running.refusal == nil:
            self.running?.refusal = fault
            wantAgent(&turn)
        default: fail(fault.error(running.operation.kind), &turn)
        }
        return nil
    }

    /// Whether that is as good as done, or is done in another way.
    private mutating func isSettled(
        _ running: RunningOperation, _ fault: BlueZFault, _ turn: inout Turn
    ) -> Bool {
        if case .release = running.operation.work {
            // Nobody waits for it, and nothing depends on it.
            done(.success([]), &turn)
            return true
        }
        guard let attribute = running.operation.attribute, attributes?[attribute] != nil else {
            return false
        }
        switch (running.operation.work, running.stage, fault.meaning) {
        case (.notify(false), _, .notBegun), (.notify(false), _, .unknownObject):
            // There was nothing to switch off.
            done(.success([]), &turn)
        case (.notify(true), .acquiring, let meaning):
            // No sockets here (bleak#1945), or not now: signals come in any case.
            guard [.notSupported, .acquired, .inProgress, .unknownObject, .other].contains(meaning)
            else { return false }
            doWithoutSocket(&turn)
        case (.notify(true), _, .inProgress):
            // It is on from a link before (testbed): as it should be.
            subscriptions[attribute] = .signals
            done(.success([]), &turn)
        case (.write, .acquiring, _):
            // None is to be had: the bus is used from now on.
            sockets.renounce(attribute)
            begin(&turn)
        default: return false
        }
        return true
    }

    /// Asks once more after a while, unless that went on for too long (pitfall 6: "In Progress" in
    /// bleak's client).
    private mutating func retry(
        _ running: RunningOperation, _ fault: BlueZFault, _ turn: inout Turn
    ) {
        guard turn.now.duration(since: running.began) < LinkLimits.busyTimeout else {
            return fail(fault.error(running.operation.kind), &turn)
        }
        let doublings = min(running.retries, 10)
        let pause = min(LinkLimits.firstRetry * (1 << doublings), LinkLimits.longestRetry)
        self.pause(for: pause, &turn)
    }

    private mutating func pause(for duration: Duration, _ turn: inout Turn) {
        running?.retries += 1
        running?.stage = .pausing
        turn.put(.start(.retry, duration))
    }

    /// The link has not ended, which would have explained an error; or a socket has no room. The
    /// reason if the link is to end for it.
    private mutating func heldLongEnough(_ turn: inout Turn) -> DisconnectReason? {
        guard let running else { return nil }
        switch running.stage {
        case .sending:
            return DisconnectReason(
                .noResponse, details: "the daemon does not take what is written")
        case .explaining(let fault) where fault.meaning == .notConnected:
            return DisconnectReason(.remote, details: fault.details)
        case .explaining(let fault)
        where fault.meaning == .unlikely && mayWantKeys && running.refusal == nil:
            self.running?.refusal = fault
            wantAgent(&turn)
        case .explaining(let fault): fail(fault.error(running.operation.kind), &turn)
        default: break
        }
        return nil
    }

    // MARK: Pairing

    /// Pairs with the device, for what is under way, as soon as the daemon knows of our agent;
    /// also if it takes none, as it may pair all the same.
    private mutating func wantAgent(_ turn: inout Turn) {
        let need = turn.newNumber()
        running?.stage = .awaitingAgent(need)
        turn.put(.wantAgent(need))
    }

    private mutating func startPairing(_ need: UInt64, _ turn: inout Turn) {
        guard running?.stage == .awaitingAgent(need) else { return }
        running?.stage = .pairing(need)
        turn.call(
            .pair(need: need), Device1.pair, of: Device1.interfaceName, at: place.device,
            timeout: LinkLimits.pairingTimeout)
    }

    private mutating func paired(_ fault: BlueZFault?, _ turn: inout Turn) {
        // A person may have taken long to answer; the device has not yet been asked.
        running?.began = turn.now
        guard let running else { return }
        switch fault?.meaning {
        case nil, .alreadyExists:
            guard running.operation.work == .pair else { return begin(&turn) }
            done(.success([]), &turn)
        case .inProgress where running.retries < LinkLimits.maximumPairingPauses:
            pause(for: LinkLimits.pairingPause, &turn)
        default:
            var error = (running.refusal ?? fault)?.error(running.operation.kind)
            if let refusal = running.refusal {
                error?.details = "\(refusal.details); pairing: \(fault?.details ?? "")"
            }
            fail(error ?? BLEError(.backend, running.operation.kind), &turn)
        }
    }

    // MARK: Subscribing

    private mutating func setNotify(
        _ isOn: Bool, at path: DBusObjectPath, _ attribute: AttributeID, _ turn: inout Turn
    ) {
        switch (isOn, subscriptions[attribute]) {
        case (true, nil), (true, .broken):
            // A daemon that has sockets says so by a property.
            if turn.options.notifyMode == .sockets, running?.operation.doesWithoutSocket == false,
                turn.mirror.characteristics[path]?.notifyAcquired != nil
            {
                return ask(
                    GattCharacteristic1.acquireNotify, at: path, with: Self.noOptions,
                    stage: .acquiring, &turn)
            }
            listened.insert(path)
            turn.put(.listen(path, attribute))
            ask(GattCharacteristic1.startNotify, at: path, &turn)
        case (true, .some), (false, nil), (false, .broken): done(.success([]), &turn)
        case (false, .socket(let socket)):
            closeSocket(socket, &turn)
            done(.success([]), &turn)
        case (false, _): ask(GattCharacteristic1.stopNotify, at: path, &turn)
        }
    }

    private mutating func subscribed(
        _ running: RunningOperation, _ reply: DBusReply, _ turn: inout Turn
    ) {
        guard let attribute = running.operation.attribute, attributes?[attribute] != nil else {
            return fail(BLEError(.noSuchAttribute, .subscribe), &turn)
        }
        guard running.stage == .acquiring else {
            subscriptions[attribute] = .signals
            return done(.success([]), &turn)
        }
        guard let socket = keepSocket(reply, .values(attribute), &turn) else {
            return doWithoutSocket(&turn)
        }
        subscriptions[attribute] = .socket(socket)
        done(.success([]), &turn)
    }

    /// What is known of a subscription after it was switched, or was not.
    private mutating func settleSubscription(
        _ isOn: Bool, _ attribute: AttributeID, at path: DBusObjectPath,
        _ result: Result<[UInt8], BLEError>, _ turn: inout Turn
    ) {
        if case .success = result, isOn { return }
        subscriptions[attribute] = nil
        if listened.remove(path) != nil { turn.put(.unlisten(path)) }
    }

    private mutating func resubscribe(_ attribute: AttributeID, _ turn: inout Turn) {
        guard subscriptions[attribute] == .broken else { return }
        queue(
            LinkOperation(
                number: turn.newNumber(), attribute: attribute, work: .notify(true),
                doesWithoutSocket: true), &turn)
    }

    /// Ends all subscriptions: the numbers are stale.
    mutating func releaseSubscriptions(_ turn: inout Turn) {
        for path in unlisten(&turn) {
            queue(
                LinkOperation(number: turn.newNumber(), attribute: nil, work: .release(path)),
                &turn)
            beginNext(&turn)
        }
        subscriptions = [:]
        for socket in sockets.entries.keys.sorted() { closeSocket(socket, &turn) }
    }

    /// Wants no values as signals any more; the characteristics that the daemon still has.
    mutating func unlisten(_ turn: inout Turn) -> [DBusObjectPath] {
        let paths = listened.sorted { $0.comesBefore($1) }
        listened = []
        for path in paths { turn.put(.unlisten(path)) }
        return paths.filter { turn.mirror.characteristics[$0] != nil }
    }
}
#endif
