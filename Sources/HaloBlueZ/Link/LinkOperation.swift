#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// An operation on a link. The daemon handles one at a time.
struct LinkOperation: Hashable, Sendable {
    enum Work: Hashable, Sendable {
        case read
        case write([UInt8], WriteMode)
        case notify(Bool)
        case pair
        /// The release of a stale subscription; no caller waits for it.
        case release(DBusObjectPath)
    }

    /// The unique number, which identifies the operation's caller and its replies.
    let number: UInt64
    let attribute: AttributeID?
    let work: Work

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

/// The operation that the daemon handles now.
struct RunningOperation: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        case asked
        /// Waiting for the link's end, which may explain this error.
        case explaining(BlueZFault)
        case pausing
        case awaitingAgent(UInt64)
        case pairing(UInt64)
    }

    let operation: LinkOperation
    /// The time of the first call.
    var began: Moment
    /// The number of retries because the daemon was busy.
    var retries = 0
    /// The refusal that made pairing necessary.
    var refusal: BlueZFault?
    /// Values of the same characteristic that were received during the read.
    var held: [[UInt8]] = []
    var stage = Stage.asked

    /// `true` if a reply belongs to the last call.
    func isAsked(_ step: UInt64) -> Bool { operation.number == step && stage == .asked }

    /// `true` if the device has been silent for half a minute: the link ends two seconds after this
    /// error (5.66, in the virtual machine).
    func isSilent(_ turn: LinkTurn) -> Bool {
        turn.now.duration(since: began) >= turn.silenceThreshold
    }
}

/// The way in which a characteristic's values are received.
enum LinkSubscriptionMode: Hashable, Sendable {
    case signals
    /// From the daemon's `Battery1`.
    case battery
}

/// Operations: one at a time on each link, in the order of the requests, as the daemon may refuse a
/// second operation (pitfall 6: bleak's client retries then).
///
/// Subscriptions:
/// - The receiver is registered before the daemon is called: a value that comes before the reply is
///   delivered (pitfall 12: bleak#374).
/// - A characteristic is subscribed to once: the layer above shares it (pitfall 13: bleak#484).
/// - The subscriptions that are left at a link's end are ended then: the daemon would go on with
///   them on the next link (pitfall 10: testbed; tinygo#260).
///
/// The daemon also signals the value of a read, just before the reply (pitfall 11: bleak, bluer;
/// seen on 5.66). So the values of a characteristic are held while it is being read, and the last
/// one that equals the reply is dropped. If the device notifies the same value in that moment, one
/// of the two is lost: they cannot be told apart.
///
/// The table, by operation and then by stage; "done" completes it, and the next one begins:
///
///     submit, 1024 wait                    overloaded
///     release, notify no with signals      StopNotify                              → asked
///     pair                                 requests the agent                      → awaitingAgent
///     a stale number                       done, noSuchAttribute
///     read                                 ReadValue                               → asked
///     read, the battery                    done
///     write                                WriteValue                              → asked
///     notify yes, it is off                values are routed here; StartNotify     → asked
///     notify, already so; of the battery   done
///     write the battery, notify a descriptor   done, notPermitted
///
///     asked
///       answered                           done; a read without a value fails
///       refused, notify no: there was none; notify yes: it is on already      done
///       refused, release                   done
///       inProgress                         for 10 s: a backoff of 10 ms, doubled each time,
///                                          at most 640 ms                          → pausing
///       timedOut; unlikely after 29 s      disconnect, noResponse
///       unlikely, gone, notConnected       a timer of 250 ms for the end          → explaining
///       notPaired, pairing is allowed      once: as `pair`                         → awaitingAgent
///       else refused                       done
///     explaining
///       operation, unlikely, may pair      once: as `pair`                         → awaitingAgent
///       operation, notConnected            disconnect, remote
///       operation                          done
///     pausing
///       retry                              restarts
///     awaitingAgent
///       agentReady                         Pair, for 60 s                          → pairing
///     pairing
///       pairAnswered, paired               done; or the refused operation restarts
///       pairAnswered, inProgress           60 times: a backoff of 1 s              → pausing
///       pairAnswered, failed               done, with the error of the refusal
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
        case .timer(.operation): return operationTimerFired(&turn)
        case .timer(.retry): if running?.stage == .pausing { begin(&turn) }
        case .agentReady(let need): startPairing(need, &turn)
        case .pairAnswered(let need, let error):
            if running?.stage == .pairing(need) { paired(error.map(BlueZFault.init), &turn) }
        case .paired:
            guard case .pairing(let need)? = running?.stage else { break }
            turn.put(.releaseAgent(need))
            paired(nil, &turn)
        case .value(let value, let attribute): holdOrDeliver(value, of: attribute, &turn)
        default: break
        }
        return nil
    }

    // MARK: The queue

    mutating func queue(_ operation: LinkOperation, _ turn: inout Turn) {
        guard operations.count < LinkLimits.maximumOperations else {
            let error = BLEError(.overloaded, operation.kind)
            return turn.put(.complete(operation.number, .failure(error)))
        }
        operations.append(operation)
    }

    /// Starts the next operation, if none is running.
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
        case .pair: return requestAgent(&turn)
        case .read, .write, .notify: break
        }
        guard let attribute = operation.attribute, let target = attributes?[attribute] else {
            // The number is stale, or unknown.
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
            let type =
                switch mode {
                case .withResponse: AttributeOption.request
                case .withoutResponse: AttributeOption.command
                }
            ask(
                GattCharacteristic1.writeValue, at: path,
                with: [.bytes(value), .properties([AttributeOption.type: .string(type)])], &turn)
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
        at path: DBusObjectPath, with arguments: [DBusValue] = [], _ turn: inout Turn
    ) {
        guard let number = running?.operation.number else { return }
        running?.stage = .asked
        turn.call(
            .operation(number), method, of: interface, at: path, arguments,
            timeout: LinkLimits.operationTimeout)
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
        case .notify(true): subscribed(running, &turn)
        case .notify(false), .write, .release, .pair: done(.success([]), &turn)
        }
    }

    private mutating func fail(_ error: BLEError, _ turn: inout Turn) {
        done(.failure(error), &turn)
    }

    /// Completes the running operation with a value or an error.
    mutating func done(_ result: Result<[UInt8], BLEError>, _ turn: inout Turn) {
        guard let operation = running?.operation else { return }
        deliverHeldValues(answer: try? result.get(), &turn)
        turn.put(.stop(.operation))
        turn.put(.stop(.retry))
        running = nil
        if case .notify(let isOn) = operation.work, let attribute = operation.attribute,
            case .characteristic(let path)? = attributes?[attribute]
        {
            settleSubscription(isOn, attribute, at: path, result, &turn)
        }
        turn.put(.complete(operation.number, result))
    }

    /// Handles a reply to the running operation after the link's end, or shortly before.
    mutating func finishRunning(_ answer: Result<DBusReply, DBusError>, _ turn: inout Turn) {
        guard let running, running.stage == .asked else { return }
        switch answer {
        case .success(let reply): succeeded(reply, &turn)
        case .failure(let error):
            let fault = BlueZFault(error)
            switch fault.meaning {
            case .timedOut: explained = DisconnectReason(.noResponse, details: fault.details)
            case .unlikely where running.isSilent(turn):
                explained = DisconnectReason(.noResponse, details: fault.details)
            case .unlikely, .gone, .notConnected, .inProgress, .notPaired: break
            default: fail(fault.error(running.operation.kind), &turn)
            }
        }
    }

    // MARK: Faults

    /// Handles the failure of the running operation; returns a reason if the link has to end.
    private mutating func failed(
        _ running: RunningOperation, _ fault: BlueZFault, _ turn: inout Turn
    ) -> DisconnectReason? {
        guard !isSettled(running, fault, &turn) else { return nil }
        switch fault.meaning {
        case .inProgress: retry(running, fault, &turn)
        case .unlikely where running.isSilent(turn):
            return DisconnectReason(.noResponse, details: fault.details)
        case .unlikely, .gone, .notConnected:
            // A device's own 0x0E, the loss of the link, and sometimes the start of pairing (5.82
            // and 5.87) give the same error (testbed); a daemon that is gone is reported a moment
            // later.
            self.running?.stage = .explaining(fault)
            turn.put(.start(.operation, LinkLimits.explanationTime))
        case .timedOut:
            // Neither the device nor the daemon keeps the timeouts of Bluetooth.
            return DisconnectReason(.noResponse, details: fault.details)
        case .notPaired where turn.options.pairing != nil && running.refusal == nil:
            self.running?.refusal = fault
            requestAgent(&turn)
        default: fail(fault.error(running.operation.kind), &turn)
        }
        return nil
    }

    /// Handles a failure that counts as success, or for which there is another way; `true` if it
    /// was such a failure.
    private mutating func isSettled(
        _ running: RunningOperation, _ fault: BlueZFault, _ turn: inout Turn
    ) -> Bool {
        if case .release = running.operation.work {
            // No caller waits for the release, and no state depends on it.
            done(.success([]), &turn)
            return true
        }
        guard let attribute = running.operation.attribute, attributes?[attribute] != nil else {
            return false
        }
        switch (running.operation.work, fault.meaning) {
        case (.notify(false), .notBegun), (.notify(false), .unknownObject):
            // There was no subscription to end.
            done(.success([]), &turn)
        case (.notify(true), .inProgress):
            // The subscription is left from an earlier link (testbed).
            subscriptions[attribute] = .signals
            done(.success([]), &turn)
        default: return false
        }
        return true
    }

    /// Retries after a while, until the timeout (pitfall 6: "In Progress" in bleak's client).
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

    /// Handles the operation's timer: no end of the link has explained the error. Returns a reason
    /// if the link has to end.
    private mutating func operationTimerFired(_ turn: inout Turn) -> DisconnectReason? {
        guard let running else { return nil }
        switch running.stage {
        case .explaining(let fault) where fault.meaning == .notConnected:
            return DisconnectReason(.remote, details: fault.details)
        case .explaining(let fault)
        where fault.meaning == .unlikely && mayWantKeys && running.refusal == nil:
            self.running?.refusal = fault
            requestAgent(&turn)
        case .explaining(let fault): fail(fault.error(running.operation.kind), &turn)
        default: break
        }
        return nil
    }

    // MARK: Pairing

    /// Pairs with the device for the running operation, once the agent is registered. If the daemon
    /// refuses the agent, pairing is tried all the same.
    private mutating func requestAgent(_ turn: inout Turn) {
        let need = turn.newNumber()
        running?.stage = .awaitingAgent(need)
        turn.put(.requestAgent(need))
    }

    private mutating func startPairing(_ need: UInt64, _ turn: inout Turn) {
        guard running?.stage == .awaitingAgent(need) else { return }
        running?.stage = .pairing(need)
        turn.call(
            .pair(need: need), Device1.pair, of: Device1.interfaceName, at: place.device,
            timeout: LinkLimits.pairingTimeout)
    }

    private mutating func paired(_ fault: BlueZFault?, _ turn: inout Turn) {
        // The time of pairing does not count: a person may have had to confirm it.
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
        case (true, nil):
            listened.insert(path)
            turn.put(.listen(path, attribute))
            ask(GattCharacteristic1.startNotify, at: path, &turn)
        case (true, .some), (false, nil): done(.success([]), &turn)
        case (false, .some): ask(GattCharacteristic1.stopNotify, at: path, &turn)
        }
    }

    private mutating func subscribed(_ running: RunningOperation, _ turn: inout Turn) {
        guard let attribute = running.operation.attribute, attributes?[attribute] != nil else {
            return fail(BLEError(.noSuchAttribute, .subscribe), &turn)
        }
        subscriptions[attribute] = .signals
        done(.success([]), &turn)
    }

    /// Updates the subscription after `StartNotify` or `StopNotify`.
    private mutating func settleSubscription(
        _ isOn: Bool, _ attribute: AttributeID, at path: DBusObjectPath,
        _ result: Result<[UInt8], BLEError>, _ turn: inout Turn
    ) {
        if case .success = result, isOn { return }
        subscriptions[attribute] = nil
        if listened.remove(path) != nil { turn.put(.unlisten(path)) }
    }

    /// Ends all subscriptions, whose numbers are stale.
    mutating func releaseSubscriptions(_ turn: inout Turn) {
        for path in unlisten(&turn) {
            queue(
                LinkOperation(number: turn.newNumber(), attribute: nil, work: .release(path)),
                &turn)
            beginNext(&turn)
        }
        subscriptions = [:]
    }

    /// Stops all signals, and returns the characteristics that still exist.
    mutating func unlisten(_ turn: inout Turn) -> [DBusObjectPath] {
        let paths = listened.sorted { $0.comesBefore($1) }
        listened = []
        for path in paths { turn.put(.unlisten(path)) }
        return paths.filter { turn.mirror.characteristics[$0] != nil }
    }
}
#endif
