#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

extension HostSession {
    /// Takes in what the device does; `services` are what it consists of now.
    mutating func did(_ effect: PeripheralEffect, _ services: () -> [GATTService]) {
        guard end == nil else { return }
        switch effect {
        case .value(let value, let token):
            guard let waiting = pending.removeValue(forKey: token) else { return }
            let cut = Array(value.prefix(Self.longestValue))
            perform(.reply([.bytes(cut)], to: waiting.request))
        case .done(let token):
            guard let waiting = pending.removeValue(forKey: token) else { return }
            perform(.reply([], to: waiting.request))
        case .refuse(let error, let token):
            guard let waiting = pending.removeValue(forKey: token) else { return }
            perform(.refuse(DeviceRefusal.refusal(error), of: waiting.request))
        case .notify(let attribute, let value), .indicate(let attribute, let value):
            // Which of the two it is the daemon decides, by the characteristic's properties.
            send(value, attribute)
        case .disconnect:
            disconnect()
        case .advertise(let new):
            wantedAdvertisement = new.map { HostedAdvertisement($0) }
            reconcile()
        case .servicesChanged:
            offer(services())
        case .wake, .requestParameters:
            break
        }
    }

    private mutating func send(_ value: [UInt8], _ attribute: AttributeID) {
        guard subscriptions.contains(attribute),
            let path = present.lazy.compactMap({ $0.characteristics[attribute] }).first
        else { return }
        let longest = central?.mtu.map { Self.maximumLength($0) } ?? Self.longestValue
        perform(.value(Array(value.prefix(longest)), at: path))
    }

    /// Ends the central's link, if it is one for certain; a guess is let go of.
    private mutating func disconnect() {
        guard let central, central.isSure else { return leave() }
        guard let path = central.path else { return }
        call(.disconnect, Device1.disconnect, of: Device1.interfaceName, at: path)
    }

    /// Takes the device away.
    mutating func remove() {
        guard end == nil else { return }
        end = .removing
        // Only answers to what is asked from here on count.
        age &+= 1
        retryAt = nil
        guard let adapter else { return finish(nil) }
        disconnect()
        if isRenamed, let alias { setAlias(alias, adapter) }
        unregisterAll(at: adapter)
        if answersDue == 0 { finish(nil) }
    }

    /// The end comes when nothing is registered any more, whatever the daemon says.
    mutating func removed() {
        answersDue -= 1
        if answersDue == 0 { finish(nil) }
    }

    /// Asks for everything to be unregistered, at once.
    private mutating func unregisterAll(at adapter: DBusObjectPath) {
        answersDue = present.count
        if advertisement.thing != nil {
            answersDue += 1
            unregisterAdvertisement(at: adapter, timeout: Self.removalTimeout)
        }
        for application in present {
            unregister(application, at: adapter, timeout: Self.removalTimeout)
        }
    }

    /// The device cannot go on. What is registered is given up; nobody waits for that.
    mutating func failed(_ error: BLEError) {
        guard end != .over else { return }
        if let adapter {
            if isRenamed, let alias { setAlias(alias, adapter) }
            unregisterAll(at: adapter)
        }
        finish(error)
    }

    /// The connection to the bus has ended: the daemon cleans up by itself.
    mutating func lost(_ error: DBusError) {
        guard end != .over else { return }
        finish(end == .removing ? nil : BLEError(.backend, .host, details: error.description))
    }

    private mutating func finish(_ error: BLEError?) {
        end = .over
        leave()
        takeBackAll()
        perform(.ended(error))
    }
}
#endif
