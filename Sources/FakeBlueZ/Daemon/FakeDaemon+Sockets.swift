#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Sockets that stand for a characteristic: one packet for each value.
extension FakeDaemon {
    mutating func acquireNotify(
        _ request: DBusRequest, _ device: FakeDevice, _ index: Int, _ client: String
    ) {
        guard let characteristic = characteristic(device, index, request) else { return }
        guard characteristic.notifySocket == nil else {
            return perform(.refuse(request, .notifyAcquired))
        }
        guard characteristic.clients.isEmpty else {
            return perform(.refuse(request, .inProgress))
        }
        guard characteristic.properties.contains(.notify) else {
            return perform(.refuse(request, .notSupported))
        }
        ask(.subscribe(index, isOn: true, .acquire(request, client: client)), device)
    }

    mutating func acquireWrite(
        _ request: DBusRequest, _ device: FakeDevice, _ index: Int, _ client: String
    ) {
        guard let characteristic = characteristic(device, index, request),
            let link = device.link
        else { return }
        guard characteristic.writeSocket == nil else {
            return perform(.refuse(request, .writeAcquired))
        }
        guard characteristic.properties.contains(.writeWithoutResponse) else {
            return perform(.refuse(request, .notSupported))
        }
        openSocket(request, device, link, index, client, isNotify: false)
    }

    /// The characteristic, if there is a link and there are sockets at all.
    private mutating func characteristic(
        _ device: FakeDevice, _ index: Int, _ request: DBusRequest
    ) -> FakeCharacteristic? {
        guard device.link != nil else {
            perform(.refuse(request, .notConnected))
            return nil
        }
        guard !quirks.refusesSockets else {
            perform(.refuse(request, .gone(request)))
            return nil
        }
        guard !quirks.hidesSockets, let characteristic = device.gatt?.characteristics[index]
        else {
            perform(.refuse(request, .notSupported))
            return nil
        }
        return characteristic
    }

    mutating func openSocket(
        _ request: DBusRequest, _ device: FakeDevice, _ link: FakeLink, _ index: Int,
        _ client: String, isNotify: Bool
    ) {
        guard let path = device.gatt?.characteristics[index].path else { return }
        let place = FakeSocketPlace(
            device: device.number, characteristic: index, isNotify: isNotify, number: nextNumber())
        let property: String
        if isNotify {
            device.gatt?.characteristics[index].notifySocket = (place, client)
            property = GattCharacteristic1.notifyAcquired
        } else {
            device.gatt?.characteristics[index].writeSocket = (place, client)
            property = GattCharacteristic1.writeAcquired
        }
        perform(
            .set(
                [property: .boolean(true)], of: GattCharacteristic1.interfaceName, at: path))
        perform(.openSocket(request, place, mtu: UInt16(clamping: link.mtu)))
    }

    /// A client has written a packet.
    mutating func socketWrote(_ value: [UInt8], _ place: FakeSocketPlace) {
        guard isRunning, let device = devices[place.device], device.link != nil,
            let characteristic = current(place), let attribute = characteristic.attribute
        else { return }
        perform(
            .remote(device.airborne.remote, .write(value, attribute, .withoutResponse, nil)))
    }

    private func current(_ place: FakeSocketPlace) -> FakeCharacteristic? {
        guard let gatt = devices[place.device]?.gatt,
            gatt.characteristics.indices.contains(place.characteristic)
        else { return nil }
        let characteristic = gatt.characteristics[place.characteristic]
        let socket = place.isNotify ? characteristic.notifySocket : characteristic.writeSocket
        return socket?.place == place ? characteristic : nil
    }

    /// A socket is closed, by either side.
    mutating func socketEnded(_ place: FakeSocketPlace) {
        guard isRunning, let device = devices[place.device], let old = current(place) else {
            return
        }
        let index = place.characteristic
        let property: String
        if place.isNotify {
            device.gatt?.characteristics[index].notifySocket = nil
            property = GattCharacteristic1.notifyAcquired
        } else {
            device.gatt?.characteristics[index].writeSocket = nil
            property = GattCharacteristic1.writeAcquired
        }
        perform(
            .set(
                [property: .boolean(false)], of: GattCharacteristic1.interfaceName, at: old.path))
        guard let characteristic = device.gatt?.characteristics[index], device.isResolved,
            characteristic.isSubscribed, !characteristic.isWanted
        else { return }
        ask(.subscribe(index, isOn: false, .stop(nil)), device)
    }
}
#endif
