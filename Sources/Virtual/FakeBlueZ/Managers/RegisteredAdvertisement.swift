#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A program's advertisement, decoded from its object as 5.66 was seen to do.
///
/// The name goes into the scan response, cut to what fits, and everything else into the
/// advertisement. A property of the wrong type makes the whole unreadable, and so do a company and
/// a service without data, and a structure that is too long by itself. Unknown properties are
/// ignored, and so is an interval: it is experimental.
struct RegisteredAdvertisement: Sendable {
    let content: PeripheralAdvertisement

    /// The kernel's default interval, as in the recorded traffic of 5.66.
    private static let usualInterval: Duration = .milliseconds(1280)

    /// Decodes an advertisement from its properties; `alias` is the adapter's name.
    ///
    /// A connectable advertisement without `Discoverable` is as discoverable as its adapter (the
    /// source of 5.66 to 5.87).
    init(
        _ values: DBusValue, alias: String, onDiscoverableAdapter isOnDiscoverable: Bool = false
    ) throws(DBusRefusal) {
        for property in LEAdvertisement1.interface.properties
        where !Self.ofAnyType.contains(property.name) {
            guard let value = values[property.name] else { continue }
            guard value.type == property.type else { throw .unreadable }
        }
        // The controller has no secondary channel.
        guard values[LEAdvertisement1.secondaryChannel] == nil else { throw .unreadable }
        let kind = values[LEAdvertisement1.type]?.string ?? LEAdvertisement1.peripheral
        guard [LEAdvertisement1.peripheral, LEAdvertisement1.broadcast].contains(kind) else {
            throw .unreadable
        }
        let isConnectable = kind == LEAdvertisement1.peripheral
        var contents = try Self.contents(values, isConnectable)
        if isConnectable, isOnDiscoverable, values[LEAdvertisement1.discoverable] == nil {
            contents.insert(.flags([.generalDiscoverable, .classicNotSupported]), at: 0)
        }
        let includes = (values[LEAdvertisement1.includes]?.elements ?? []).compactMap(\.string)
        if includes.contains(LEAdvertisement1.includesPower) { contents.append(.transmitPower(0)) }
        var name = values[LEAdvertisement1.localName]?.string
        if includes.contains(LEAdvertisement1.includesName) {
            guard name == nil else { throw .unreadable }
            name = alias
        }
        let nameContents = name.map { name in
            let cut = String(decoding: name.utf8.prefix(Self.longestName), as: UTF8.self)
            return [AdvertisingStructure.Content.name(AdvertisedName(cut), isComplete: true)]
        }
        content = PeripheralAdvertisement(
            try Self.data(contents), scanResponse: try nameContents.map(Self.data),
            interval: Self.usualInterval, isConnectable: isConnectable)
    }

    private static let ofAnyType = [
        LEAdvertisement1.minInterval, LEAdvertisement1.maxInterval,
        LEAdvertisement1.manufacturerData,
    ]
    private static let longestName = AdvertisingData.legacyLength - 2

    private static func contents(
        _ values: DBusValue, _ isConnectable: Bool
    ) throws(DBusRefusal) -> [AdvertisingStructure.Content] {
        var contents: [AdvertisingStructure.Content] = []
        if let isDiscoverable = values[LEAdvertisement1.discoverable]?.boolean {
            guard isConnectable || !isDiscoverable else { throw .unreadable }
            if isConnectable {
                contents.append(
                    .flags(
                        isDiscoverable
                            ? [.generalDiscoverable, .classicNotSupported]
                            : [.classicNotSupported]))
            }
        }
        let services = try uuids(values[LEAdvertisement1.serviceUUIDs])
        let short = services.compactMap(\.short16)
        let long = services.filter { $0.short16 == nil }
        if !short.isEmpty { contents.append(.services(.short(short), isComplete: true)) }
        if !long.isEmpty { contents.append(.services(.long(long), isComplete: true)) }
        for entry in values[LEAdvertisement1.manufacturerData]?.entries ?? [] {
            // Other keys are ignored.
            guard case .uint16(let company) = entry.key else { continue }
            guard let data = entry.value.bytes, !data.isEmpty else { throw .unreadable }
            contents.append(.manufacturerData(company: company, data))
        }
        for entry in values[LEAdvertisement1.serviceData]?.entries ?? [] {
            let service = try uuids(.strings([entry.key.string ?? ""])).first
            guard let service, let data = entry.value.bytes, !data.isEmpty else {
                throw .unreadable
            }
            contents.append(
                service.short16.map { .shortServiceData($0, data) }
                    ?? .longServiceData(service, data))
        }
        for entry in values[LEAdvertisement1.data]?.entries ?? [] {
            guard case .byte(let type) = entry.key, let data = entry.value.bytes,
                !LEAdvertisement1.isRefused(type)
            else { throw .unreadable }
            contents.append(.other(type: type, data))
        }
        return contents
    }

    private static func uuids(_ value: DBusValue?) throws(DBusRefusal) -> [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        for text in (value?.elements ?? []).compactMap(\.string) {
            guard let uuid = try? BluetoothUUID(parsing: text) else { throw .unreadable }
            uuids.append(uuid)
        }
        return uuids
    }

    private static func data(
        _ contents: [AdvertisingStructure.Content]
    ) throws(DBusRefusal) -> AdvertisingData {
        var structures: [AdvertisingStructure] = []
        for content in contents {
            guard let structure = try? AdvertisingStructure(content),
                let alone = try? AdvertisingData(structures: [structure]),
                alone.bytes.count <= AdvertisingData.legacyLength
            else {
                // A list of services that is too long gets the kernel's error.
                if case .services = content { throw .notTaken }
                throw .unreadable
            }
            structures.append(structure)
        }
        guard let data = try? AdvertisingData(structures: structures),
            data.bytes.count <= AdvertisingData.legacyLength
        else { throw .notTaken }
        return data
    }
}
#endif
