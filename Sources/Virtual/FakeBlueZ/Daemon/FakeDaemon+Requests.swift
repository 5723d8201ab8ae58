#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Requests to characteristics and descriptors.
extension FakeDaemon {
    /// Handles a request to a characteristic.
    mutating func receive(_ request: DBusRequest, device number: Int, _ index: Int) {
        switch request.member {
        case GattCharacteristic1.readValue:
            guard mayAsk(request, number), hasUsableOptions(request) else { return }
            ask(.read(index, offset: Self.offset(request.arguments.first), request), number)
        case GattCharacteristic1.writeValue: write(request, number, index)
        case GattCharacteristic1.startNotify: startNotify(request, number, index)
        case GattCharacteristic1.stopNotify: stopNotify(request, number, index)
        case GattCharacteristic1.acquireNotify: acquireNotify(request, number, index)
        case GattCharacteristic1.acquireWrite: acquireWrite(request, number, index)
        default: put(.refuse(request, .notSupported))
        }
    }

    /// Handles a request to a descriptor. The client characteristic configuration cannot be written
    /// (seen).
    mutating func receive(
        _ request: DBusRequest, device number: Int, _ index: Int, descriptor place: Int
    ) {
        guard mayAsk(request, number), hasUsableOptions(request) else { return }
        guard request.member == GattDescriptor1.writeValue else {
            let offset = Self.offset(request.arguments.first)
            return ask(.readDescriptor(index, place, offset: offset, request), number)
        }
        guard
            let attribute = devices[number]?.gatt?.characteristics[index].descriptors[place]
                .attribute
        else { return put(.refuse(request, .writeNotPermitted)) }
        guard fits(request) else { return put(.refuse(request, .invalidLength)) }
        ask(writing(request, attribute, needsEncryption: false), number)
    }

    static func offset(_ options: DBusValue?) -> Int {
        Int(clamping: options?[AttributeOption.offset]?.integer ?? 0)
    }

    /// Checks for a link; refuses the request without one.
    private mutating func mayAsk(_ request: DBusRequest, _ number: Int) -> Bool {
        guard devices[number]?.link != nil else {
            put(.refuse(request, .notConnected))
            return false
        }
        guard quirks.operationInProgress == 0 else {
            quirks.operationInProgress -= 1
            put(.refuse(request, .inProgress))
            return false
        }
        return true
    }

    /// Checks the types of a request's options; refuses the request if one is wrong. Unknown
    /// options are ignored.
    private mutating func hasUsableOptions(_ request: DBusRequest) -> Bool {
        let options = request.arguments.last
        let isUsable =
            options?[AttributeOption.offset].map { $0.type == .uint16 } ?? true
            && options?[AttributeOption.type].map { $0.type == .string } ?? true
        if !isUsable { put(.refuse(request, .invalid)) }
        return isUsable
    }

    /// Writes a value in the requested way or, without one, in the way that the properties allow:
    /// with response rather than without (the daemon's source).
    private mutating func write(_ request: DBusRequest, _ number: Int, _ index: Int) {
        guard mayAsk(request, number), let device = devices[number], let link = device.link,
            let characteristic = device.gatt?.characteristics[index]
        else { return }
        guard characteristic.writeSocket == nil else {
            return put(.refuse(request, .writeAcquired))
        }
        // While a write of a characteristic waits for its response, a second one is refused at once
        // (seen), also one without response (the daemon's source); reads wait for each other.
        if let attribute = characteristic.attribute, link.operations.written.contains(attribute) {
            return put(.refuse(request, .inProgress))
        }
        guard hasUsableOptions(request) else { return }
        let type = request.arguments.last?[AttributeOption.type]?.string?.lowercased()
        let properties = characteristic.properties
        let isRequest =
            type == AttributeOption.request || type == AttributeOption.reliable
            || type == nil && properties.contains(.write)
        let isCommand =
            Self.offset(request.arguments.last) == 0
            && (type == AttributeOption.command
                || type == nil && properties.contains(.writeWithoutResponse))
        let needsEncryption = characteristic.permissions.contains(.writeEncrypted)
        if isRequest {
            guard fits(request) else { return put(.refuse(request, .invalidLength)) }
            // A write against the properties is sent all the same, and the device refuses it.
            let attribute = properties.canWrite ? characteristic.attribute : nil
            if let attribute { devices[number]?.link?.operations.written.insert(attribute) }
            ask(writing(request, attribute, needsEncryption: needsEncryption), number)
        } else if isCommand, let attribute = characteristic.attribute {
            let value = self.value(of: request)
            guard value.count <= link.mtu - 3 else {
                return put(.refuse(request, .cannotWrite))
            }
            // A write without response that is not permitted has no effect.
            if properties.canWrite, !needsEncryption || link.isEncrypted,
                let remote = peripherals[device.peripheral]?.remote
            {
                put(.remote(remote, .write(value, attribute, .withoutResponse)))
            }
            put(.reply(request, []))
        } else {
            put(.refuse(request, .notSupported))
        }
    }

    /// Creates a write with response, of any length: the remote gets the whole value, as long
    /// writes are reassembled on the other side.
    private func writing(
        _ request: DBusRequest, _ attribute: AttributeID?, needsEncryption: Bool
    ) -> FakeOperation {
        .write(
            attribute, value(of: request), offset: Self.offset(request.arguments.last),
            needsEncryption: needsEncryption, request)
    }

    /// `true` if a write ends within the longest value.
    private func fits(_ request: DBusRequest) -> Bool {
        let offset = Self.offset(request.arguments.last)
        return offset + value(of: request).count <= Self.longestValue
    }

    private func value(of request: DBusRequest) -> [UInt8] { request.arguments.first?.bytes ?? [] }

    static var longestValue: Int { 512 }
}
#endif
