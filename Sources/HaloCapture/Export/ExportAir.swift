import HaloProtocol
import HaloTransport

/// Where an export writes the packets of a connection: at one time, on one connection.
struct ExportAir: Sendable {
    /// Microseconds since 1970 in UTC.
    var time: Int64 = 0
    /// The connection's handle.
    var handle: UInt16 = 0

    private var recorder: HCIRecorder

    init(_ format: ExportFormat) {
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
    /// characteristics of each, then the descriptors of those.
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
                guard let handle = characteristic.configuration else { continue }
                send(ATTPacket.search(.findInformationRequest, handle...handle))
                receive(ATTPacket.information(handle, AttributeUUIDs.clientConfiguration))
            }
        }
    }

    private mutating func discoverCharacteristics(of service: ExportedService, _ mtu: Int) {
        var next = service.first
        var rest = service.characteristics[...]
        while !rest.isEmpty {
            let group = Self.prefix(of: rest, mtu) { 5 + $0.uuid.attributeLength }
            send(
                ATTPacket.search(
                    .readByTypeRequest, next...service.last, type: AttributeUUIDs.characteristic))
            receive(ATTPacket.characteristics(Array(group)))
            rest = rest.dropFirst(group.count)
            next = (group.last?.value ?? next) &+ 1
        }
        if next <= service.last {
            end(.readByTypeRequest, next...service.last, AttributeUUIDs.characteristic)
        }
    }

    private mutating func end(
        _ opcode: ATTOpcode, _ handles: ClosedRange<UInt16>, _ type: BluetoothUUID
    ) {
        send(ATTPacket.search(opcode, handles, type: type))
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
