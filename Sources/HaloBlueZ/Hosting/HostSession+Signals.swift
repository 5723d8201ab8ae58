#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

extension HostSession {
    /// Whose link has come, if a signal says so.
    static func connected(_ signal: DBusSignal) -> DBusObjectPath? {
        let values: DBusValue?
        switch signal.member {
        case DBusObjectManager.interfacesAdded: values = signal.values.last?[Device1.interfaceName]
        case DBusProperties.propertiesChanged:
            values = signal.values.count == 3 ? signal.values[1] : nil
        default: return nil
        }
        guard values?[Device1.connected]?.boolean == true else { return nil }
        return signal.values.first?.objectPath ?? signal.path
    }

    /// Takes in a signal of the bus or of the daemon; `isOurs` says that the link that has come is
    /// one that this program has as a central.
    mutating func noticed(_ signal: DBusSignal, isOurs: Bool) {
        guard end != .over else { return }
        switch signal.member {
        case DBusName.ownerChanged: ownerChanged(signal)
        case DBusObjectManager.interfacesAdded: added(signal, isOurs)
        case DBusObjectManager.interfacesRemoved: removedInterfaces(signal)
        case DBusProperties.propertiesChanged: changed(signal, isOurs)
        default: break
        }
    }

    private mutating func ownerChanged(_ signal: DBusSignal) {
        guard signal.interface == DBusName.bus, signal.values.count == 3,
            signal.values[0].string == BlueZDaemon.name, let new = signal.values[2].string
        else { return }
        guard new != owner || new.isEmpty else { return }
        went()
        owner = new.isEmpty ? nil : new
        if owner != nil, hasReturned { begin() }
    }

    private mutating func added(_ signal: DBusSignal, _ isOurs: Bool) {
        guard signal.values.count == 2, let path = signal.values[0].objectPath else { return }
        let interfaces = signal.values[1]
        if daemon == .away, hasReturned,
            interfaces[GattManager1.interfaceName] != nil
                || interfaces[LEAdvertisingManager1.interfaceName] != nil
                || interfaces[Adapter1.interfaceName] != nil
        {
            // The adapter may be back. Its interfaces need not come all at once, so this is
            // looked at again with each of them.
            return begin()
        }
        guard let device = interfaces[Device1.interfaceName],
            let adapter, device[Device1.adapter]?.objectPath == adapter,
            remember(path, isConnected: false)
        else { return }
        if device[Device1.connected]?.boolean == true {
            connection(of: path, isOn: true, isOurs)
        }
    }

    private mutating func removedInterfaces(_ signal: DBusSignal) {
        guard signal.values.count == 2, let path = signal.values[0].objectPath,
            let names = signal.values[1].elements?.compactMap(\.string)
        else { return }
        if path == adapter {
            let needed = [
                Adapter1.interfaceName, GattManager1.interfaceName,
                LEAdvertisingManager1.interfaceName,
            ]
            if names.contains(where: needed.contains) { went() }
        } else if names.contains(Device1.interfaceName), devices[path] != nil {
            connection(of: path, isOn: false, false)
            devices[path] = nil
        }
    }

    private mutating func changed(_ signal: DBusSignal, _ isOurs: Bool) {
        guard signal.values.count == 3 else { return }
        if signal.path == adapter, signal.values[0].string == Adapter1.interfaceName {
            if let isOn = signal.values[1][Adapter1.powered]?.boolean { power(isOn) }
            return
        }
        guard devices[signal.path] != nil, signal.values[0].string == Device1.interfaceName,
            let isOn = signal.values[1][Device1.connected]?.boolean
        else { return }
        connection(of: signal.path, isOn: isOn, isOurs)
    }

    /// Knows a device of the adapter from now on; not if it knows too many.
    mutating func remember(_ path: DBusObjectPath, isConnected: Bool) -> Bool {
        guard path.isKept, devices[path] != nil || devices.count < BlueZMirror.maximumDevices
        else { return false }
        devices[path] = isConnected
        return true
    }

    /// A device of the adapter has a link, or none any more.
    private mutating func connection(of path: DBusObjectPath, isOn: Bool, _ isOurs: Bool) {
        let was = devices.updateValue(isOn, forKey: path)
        if !isOn {
            arrivals.remove(path)
        } else if was != true, !isOurs, isAlive {
            arrivals.insert(path)
        }
        if isOn {
            guard was != true, central == nil, !isOurs, isAlive, end == nil else { return }
            arrive(Central(path: path, isSure: false))
        } else if central?.path == path {
            leave()
        } else if central != nil, central?.path == nil, was == true {
            // The one that nobody named is the only one that it can have been.
            leave()
        }
    }
}
#endif
