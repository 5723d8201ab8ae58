import HaloProtocol
import HaloTransport

/// Where an export writes the packets of a connection: at one time, on one connection.
struct ExportAir: Sendable {
    /// Microseconds since 1970 in UTC.
    var time: Int64 = 0
    /// The connection's handle.
    var handle: UInt16 = 0

    private var recorder: HCIRecorder

    /// Whether the type of characteristics is written in full where they are asked for.
    ///
    /// `btmon` 5.66, Debian 12's, ends with a segmentation fault when it comes to the short form,
    /// in its own recordings, too. Wireshark understands only that, but also takes names from the
    /// types of the values, which are then asked for as well.
    private let writesTypeInFull: Bool

    init(_ format: ExportFormat) {
        writesTypeInFull = format == .btsnoop
        recorder = HCIRecorder(format)
    }

    /// How many bytes nobody took yet.
    var pendingCount: Int { recorder.pendingCount }

    /// Hands over what was written since the last time.
    mutating func take() -> [UInt8] { recorder.take() }

    /// An event of the controller.
    mutating func put(_ event: [UInt8]) { recorder.putEvent(event, at: time) }

    /// A packet of the app.
    mutating func send(_ packet: [UInt8]) {
        recorder.putAttributes(packet, .toDevice, on: handle, at: time)
    }

    /// A packet of the device.
    mutating func receive(_ packet: [UInt8]) {
        recorder.putAttributes(packet, .fromDevice, on: handle, at: time)
    }

    /// The answer to a read: if it does not fit, the app goes on reading from where it ended.
    mutating func answer(_ value: [UInt8], of attribute: UInt16, mtu: Int) {
        var rest = value[...]
        var piece = rest.prefix(mtu - 1)
        receive(ATTPacket.answer(.readResponse, piece))
        while piece.count == mtu - 1 {
            rest = rest.dropFirst(piece.count)
            let offset = UInt16(truncatingIfNeeded: rest.startIndex)
            piece = rest.prefix(mtu - 1)
            send(ATTPacket.readBlob(attribute, offset: offset))
            receive(ATTPacket.answer(.readBlobResponse, piece))
        }
    }

    // MARK: Discovery

    /// The app finds out about services, which follow one another: first all of them, then the
    /// characteristics of each, and their descriptors.
    mutating func discover(_ services: ArraySlice<ExportedService>, mtu: Int) {
        guard let first = services.first?.first else { return }
        var next = first
        var rest = services
        while !rest.isEmpty {
            let group = Self.prefix(of: rest, mtu) { 4 + $0.uuid.attributeLength }
            let handles = next...ATTPacket.lastHandle
            send(
                ATTPacket.search(
                    .readByGroupTypeRequest, handles, type: AttributeUUIDs.primaryService))
            receive(ATTPacket.services(Array(group)))
            rest = rest.dropFirst(group.count)
            next = (group.last?.last ?? next) &+ 1
        }
        end(.readByGroupTypeRequest, next...ATTPacket.lastHandle, AttributeUUIDs.primaryService)
        for service in services {
            discoverCharacteristics(of: service, mtu)
            for characteristic in service.characteristics {
                discoverAttributes(of: characteristic, mtu)
            }
        }
    }

    private mutating func discoverCharacteristics(of service: ExportedService, _ mtu: Int) {
        let type = AttributeUUIDs.characteristic
        var next = service.first
        var rest = service.characteristics[...]
        while !rest.isEmpty {
            let group = Self.prefix(of: rest, mtu) { 5 + $0.uuid.attributeLength }
            send(
                ATTPacket.search(
                    .readByTypeRequest, next...service.last, type: type, inFull: writesTypeInFull))
            receive(ATTPacket.characteristics(Array(group)))
            rest = rest.dropFirst(group.count)
            next = (group.last?.value ?? next) &+ 1
        }
        if next <= service.last {
            end(.readByTypeRequest, next...service.last, type, inFull: writesTypeInFull)
        }
    }

    /// Asks for descriptors, and for values where the app does not understand what declares them.
    private mutating func discoverAttributes(of characteristic: ExportedCharacteristic, _ mtu: Int)
    {
        let all = characteristic.attributes
        var rest = writesTypeInFull ? all[...] : all.dropFirst()
        while let first = rest.first, let last = rest.last {
            let group = Self.prefix(of: rest, mtu) { 2 + $0.type.attributeLength }
            send(ATTPacket.search(.findInformationRequest, first.handle...last.handle))
            receive(ATTPacket.information(group))
            rest = rest.dropFirst(group.count)
        }
    }

    private mutating func end(
        _ opcode: ATTOpcode, _ handles: ClosedRange<UInt16>, _ type: BluetoothUUID,
        inFull: Bool = false
    ) {
        send(ATTPacket.search(opcode, handles, type: type, inFull: inFull))
        receive(
            ATTPacket.error(of: opcode, handles.lowerBound, code: ATTPacket.attributeNotFound))
    }

    /// As many entries of one length as a response holds: at least one.
    private static func prefix<Entry>(
        of entries: ArraySlice<Entry>, _ mtu: Int, length: (Entry) -> Int
    ) -> ArraySlice<Entry> {
        guard let width = entries.first.map(length) else { return [] }
        // The length of an entry is told in one byte, and so is that of all of them by many stacks.
        let count = max(1, min(mtu - 2, 253) / width)
        return entries.prefix(count).prefix { length($0) == width }
    }
}
