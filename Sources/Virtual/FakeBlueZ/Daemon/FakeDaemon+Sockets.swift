#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Sockets of characteristics: one packet for each value.
extension FakeDaemon {
    mutating func acquireNotify(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        let characteristic = try characteristic(number, index, request)
        guard characteristic.notifySocket == nil else { throw .notifyAcquired }
        guard characteristic.clients.isEmpty else { throw .inProgress }
        guard characteristic.properties.contains(.notify) else { throw .notSupported }
        ask(.subscribe(index, isOn: true, .acquire(request)), number)
    }

    mutating func acquireWrite(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        let characteristic = try characteristic(number, index, request)
        guard characteristic.writeSocket == nil else { throw .writeAcquired }
        guard characteristic.properties.contains(.writeWithoutResponse) else { throw .notSupported }
        openSocket(request, number, index, isNotify: false)
    }

    /// Returns the characteristic; refuses the request without a link or sockets.
    private func characteristic(
        _ number: Int, _ index: Int, _ request: DBusRequest
    ) throws(DBusRefusal) -> FakeCharacteristic {
        guard devices[number]?.link != nil else { throw .notConnected }
        guard !quirks.refusesSockets else { throw .gone(request) }
        guard !quirks.hidesSockets,
            let characteristic = devices[number]?.gatt?.characteristics[index]
        else { throw .notSupported }
        return characteristic
    }

    mutating func openSocket(_ request: DBusRequest, _ number: Int, _ index: Int, isNotify: Bool) {
        guard let link = devices[number]?.link else { return }
        let place = FakeCharacteristic.Socket(
            device: number, characteristic: index, isNotify: isNotify, number: nextNumber())
        keep((place, request.client), at: place)
        put(.openSocket(request, place, mtu: UInt16(clamping: link.mtu)))
    }

    /// Sets or removes the socket of a characteristic, and announces the change as a property.
    private mutating func keep(
        _ socket: (place: FakeCharacteristic.Socket, client: String)?,
        at place: FakeCharacteristic.Socket
    ) {
        let property: String
        if place.isNotify {
            devices[place.device]?.gatt?.characteristics[place.characteristic].notifySocket = socket
            property = GattCharacteristic1.notifyAcquired
        } else {
            devices[place.device]?.gatt?.characteristics[place.characteristic].writeSocket = socket
            property = GattCharacteristic1.writeAcquired
        }
        guard let path = devices[place.device]?.gatt?.characteristics[place.characteristic].path
        else { return }
        put(
            .set(
                [property: .boolean(socket != nil)], of: GattCharacteristic1.interfaceName,
                at: path))
    }

    mutating func socketWrote(_ value: [UInt8], _ place: FakeCharacteristic.Socket) {
        guard let device = devices[place.device], let attribute = current(place)?.attribute,
            let peripheral = peripherals[device.peripheral]
        else { return }
        put(.remote(peripheral.remote, .write(value, attribute)))
    }

    private func current(_ place: FakeCharacteristic.Socket) -> FakeCharacteristic? {
        guard let gatt = devices[place.device]?.gatt,
            gatt.characteristics.indices.contains(place.characteristic)
        else { return nil }
        let characteristic = gatt.characteristics[place.characteristic]
        return characteristic.sockets.contains { $0.place == place } ? characteristic : nil
    }

    mutating func socketEnded(_ place: FakeCharacteristic.Socket) {
        guard current(place) != nil else { return }
        put(.closeSocket(place))
        keep(nil, at: place)
        guard let device = devices[place.device], device.isResolved,
            let characteristic = device.gatt?.characteristics[place.characteristic],
            characteristic.isSubscribed, !characteristic.isWanted
        else { return }
        ask(.subscribe(place.characteristic, isOn: false, .stop(nil)), place.device)
    }
}
#endif
