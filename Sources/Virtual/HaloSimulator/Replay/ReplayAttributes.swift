internal import HaloCapture
internal import HaloProtocol
internal import HaloTransport

/// The services of a recorded device, and their attribute numbers.
///
/// Recorded services are offered again. A characteristic that was used without being listed is
/// added to its known service, or to ``ReplayDevice/unknownService``, with the properties that were
/// used. A ring service or an LED controller service always has both of its characteristics. A
/// characteristic has the descriptors that were used, except for the one that switches
/// notifications: that one is the backend's.
struct ReplayAttributes: Sendable {
    /// A characteristic or one of its descriptors, identified by its service and UUIDs.
    private struct Place: Hashable {
        let service: BluetoothUUID
        let characteristic: BluetoothUUID
        var descriptor: BluetoothUUID?

        var channel: CaptureChannel {
            descriptor.map { .descriptor($0, of: characteristic) } ?? CaptureChannel(characteristic)
        }
    }

    /// The maximum number of characteristics, and of descriptors, that were used without being
    /// listed.
    private static let usedLimit = 4096

    /// The services, one list for each generation of offers.
    private(set) var generations: [[GATTService]] = []
    private var numbers: [Place: AttributeID] = [:]
    private var channels: [AttributeID: CaptureChannel] = [:]
    private var ids: [BluetoothUUID: AttributeID] = [:]
    private var descriptors: [CaptureChannel: AttributeID] = [:]

    init(_ recording: RecordedConversations) {
        let used = Self.used(recording).prefix(Self.usedLimit)
        let described = Self.usedDescriptors(recording)
        for offers in recording.offers {
            let known = Set(offers.map(\.characteristic))
            let others = used.filter { !known.contains($0.characteristic) }
            generations.append(services(offers + others, described))
        }
        // All are numbered.
        numbers = [:]
    }

    private mutating func number(_ place: Place) -> AttributeID {
        if let id = numbers[place] { return id }
        let id = AttributeID(UInt32(clamping: numbers.count + 1))
        numbers[place] = id
        channels[id] = place.channel
        if place.descriptor == nil {
            ids[place.characteristic] = ids[place.characteristic] ?? id
        } else {
            descriptors[place.channel] = descriptors[place.channel] ?? id
        }
        return id
    }

    func channel(_ id: AttributeID) -> CaptureChannel? { channels[id] }

    func source(_ channel: CaptureChannel) -> AttributeID? {
        channel.uuid(.fromDevice).flatMap { ids[$0] } ?? descriptors[channel]
    }

    private mutating func services(
        _ offers: [RecordedOffer], _ described: [BluetoothUUID: [BluetoothUUID]]
    ) -> [GATTService] {
        var order: [BluetoothUUID] = []
        var characteristics: [BluetoothUUID: [GATTCharacteristic]] = [:]
        // Of several characteristics with the same UUID, the first one has the descriptors.
        var described = described
        for offer in offers {
            let place = Place(service: offer.service, characteristic: offer.characteristic)
            let id = number(place)
            let types = described.removeValue(forKey: offer.characteristic) ?? []
            let descriptors = types.map { type in
                var place = place
                place.descriptor = type
                return GATTDescriptor(number(place), type)
            }
            if characteristics[offer.service] == nil { order.append(offer.service) }
            characteristics[offer.service, default: []].append(
                GATTCharacteristic(
                    id, offer.characteristic, offer.properties, descriptors: descriptors))
        }
        return order.map { GATTService($0, characteristics: characteristics[$0] ?? []) }
    }

    // MARK: Used characteristics and descriptors

    private static func usedDescriptors(
        _ recording: RecordedConversations
    ) -> [BluetoothUUID: [BluetoothUUID]] {
        var types: [BluetoothUUID: [BluetoothUUID]] = [:]
        var known: Set<CaptureChannel> = []
        for request in recording.requests {
            guard case .descriptor(let type, of: let uuid) = request.channel,
                type != AttributeUUIDs.clientConfiguration, known.count < usedLimit,
                known.insert(request.channel).inserted
            else { continue }
            types[uuid, default: []].append(type)
        }
        return types
    }

    private static func used(_ recording: RecordedConversations) -> [RecordedOffer] {
        var order: [BluetoothUUID] = []
        var properties: [BluetoothUUID: GATTProperties] = [:]
        func note(_ uuid: BluetoothUUID?, _ more: GATTProperties) {
            guard let uuid else { return }
            if properties[uuid] == nil { order.append(uuid) }
            properties[uuid, default: []].formUnion(more)
        }
        func noteBoth(_ channel: CaptureChannel) {
            guard channel.uuid(.toDevice) != channel.uuid(.fromDevice) else { return }
            note(channel.uuid(.toDevice), [])
            note(channel.uuid(.fromDevice), .notify)
        }
        for request in recording.requests {
            if case .descriptor(_, of: let uuid) = request.channel { note(uuid, []) }
            noteBoth(request.channel)
            switch request.what {
            case .write(let channel, _):
                note(channel.uuid(.toDevice), written(request))
            case .read(let channel): note(channel.uuid(.fromDevice), .read)
            case .subscription: break
            }
        }
        for reaction in recording.reactions {
            guard case .value(let channel, _, let isIndication) = reaction.what else { continue }
            noteBoth(channel)
            note(channel.uuid(.fromDevice), isIndication ? .indicate : .notify)
        }
        for request in recording.requests {
            guard case .subscription(let channel, _) = request.what,
                let uuid = channel.uuid(.fromDevice),
                !(properties[uuid]?.canSubscribe ?? false)
            else { continue }
            note(uuid, .notify)
        }
        return order.map { uuid in
            let known = properties[uuid] ?? []
            let isWritable = known.isEmpty
            return RecordedOffer(
                service: ServiceCatalog.service(ofCharacteristic: uuid)
                    ?? ReplayDevice.unknownService,
                characteristic: uuid,
                properties: isWritable ? [.write, .writeWithoutResponse] : known)
        }
    }

    /// The write property that a request needs; both properties if the recording does not say.
    private static func written(_ request: RecordedRequest) -> GATTProperties {
        switch request.action {
        case .write: .write
        case .command: .writeWithoutResponse
        case .signed: .signedWrite
        case .read, .notified, .indicated, nil: [.write, .writeWithoutResponse]
        }
    }
}
