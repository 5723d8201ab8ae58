#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Services: found, exported, exported again; and the battery, which the daemon looks after.
extension FakeDaemon {
    /// The time has come to look for services.
    mutating func resolves(_ number: Int, _ link: UInt64) {
        guard let device = devices[number], device.link?.number == link else { return }
        perform(.remote(device.airborne.remote, .discover(device: number, link: link)))
    }

    /// What the remote consists of.
    mutating func found(_ services: [GATTService], _ number: Int, _ linkNumber: UInt64) {
        guard isRunning, let device = devices[number], let link = device.link,
            link.number == linkNumber
        else { return }
        let isKnown = device.gatt != nil && quirks.keepsStaleServices
        if link.isResolved {
            if !isKnown { change(to: services, device, link) }
            return
        }
        if !isKnown, device.gatt?.source != services {
            // What was begun on this link for subscriptions of before is of other services.
            failOperations(link)
            unexportServices(device)
            device.gatt = FakeGATT(services, of: device.path, quirks)
            if let delay = quirks.exportsLate {
                tellResolved(device, link)
                return wake(after: delay, .exportsLate(device: number, link: linkNumber))
            }
            exportServices(device, link)
        }
        tellResolved(device, link)
        if link.exportsLeft > 0 {
            link.exportsLeft -= 1
            return exportAgain(device)
        }
        beginUsing(device)
    }

    mutating func exportsLate(_ number: Int, _ linkNumber: UInt64) {
        guard let device = devices[number], let link = device.link, link.number == linkNumber
        else { return }
        exportServices(device, link)
        beginUsing(device)
    }

    /// The device says that it consists of something else. `ServicesResolved` stays as it is; what
    /// is no more goes, what is new comes after everything else, under handles that nothing had
    /// before (seen, of devices that are hosted by a daemon).
    private mutating func change(
        to services: [GATTService], _ device: FakeDevice, _ link: FakeLink
    ) {
        guard let gone = device.gatt?.change(to: services, of: device.path, quirks) else { return }
        failOperations(link, on: gone)
        for path in gone.paths { perform(.unexport(path)) }
        for index in gone.characteristics { leaveCharacteristic(index, device, forGood: true) }
        let uuids = device.gatt?.uuids ?? []
        if uuids != device.uuids {
            device.uuids = uuids
            set([Device1.uuiDs: device.shownUUIDs], device)
        }
        exportServices(device, link, from: gone.firstNew)
        askNext(device, link)
    }

    private mutating func exportServices(
        _ device: FakeDevice, _ link: FakeLink, from first: Int = 0
    ) {
        let objects = device.gatt?.objects(of: device, mtu: link.mtu, from: first, quirks) ?? []
        for (object, path, target) in objects { perform(.export(object, path, target)) }
    }

    private mutating func tellResolved(_ device: FakeDevice, _ link: FakeLink) {
        link.isResolved = true
        device.uuids = device.gatt?.uuids ?? device.uuids
        if link.isEnding, quirks.forgetsUUIDsOfShortLinks { device.uuids = [] }
        set(
            [
                Device1.uuiDs: device.shownUUIDs,
                Device1.servicesResolved: .boolean(true),
            ], device)
    }

    /// The services' objects go, and what clients had on them.
    mutating func unexportServices(_ device: FakeDevice) {
        guard let gatt = device.gatt else { return }
        leaveCharacteristics(device)
        for path in gatt.paths { perform(.unexport(path)) }
        device.gatt = nil
    }

    /// The services are not known any more, and looked for again.
    mutating func exportAgain(_ device: FakeDevice) {
        guard let link = device.link, link.isResolved else { return }
        link.isResolved = false
        set([Device1.servicesResolved: .boolean(false)], device)
        removeBattery(device)
        failOperations(link)
        unexportServices(device)
        wake(after: timing.resolving, .resolves(device: device.number, link: link.number))
    }

    /// Subscriptions that clients still have are made anew at once, so that values may come before
    /// the services are known again (seen).
    mutating func subscribeAgain(_ device: FakeDevice) {
        for (index, characteristic) in (device.gatt?.characteristics ?? []).enumerated()
        where !characteristic.clients.isEmpty && !characteristic.isSubscribed {
            ask(.subscribe(index, isOn: true, .again), device)
        }
    }

    /// What the daemon does by itself when services are known: subscriptions are made that clients
    /// still have, the battery is read, and what the device is (that, as its source has it).
    private mutating func beginUsing(_ device: FakeDevice) {
        guard let gatt = device.gatt else { return }
        subscribeAgain(device)
        let product = gatt.index(of: FakeGATT.productID, in: StandardServices.deviceInformation)
        if let product, gatt.characteristics[product].properties.contains(.read) {
            ask(.readOwn(product), device)
        }
        guard let index = gatt.index(of: FakeGATT.batteryLevel, in: StandardServices.battery) else {
            return
        }
        if gatt.characteristics[index].properties.contains(.read) {
            ask(.readOwn(index), device)
        }
        guard gatt.characteristics[index].properties.canSubscribe else { return }
        device.gatt?.characteristics[index].daemonListens = true
        ask(.subscribe(index, isOn: true, .battery), device)
    }

    /// What the daemon has read for itself.
    mutating func learned(_ value: [UInt8], _ index: Int, _ device: FakeDevice) {
        if device.gatt?.characteristics[index].uuid == FakeGATT.productID {
            guard let modalias = Self.modalias(value), modalias != device.modalias else { return }
            device.modalias = modalias
            set([Device1.modalias: .string(modalias)], device)
        } else if let percentage = value.first {
            setBattery(percentage, device)
        }
    }

    /// A PnP ID as the daemon writes it; bytes behind the seven are passed over.
    private static func modalias(_ value: [UInt8]) -> String? {
        guard let id = try? PnPID(decoding: Array(value.prefix(7))), let source = id.source.known
        else { return nil }
        func digits(_ number: UInt16) -> String {
            HexText.bytes([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
        }
        let maker = source == .usb ? "usb" : "bluetooth"
        return "\(maker):v\(digits(id.vendor))p\(digits(id.product))d\(digits(id.version.rawValue))"
    }

    mutating func setBattery(_ percentage: UInt8, _ device: FakeDevice) {
        guard let link = device.link, link.isResolved, !link.isEnding else { return }
        let isNew = device.battery == nil
        guard device.battery != Int(percentage) else { return }
        device.battery = Int(percentage)
        let values = [Battery1.percentage: DBusValue.byte(percentage)]
        if isNew {
            let object = DBusObject(
                [Battery1.interface], values: [Battery1.interfaceName: values]
            ).falsified(quirks)
            let interface = object.interfaces.first ?? Battery1.interface
            perform(.add(interface, object.values[Battery1.interfaceName] ?? [:], to: device.path))
        } else {
            perform(.set(values, of: Battery1.interfaceName, at: device.path))
        }
    }

    mutating func removeBattery(_ device: FakeDevice) {
        guard device.battery != nil else { return }
        device.battery = nil
        perform(.remove(Battery1.interfaceName, from: device.path))
    }
}
#endif
