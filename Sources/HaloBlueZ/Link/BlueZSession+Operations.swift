#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// What is asked of a device: one thing at a time on each link, in the order of asking, as the
/// daemon may refuse a second one (pitfall 6: bleak's client tries again then).
extension BlueZSession {
    /// How many things may wait on a link: more than the layer above ever asks for.
    static let maximumOperations = 1024
    /// How long an answer is waited for: Bluetooth gives a device 30 seconds, after which the
    /// daemon ends the link; one that does not is not waited for.
    static let operationTimeout: Duration = .seconds(33)

    /// Asks for something.
    mutating func submit(
        _ work: LinkOperation.Work, for attribute: AttributeID?, on number: LinkNumber,
        isWithoutSocket: Bool = false
    ) {
        let operation = LinkOperation(
            number: links.newNumber(), attribute: attribute, work: work,
            doesWithoutSocket: isWithoutSocket)
        guard let course = links[number], course.isTold, course.phase != .leaving else {
            let reason = links[number]?.reason ?? DisconnectReason(.local)
            return perform {
                operation.fail(BLEError(.disconnected, operation.kind, reason: reason))
            }
        }
        guard course.operations.count < Self.maximumOperations else {
            return perform { operation.fail(BLEError(.overloaded, operation.kind)) }
        }
        links[number]?.operations.append(operation)
        startNext(on: number)
    }

    /// Begins what was asked for next, if nothing is under way.
    mutating func startNext(on number: LinkNumber) {
        // What is over at once leads here again: however much waits, it goes no deeper.
        guard links[number]?.isStarting == false else { return }
        links[number]?.isStarting = true
        while links[number]?.isIdle == true,
            var operation = links[number]?.operations.popFirst()
        {
            operation.began = now
            links[number]?.current = operation
            start(operation, on: number)
        }
        links[number]?.isStarting = false
    }

    /// Asks the daemon for what is under way.
    mutating func start(_ operation: LinkOperation, on number: LinkNumber) {
        if case .release(let path) = operation.work {
            return ask(GattCharacteristic1.stopNotify, at: path, for: operation, on: number)
        }
        if case .pair = operation.work { return pair(for: operation, on: number) }
        guard let attribute = operation.attribute,
            let target = links[number]?.attributes[attribute]
        else {
            // It is stale, or was never given out.
            return finish(.failure(BLEError(.noSuchAttribute, operation.kind)), on: number)
        }
        switch (operation.work, target) {
        case (.read, .characteristic(let path)):
            links.sources[path]?.isRead = true
            ask(GattCharacteristic1.readValue, at: path, Self.noOptions, for: operation, on: number)
        case (.read, .descriptor(let path)):
            ask(
                GattDescriptor1.readValue, of: GattDescriptor1.interfaceName, at: path,
                Self.noOptions, for: operation, on: number)
        case (.read, .battery):
            readBattery(on: number)
        case (.write(let value, let mode, _), .characteristic(let path)):
            write(value, mode, to: path, operation, on: number)
        case (.write(let value, _, _), .descriptor(let path)):
            ask(
                GattDescriptor1.writeValue, of: GattDescriptor1.interfaceName, at: path,
                [.bytes(value), .properties([:])], for: operation, on: number)
        case (.notify(let isOn, _), .characteristic(let path)):
            setNotify(isOn, at: path, operation, on: number)
        case (.notify(let isOn, _), .battery):
            links[number]?.subscriptions[attribute] = isOn ? .battery : nil
            finish(.success([]), on: number)
        case (.write, .battery), (.notify, .descriptor):
            finish(.failure(BLEError(.notPermitted, operation.kind)), on: number)
        case (.release, _), (.pair, _):
            break
        }
    }

    /// Asks the daemon, and goes on with its answer.
    mutating func ask(
        _ method: String, of interface: String = GattCharacteristic1.interfaceName,
        at path: DBusObjectPath, _ arguments: [DBusValue] = [], for operation: LinkOperation,
        on number: LinkNumber
    ) {
        let step = operation.number
        call(method, of: interface, at: path, arguments, timeout: Self.operationTimeout) {
            session, answer in
            session.operationAnswered(step, answer, on: number)
        }
    }

    private mutating func operationAnswered(
        _ step: UInt64, _ answer: Answer, on number: LinkNumber
    ) {
        // What comes when the link has ended, or time is up, means nothing.
        guard let operation = links[number]?.current, operation.number == step else { return }
        switch answer {
        case .success(let reply): succeeded(operation, reply, on: number)
        case .failure(let error): failed(operation, BlueZFault(error), on: number)
        }
    }

    private mutating func succeeded(
        _ operation: LinkOperation, _ reply: DBusReply, on number: LinkNumber
    ) {
        switch operation.work {
        case .read:
            guard let value = reply.values.first?.bytes else {
                let details = "an answer without a value"
                return finish(
                    .failure(BLEError(.backend, operation.kind, details: details)), on: number)
            }
            finish(.success(value), on: number)
        case .notify(true, _):
            subscribed(operation, reply, on: number)
        case .notify(false, _), .write, .release, .pair:
            finish(.success([]), on: number)
        }
    }

    /// What was under way is over: with a value, with none, or with an error.
    mutating func finish(_ result: Result<[UInt8], BLEError>, on number: LinkNumber) {
        guard let operation = links[number]?.current else { return }
        tellHeld(in: operation, answer: try? result.get(), on: number)
        endWait(.hold, on: number)
        endWait(.retry, on: number)
        links[number]?.current = nil
        settleSubscription(operation, result, on: number)
        perform {
            switch (operation.work, result) {
            case (.read(let completion), _): completion(result)
            case (_, .success): operation.succeed()
            case (_, .failure(let error)): operation.fail(error)
            }
        }
        startNext(on: number)
    }

    private mutating func readBattery(on number: LinkNumber) {
        let level = links[number]?.device.flatMap { mirror.batteries[$0] }
        guard let level else {
            let details = "the daemon does not tell of the battery any more"
            return finish(.failure(BLEError(.backend, .read, details: details)), on: number)
        }
        finish(.success([UInt8(clamping: level)]), on: number)
    }

    static let noOptions: [DBusValue] = [.properties([:])]
}
#endif
