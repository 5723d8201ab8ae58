#if os(Linux)
internal import BlueZVocabulary
internal import HaloTransport

/// What the radios meet.
extension FakeDaemon {
    /// Something comes within reach. It is to be started after this. Who knows its address from
    /// before takes it for the same device.
    mutating func meet(
        _ remote: any FakeRemote, address: String?, isAddressRandom: Bool, ownAdapter: Int?,
        rssi: Int16
    ) -> FakeAirborne {
        let number = Int(clamping: nextNumber())
        var new = FakeAirborne(
            number, remote, address ?? FakeAddress.random(number),
            isAddressRandom: isAddressRandom, ownAdapter: ownAdapter, rssi: rssi)
        // Of two that say that they are the same, the first is heard.
        new.isAway = airborne.values.contains { $0.address == new.address }
        airborne[number] = new
        guard !new.isAway else { return new }
        for device in devices.inOrder where device.airborneAddress == new.address {
            devices[device.number]?.airborne = number
        }
        return new
    }

    /// A remote does something by itself.
    mutating func remoteDid(_ event: FakeRemoteEvent, _ number: Int) {
        switch event {
        case .notify(let attribute, let value):
            deliver(value, of: attribute, number, isIndicated: false)
        case .indicate(let attribute, let value):
            deliver(value, of: attribute, number, isIndicated: true)
        case .advertise(let advertisement):
            airborne[number]?.advertisement = advertisement
            if advertisement != nil, airborne[number] != nil { advertises(number) }
        case .servicesChanged:
            if let device = airborne[number]?.device, let link = devices[device]?.link,
                link.isResolved
            {
                resolves(device, link.number)
            }
        case .disconnect:
            if let device = airborne[number]?.device { endLink(device, BlueZReason.remote) }
        case .gone:
            leave(number)
        }
    }

    /// Something is out of reach for good; adapters forget it as they forget any other.
    mutating func leave(_ number: Int) {
        guard let gone = airborne[number] else { return }
        airborne[number]?.isAway = true
        if let device = gone.device { endLink(device, BlueZReason.timeout) }
        airborne[number] = nil
        perform(.remote(gone.remote, .stop))
        guard isRunning else { return }
        for device in devices.inOrder where device.airborne == number {
            scheduleForgetting(device.number)
        }
    }

    /// Something is out of reach for a while, or back.
    mutating func setAway(_ isAway: Bool, _ number: Int) {
        guard let airborne = airborne[number], airborne.isAway != isAway else { return }
        self.airborne[number]?.isAway = isAway
        guard isRunning else { return }
        if isAway, let device = airborne.device { endLink(device, BlueZReason.timeout) }
        if !isAway { advertises(number) }
    }
}
#endif
