#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Services: discovered, exported and exported again; and the battery, which the daemon reads by
/// itself.
extension FakeDaemon {
    mutating func resolves(_ number: Int, _ link: UInt64) {
        guard let device = devices[number], device.link?.number == link,
            let remote = peripherals[device.peripheral]?.remote
        else { return }
        put(.discover(remote, device: number, link: link))
    }

    mutating func found(_ services: [GATTService], _ number: Int, _ linkNumber: UInt64) {
        guard let device = devices[number], let link = device.link, link.number == linkNumber
        else { return }
        let isKnown = device.gatt != nil && quirks.keepsStaleServices
        if link.isResolved {
            if !isKnown { change(to: services, device) }
            return
        }
        if !isKnown, device.gatt?.source != services {
            unexportServices(number)
            devices[number]?.gatt = FakeGATT(services, of: device.path, quirks)
            if let delay = quirks.exportsLate {
                setResolved(number)
                return wake(after: delay) { $0.exportsLate(number, linkNumber) }
            }
            exportServices(number)
        }
        setResolved(number)
        if link.exportsLeft > 0 {
            devices[number]?.link?.exportsLeft -= 1
            return exportAgain(number)
        }
        useServices(number)
    }

    private mutating func exportsLate(_ number: Int, _ linkNumber: UInt64) {
        guard devices[number]?.link?.number == linkNumber else { return }
        exportServices(number)
        useServices(number)
    }

    /// Handles a change of services. `ServicesResolved` stays as it is. Removed services are
    /// unexported, and new ones are added behind all others, with unused handles (seen, of devices
    /// that are hosted by a daemon).
    private mutating func change(to services: [GATTService], _ device: FakeDevice) {
        let number = device.number
        guard
            let gone = devices[number]?.gatt?.change(to: services, of: device.path, quirks)
        else { return }
        failOperations(number, on: gone)
        for path in gone.paths { put(.unexport(path)) }
        for index in gone.characteristics.sorted() {
            resetCharacteristic(index, number, forGood: true)
        }
        let uuids = devices[number]?.gatt?.uuids ?? []
        if uuids != device.uuids {
            devices[number]?.uuids = uuids
            set([Device1.uuids: .uuids(uuids)], device: number)
        }
        exportServices(number, from: gone.firstNew)
        askNext(number)
    }

    private mutating func exportServices(_ number: Int, from first: Int = 0) {
        guard let device = devices[number], let link = device.link else { return }
        let objects = device.gatt?.objects(of: device, mtu: link.mtu, from: first, quirks) ?? []
        for (object, path, target) in objects { put(.export(object, path, target)) }
    }

    private mutating func setResolved(_ number: Int) {
        guard let device = devices[number], let link = device.link else { return }
        let forgets = link.isEnding && quirks.forgetsUUIDsOfShortLinks
        let uuids = forgets ? [] : device.gatt?.uuids ?? device.uuids
        devices[number]?.link?.isResolved = true
        devices[number]?.uuids = uuids
        set(
            [Device1.uuids: .uuids(uuids), Device1.servicesResolved: .boolean(true)],
            device: number)
    }

    /// Removes the services' objects with the clients' subscriptions, and fails the operations on
    /// them: those for earlier subscriptions may have begun before the services were discovered.
    mutating func unexportServices(_ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        failOperations(number)
        resetCharacteristics(number)
        for path in gatt.paths { put(.unexport(path)) }
        devices[number]?.gatt = nil
    }

    mutating func exportAgain(_ number: Int) {
        guard let link = devices[number]?.link, link.isResolved else { return }
        devices[number]?.link?.isResolved = false
        set([Device1.servicesResolved: .boolean(false)], device: number)
        removeBattery(number)
        unexportServices(number)
        wake(after: timing.resolving) { [link = link.number] in $0.resolves(number, link) }
    }

    /// Renews the clients' subscriptions at once, so that values may come before the services are
    /// resolved (seen).
    mutating func subscribeAgain(_ number: Int) {
        for (index, characteristic) in (devices[number]?.gatt?.characteristics ?? []).enumerated()
        where !characteristic.clients.isEmpty && !characteristic.isSubscribed {
            ask(.subscribe(index, isOn: true, .again), number)
        }
    }

    /// Starts the daemon's own operations after discovery: it renews subscriptions, and reads the
    /// battery and the PnP ID (the latter by its source).
    private mutating func useServices(_ number: Int) {
        guard let gatt = devices[number]?.gatt else { return }
        subscribeAgain(number)
        let product = gatt.index(of: FakeGATT.productID, in: StandardServices.deviceInformation)
        if let product, gatt.characteristics[product].properties.contains(.read) {
            ask(.readOwn(product), number)
        }
        guard let index = gatt.index(of: FakeGATT.batteryLevel, in: StandardServices.battery) else {
            return
        }
        if gatt.characteristics[index].properties.contains(.read) { ask(.readOwn(index), number) }
        guard gatt.characteristics[index].properties.canSubscribe else { return }
        devices[number]?.gatt?.characteristics[index].daemonListens = true
        ask(.subscribe(index, isOn: true, .battery), number)
    }

    mutating func didRead(_ value: [UInt8], _ index: Int, _ number: Int) {
        guard let device = devices[number] else { return }
        if device.gatt?.characteristics[index].uuid == FakeGATT.productID {
            guard let modalias = Self.modalias(value), modalias != device.modalias else { return }
            devices[number]?.modalias = modalias
            set([Device1.modalias: .string(modalias)], device: number)
        } else if let percentage = value.first {
            setBattery(percentage, number)
        }
    }

    /// Returns a PnP ID in the daemon's notation; bytes after the seventh are ignored.
    private static func modalias(_ value: [UInt8]) -> String? {
        guard let id = try? PnPID(decoding: Array(value.prefix(7))), let source = id.source.known
        else { return nil }
        func digits(_ number: UInt16) -> String {
            HexText.bytes([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
        }
        let maker = source == .usb ? "usb" : "bluetooth"
        return "\(maker):v\(digits(id.vendor))p\(digits(id.product))d\(digits(id.version.rawValue))"
    }

    mutating func setBattery(_ percentage: UInt8, _ number: Int) {
        guard let device = devices[number], let link = device.link, link.isResolved,
            !link.isEnding, device.battery != Int(percentage)
        else { return }
        devices[number]?.battery = Int(percentage)
        let values = [Battery1.percentage: DBusValue.byte(percentage)]
        guard device.battery == nil else {
            return put(.set(values, of: Battery1.interfaceName, at: device.path))
        }
        let object = DBusObject(
            [Battery1.interface], values: [Battery1.interfaceName: values]
        ).falsified(quirks)
        let interface = object.interfaces.first ?? Battery1.interface
        put(.add(interface, object.values[Battery1.interfaceName] ?? [:], to: device.path))
    }

    mutating func removeBattery(_ number: Int) {
        guard let device = devices[number], device.battery != nil else { return }
        devices[number]?.battery = nil
        put(.remove(Battery1.interfaceName, from: device.path))
    }
}
#endif
