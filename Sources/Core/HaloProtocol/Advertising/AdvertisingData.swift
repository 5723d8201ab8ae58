/// The data of an advertisement or of a scan response.
///
///     structure… | 00…                 zeros at the end are padding
///
/// Advertisements may be malformed. Decoding throws at the first fault; ``init(lenient:)`` keeps
/// the valid structures and the first fault.
public struct AdvertisingData: BytePacket {
    public static var name: PacketName { PacketName("AdvertisingData") }

    /// The structures in their order on the wire.
    public let structures: [AdvertisingStructure]
    /// The bytes after the structures: padding, or the rest after a ``fault``.
    public let rest: [UInt8]
    /// The first fault of a lenient decoding, or `nil`.
    public let fault: PacketError?

    public static let legacyLength = 31
    public static let maximumLength = 1650

    /// Creates an advertisement of structures, at most 1650 bytes.
    public init(structures: [AdvertisingStructure]) throws(ValueError) {
        self.init(structures: structures, rest: [], fault: nil)
        let length = bytes.count
        try ValueError.check("length", length, in: 0...Int64(Self.maximumLength))
    }

    init(structures: [AdvertisingStructure], rest: [UInt8], fault: PacketError?) {
        self.structures = structures
        self.rest = rest
        self.fault = fault
    }

    @usableFromInline package var fitsLegacy: Bool { bytes.count <= Self.legacyLength }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        for structure in packet?.structures ?? [] { _ = try AdvertisingStructure(&io, structure) }
        var structures = packet?.structures ?? []
        while io.upcoming(nil) != 0 {
            io.enter("structures", structures.count)
            structures.append(try AdvertisingStructure(&io, nil))
            io.leave()
        }
        let start = io.offset
        let rest = try io.unclaimed(packet?.rest, "padding")
        if packet == nil, let index = rest.firstIndex(where: { $0 != 0 }) {
            throw .notZero(at: start + index, found: rest[index])
        }
        self.init(structures: structures, rest: rest, fault: nil)
    }

    /// Decodes any bytes.
    ///
    /// A structure with an invalid body is kept as ``AdvertisingStructure/Content`` `other`. A
    /// length beyond the end, or bytes after the padding, end the decoding. Encoding always returns
    /// the same bytes.
    public init(lenient bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        var structures: [AdvertisingStructure] = []
        var fault: PacketError?
        while let length = rest.first, length > 0 {
            let whole = rest.prefix(Int(length) + 1)
            do throws(PacketError) {
                structures.append(try AdvertisingStructure(decoding: whole))
            } catch {
                fault = fault ?? error.moved(by: whole.startIndex, into: Self.name)
                guard whole.count == Int(length) + 1 else { break }
                let body = Array(whole.dropFirst(2))
                structures.append(
                    AdvertisingStructure(
                        unchecked: .other(type: whole[whole.startIndex + 1], body)))
            }
            rest = rest.dropFirst(whole.count)
        }
        if fault == nil, let index = rest.firstIndex(where: { $0 != 0 }) {
            fault = PacketError.notZero(at: index, found: rest[index]).named(Self.name)
        }
        self.init(structures: structures, rest: Array(rest), fault: fault)
    }

    /// The flags, or `nil` if there are none.
    public var flags: AdvertisingFlags? {
        structures.lazy.compactMap { $0.content.flags }.first
    }

    /// The complete name, else the shortened one, or `nil`.
    public var name: AdvertisedName? {
        var shortened: AdvertisedName?
        for structure in structures {
            guard case .name(let name, let isComplete) = structure.content else { continue }
            if isComplete { return name }
            shortened = shortened ?? name
        }
        return shortened
    }

    /// The listed services in their order on the wire.
    public var services: [BluetoothUUID] {
        structures.flatMap { $0.content.services?.uuids ?? [] }
    }

    @usableFromInline package var servicesWithData: [BluetoothUUID] {
        structures.compactMap { $0.content.service }
    }

    /// The company numbers with manufacturer data.
    public var companies: [UInt16] {
        structures.compactMap { $0.content.company }
    }

    /// The transmit power in dBm, or `nil` if it is not advertised.
    public var transmitPowerDecibelMilliwatts: Int8? {
        structures.lazy.compactMap { $0.content.transmitPower }.first
    }

    /// Returns the legacy advertisement of a connectable device: flags, 16-bit services, name.
    ///
    /// The last services are left out if they do not fit. The name is cut and marked as shortened
    /// if it does not fit.
    public static func connectable(name: String, services: [BluetoothUUID]) -> AdvertisingData {
        var structures = [
            AdvertisingStructure(unchecked: .flags([.generalDiscoverable, .classicNotSupported]))
        ]
        var room = legacyLength - structures[0].bytes.count
        let numbers = services.compactMap { $0.short16 }
        let listed = Array(numbers.prefix((room - structureHeader) / 2))
        if !listed.isEmpty {
            let list = AdvertisingStructure(
                unchecked: .services(.short(listed), isComplete: listed.count == services.count))
            structures.append(list)
            room -= list.bytes.count
        }
        let text = Array(name.utf8)
        let cut = StrictUTF8.beginning(of: text, length: room - structureHeader)
        if !cut.isEmpty {
            structures.append(
                AdvertisingStructure(
                    unchecked: .name(
                        AdvertisedName(bytes: cut), isComplete: cut.count == text.count)))
        }
        return AdvertisingData(structures: structures, rest: [], fault: nil)
    }

    /// The bytes of length and type.
    private static var structureHeader: Int { 2 }
}
