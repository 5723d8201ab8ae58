internal import Foundation
internal import HaloProtocol
internal import HaloTransport

// Devices: their identifiers, their names and their advertisements.
extension PhoneSystem {
    /// The identifier of a device: a digest of the phone's seed and the radio's identity.
    func identifier(of identity: PeripheralIdentity) -> UUID {
        let seed = shared.value.seed
        let words = (UInt64(0)..<2).map { salt -> UInt64 in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ (seed &* 2 &+ salt)
            for byte in identity.rawValue.utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                hash ^= hash >> 29
            }
            return hash
        }
        var bytes = words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return NSUUID(uuidBytes: bytes) as UUID
    }

    func meet(_ identity: PeripheralIdentity, name: String?) -> UUID {
        queue.sync {
            let device = device(identity)
            device.heard(name)
            return device.identifier
        }
    }

    /// The record of a device, which is added if it is new.
    func device(_ identity: PeripheralIdentity) -> PhoneLink {
        let identifier = identifier(of: identity)
        if let known = devices[identifier] { return known }
        if devices.count >= Self.maximumDevices,
            let idle = devices.first(where: { !$0.value.isWanted })
        {
            devices[idle.key] = nil
        }
        let device = PhoneLink(identity, identifier)
        devices[identifier] = device
        return device
    }

    func rotateIdentifiers() { queue.sync { rotate() } }

    /// Gives all devices new identifiers. Links stay, but events for apps no longer find them.
    func rotate() {
        shared.withLock { $0.seed = $0.seed &* 6_364_136_223_846_793_005 &+ 1 }
        let all = devices.values
        devices = [:]
        for device in all {
            device.owners = [:]
            close(device)
        }
    }

    func hold(_ identity: PeripheralIdentity, _ isHeld: Bool) {
        queue.async { [self] in
            let device = device(identity)
            device.isHeld = isHeld
            if isHeld { openIfWanted(device) } else if !device.isWanted { close(device) }
        }
    }

    func rename(_ identity: PeripheralIdentity, to name: String?) {
        queue.async { [self] in
            let device = device(identity)
            device.ownName = name
            let seen = device.name(traps)
            for reference in device.connectedReferences {
                centrals[reference.manager]?.post(reference) { peripheral in
                    peripheral.current.withLock { $0.name = seen }
                    peripheral.tell { $0.peripheralDidUpdateName($1) }
                }
            }
        }
    }

    func isGranted(_ identifier: UUID) -> Bool {
        shared.value.granted?.contains(identifier) ?? true
    }

    /// The devices with these identifiers that the phone has met.
    func known(_ identifiers: [UUID]) -> [(identifier: UUID, name: String?)] {
        queue.sync {
            identifiers.filter(isGranted).compactMap { devices[$0] }
                .map { ($0.identifier, $0.name(traps)) }
        }
    }

    /// The devices with one of these services to which the phone is connected.
    func connected(with services: [BluetoothUUID]) -> [(identifier: UUID, name: String?)] {
        queue.sync {
            let open = devices.values.filter { device in
                device.driver != nil && isGranted(device.identifier)
                    && services.contains { service in
                        device.advertisedServices.contains(service)
                            || device.table?.contains { $0.uuid == service } == true
                    }
            }
            return open.sorted { $0.identity.rawValue < $1.identity.rawValue }
                .map { ($0.identifier, $0.name(traps)) }
        }
    }

    // MARK: Scanning

    func scan(_ scan: CentralScan, for manager: UInt64) {
        queue.async { [self] in
            guard shared.value.state == .poweredOn else { return }
            centrals[manager]?.scan = scan
            centrals[manager]?.reported = [:]
            updateScan()
        }
    }

    func stopScan(for manager: UInt64) {
        queue.async { [self] in
            centrals[manager]?.scan = nil
            updateScan()
        }
    }

    /// Starts or stops the radio's scan: it runs while any manager scans.
    func updateScan() {
        let isWanted =
            shared.value.state == .poweredOn && centrals.values.contains { $0.scan != nil }
        if !isWanted {
            radioScan?.scan.cancel()
            radioScan = nil
        } else if radioScan == nil, let radio {
            let number = makeNumber()
            let scan = radio.startScan(ScanFilter(reportsDuplicates: true)) { [weak self] result in
                guard let self else { return }
                queue.async { self.heard(result, by: number) }
            }
            radioScan = (number, scan)
        }
    }

    private func heard(_ result: Result<Discovery, BLEError>, by number: UInt64) {
        guard radioScan?.number == number else { return }
        guard case .success(let discovery) = result else {
            radioScan = nil
            return
        }
        guard discovery.identity != hosting.identity else { return }
        let device = device(discovery.identity)
        let isNamed =
            !has(.missingName)
            || centrals.values.contains { $0.scan.map { !hidesNames($0) } ?? false }
        if isNamed { device.heard(discovery.name) }
        for service in discovery.services where !device.advertisedServices.contains(service) {
            device.advertisedServices.append(service)
        }
        guard device.driver == nil, isGranted(device.identifier) else { return }
        for record in centrals.values { report(discovery, of: device, to: record) }
    }

    /// Reports a device to one scan, if it has something new or if duplicates are asked for.
    private func report(
        _ discovery: Discovery, of device: PhoneLink, to record: CentralRecord
    ) {
        guard let scan = record.scan else { return }
        guard
            scan.services.isEmpty || !scan.services.allSatisfy({ !discovery.services.contains($0) })
        else { return }
        let traps = traps
        var shown = discovery
        if traps.contains(.missingName), hidesNames(scan) { shown.name = nil }
        var known = record.reported[device.identifier]
        if known == nil, traps.contains(.splitAdvertisement), shown.name != nil {
            var first = shown
            first.name = nil
            post(first, of: device, to: record)
            known = ReportedDevice(first)
        }
        let now = ReportedDevice(shown)
        guard scan.reportsDuplicates || known.map({ now.hasMore(than: $0) }) ?? true else { return }
        record.reported[device.identifier] = now.merged(with: known)
        post(shown, of: device, to: record)
    }

    /// `true` for a scan that brings no names, where a system has that fault.
    private func hidesNames(_ scan: CentralScan) -> Bool {
        !scan.reportsDuplicates && scan.services.isEmpty
    }

    private func post(_ discovery: Discovery, of device: PhoneLink, to record: CentralRecord) {
        guard let scan = record.scan else { return }
        let traps = traps
        let data = discovery.advertisement
        let sighting = Sighting(
            scan: scan.number, identifier: device.identifier,
            name: device.name(traps) ?? discovery.name,
            advertisedName: discovery.name, services: discovery.services,
            manufacturerData: discovery.manufacturerData.first,
            serviceData: data?.serviceData ?? [],
            transmitPower: data?.transmitPowerDecibelMilliwatts.map(Int.init),
            isConnectable: discovery.isConnectable,
            rssi: traps.contains(.unknownRSSI) ? 127 : discovery.rssi ?? 127)
        record.post { $0.discovered(sighting) }
    }
}

extension ReportedDevice {
    init(_ discovery: Discovery) {
        hasName = discovery.name != nil
        services = Set(discovery.services)
        companies = Set(discovery.manufacturerData.map(\.company))
    }

    func hasMore(than other: ReportedDevice) -> Bool {
        hasName && !other.hasName || !services.isSubset(of: other.services)
            || !companies.isSubset(of: other.companies)
    }

    func merged(with other: ReportedDevice?) -> ReportedDevice {
        var all = self
        all.hasName = hasName || other?.hasName == true
        all.services.formUnion(other?.services ?? [])
        all.companies.formUnion(other?.companies ?? [])
        return all
    }
}

extension AdvertisingData {
    /// The service data, by service.
    fileprivate var serviceData: [(BluetoothUUID, [UInt8])] {
        structures.compactMap { structure in
            switch structure.content {
            case .shortServiceData(let service, let bytes):
                (BluetoothUUID(UInt32(service)), bytes)
            case .mediumServiceData(let service, let bytes): (BluetoothUUID(service), bytes)
            case .longServiceData(let service, let bytes): (service, bytes)
            default: nil
            }
        }
    }
}
