internal import Foundation
internal import HaloProtocol
internal import HaloTransport

// The state of Bluetooth, and the managers that report it.
extension PhoneSystem {
    /// The time between a first state that is wrong and the true one.
    static let firstPause = Duration.milliseconds(500)

    func setState(_ state: CBManagerState) {
        shared.withLock { $0.wanted = state }
        queue.sync { updateState() }
    }

    func setAuthorization(_ authorization: CBManagerAuthorization) {
        shared.withLock { $0.authorization = authorization }
        queue.sync { updateState() }
    }

    func setGranted(_ identifiers: Set<UUID>?) {
        shared.withLock { $0.granted = identifiers }
        queue.sync {
            updateState()
            revokeLinks()
        }
    }

    /// The state by the radio, the user and the permission.
    private var dueState: CBManagerState {
        guard let radio else { return .unsupported }
        let now = shared.value
        switch now.authorization {
        case .notDetermined: return .unknown
        case .restricted, .denied: return .unauthorized
        case .allowedAlways: break
        }
        switch radio.adapterState {
        case .unknown: return .unknown
        case .unsupported: return .unsupported
        case .unauthorized: return .unauthorized
        case .poweredOff: return .poweredOff
        case .poweredOn: break
        }
        return now.granted?.isEmpty == true && now.wanted == .poweredOn ? .poweredOff : now.wanted
    }

    /// Reports the state to all managers if it has changed. Below `poweredOn` all links end
    /// without a word.
    func updateState() {
        let state = dueState
        let before = shared.withLock { shared in
            defer { shared.state = state }
            return shared.state
        }
        guard state != before else { return }
        if state == .poweredOn {
            if has(.rotatesIdentifiers) { rotate() }
        } else {
            for record in centrals.values { record.scan = nil }
            for device in devices.values {
                device.owners = [:]
                device.isHeld = false
                device.heldDisconnects = []
                close(device)
            }
        }
        updateScan()
        for number in centrals.keys.sorted() { centrals[number]?.post { $0.enter(state) } }
        hostsEnter(state)
    }

    var managerCount: Int { queue.sync { centrals.count + hosts.count } }

    var centralCount: Int { queue.sync { centrals.count } }

    // MARK: Managers

    /// Adds a manager: what a terminated app has left comes first, then the state.
    func register(_ manager: CBCentralManager, restoreIdentifier: String?) {
        let record = Unchecked(CentralRecord(manager, restoreIdentifier: restoreIdentifier))
        queue.async { [self] in
            let record = record.value
            centrals[record.number] = record
            if let identifier = restoreIdentifier,
                let left = remains.removeValue(forKey: identifier)
            {
                restore(left, to: record)
            }
            let state = shared.value.state
            updateScan()
            guard state == .poweredOn, has(.poweredOffFirst) else {
                return record.post { $0.enter(state) }
            }
            let number = record.number
            record.post { $0.enter(.poweredOff) }
            after(Self.firstPause) { system in
                let state = system.shared.value.state
                system.centrals[number]?.post { $0.enter(state) }
            }
        }
    }

    /// Removes a manager that the app has dropped: its scan and its links end without a word.
    func unregister(_ number: UInt64) {
        queue.async { [self] in
            guard centrals.removeValue(forKey: number) != nil else { return }
            log("XPC connection invalid")
            releaseLinks(of: number)
            updateScan()
        }
    }

    func releaseLinks(of manager: UInt64) {
        for device in devices.values where device.owners.removeValue(forKey: manager) != nil {
            unsubscribe(manager, from: device)
            if !device.isWanted { close(device) }
        }
    }

    /// Ends the process of the app.
    func terminateApp() {
        queue.sync {
            for record in centrals.values {
                record.isTerminated.withLock { $0 = true }
                if let identifier = record.restoreIdentifier {
                    remains[identifier] = Remains(manager: record.number, scan: record.scan)
                } else {
                    releaseLinks(of: record.number)
                }
            }
            centrals = [:]
            terminateHosts()
            updateScan()
        }
    }

    private func restore(_ left: Remains, to record: CentralRecord) {
        var links: [RestorableState.Link] = []
        let all = devices.values.sorted { $0.identity.rawValue < $1.identity.rawValue }
        for device in all {
            guard let owner = device.owners.removeValue(forKey: left.manager) else { continue }
            device.owners[record.number] = owner
            device.subscribers = device.subscribers.mapValues { managers in
                Set(managers.map { $0 == left.manager ? record.number : $0 })
            }
            links.append(
                RestorableState.Link(
                    identifier: device.identifier, name: device.name(traps),
                    attempt: owner.attempt, isConnected: owner.isConnected,
                    packetLength: device.packetLength, table: device.table ?? [],
                    notifying: device.subscribers.filter { $0.value.contains(record.number) }
                        .keys.sorted { $0.rawValue < $1.rawValue }))
        }
        record.scan = left.scan
        let state = RestorableState(links: links, scan: left.scan)
        record.post { $0.restore(state) }
    }
}

/// What a terminated manager leaves.
struct Remains {
    let manager: UInt64
    let scan: CentralScan?
}
