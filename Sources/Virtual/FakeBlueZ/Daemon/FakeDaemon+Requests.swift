#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

extension FakeDaemon {
    mutating func receive(
        _ request: DBusRequest, device number: Int, _ index: Int
    ) throws(DBusRefusal) {
        switch request.member {
        case GattCharacteristic1.readValue:
            try requireLink(number)
            try requireUsableOptions(request)
            ask(.read(index, offset: Self.offset(request.arguments.first), request), number)
        case GattCharacteristic1.writeValue: try write(request, number, index)
        case GattCharacteristic1.startNotify: try startNotify(request, number, index)
        case GattCharacteristic1.stopNotify: try stopNotify(request, number, index)
        case GattCharacteristic1.acquireNotify: try acquireNotify(request, number, index)
        case GattCharacteristic1.acquireWrite: try acquireWrite(request, number, index)
        default: throw .notSupported
        }
    }

    /// Handles a request to a descriptor. The client characteristic configuration cannot be written
    /// (seen).
    mutating func receive(
        _ request: DBusRequest, device number: Int, _ index: Int, descriptor place: Int
    ) throws(DBusRefusal) {
        try requireLink(number)
        try requireUsableOptions(request)
        guard request.member == GattDescriptor1.writeValue else {
            let offset = Self.offset(request.arguments.first)
            return ask(.readDescriptor(index, place, offset: offset, request), number)
        }
        guard
            let attribute = devices[number]?.gatt?.characteristics[index].descriptors[place]
                .attribute
        else { throw .writeNotPermitted }
        guard fits(request) else { throw .invalidLength }
        ask(writing(request, attribute, needsEncryption: false), number)
    }

    static func offset(_ options: DBusValue?) -> Int {
        Int(clamping: options?[AttributeOption.offset]?.integer ?? 0)
    }

    private mutating func requireLink(_ number: Int) throws(DBusRefusal) {
        guard devices[number]?.link != nil else { throw .notConnected }
        guard quirks.operationInProgress == 0 else {
            quirks.operationInProgress -= 1
            throw .inProgress
        }
    }

    /// Refuses a request with an option of a wrong type. Unknown options are ignored.
    private func requireUsableOptions(_ request: DBusRequest) throws(DBusRefusal) {
        let options = request.arguments.last
        guard options?[AttributeOption.offset].map({ $0.type == .uint16 }) ?? true,
            options?[AttributeOption.type].map({ $0.type == .string }) ?? true
        else { throw .invalid }
    }

    /// Writes a value in the requested way or, without one, in the way that the properties allow:
    /// with response rather than without (the daemon's source).
    private mutating func write(
        _ request: DBusRequest, _ number: Int, _ index: Int
    ) throws(DBusRefusal) {
        try requireLink(number)
        guard let device = devices[number], let link = device.link,
            let characteristic = device.gatt?.characteristics[index]
        else { return }
        guard characteristic.writeSocket == nil else { throw .writeAcquired }
        // While a write of a characteristic waits for its response, a second one is refused at once
        // (seen), also one without response (the daemon's source); reads wait for each other.
        if let attribute = characteristic.attribute, link.operations.written.contains(attribute) {
            throw .inProgress
        }
        try requireUsableOptions(request)
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
            guard fits(request) else { throw .invalidLength }
            // A write against the properties is sent all the same, and the device refuses it.
            let attribute = properties.canWrite ? characteristic.attribute : nil
            if let attribute { devices[number]?.link?.operations.written.insert(attribute) }
            ask(writing(request, attribute, needsEncryption: needsEncryption), number)
        } else if isCommand, let attribute = characteristic.attribute {
            let value = self.value(of: request)
            guard value.count <= link.mtu - 3 else { throw .cannotWrite }
            // A write without response that is not permitted has no effect.
            if properties.canWrite, !needsEncryption || link.isEncrypted,
                let remote = peripherals[device.peripheral]?.remote
            {
                put(.remote(remote, .write(value, attribute)))
            }
            put(.reply(request, []))
        } else {
            throw .notSupported
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

    private func fits(_ request: DBusRequest) -> Bool {
        let offset = Self.offset(request.arguments.last)
        return offset + value(of: request).count <= Self.longestValue
    }

    private func value(of request: DBusRequest) -> [UInt8] { request.arguments.first?.bytes ?? [] }

    static var longestValue: Int { 512 }
}
#endif
