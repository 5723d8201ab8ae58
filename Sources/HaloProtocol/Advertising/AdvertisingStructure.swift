/// One structure of an advertisement.
///
///     length | type | body, length − 1 bytes
///
///     01 flags                  02–07 services      08, 09 name     0A transmit power, signed
///     16, 20, 21 service | data                     FF company, 2 bytes LE | data
///
/// Numbers are little endian. Other types are kept as they are.
public struct AdvertisingStructure: BytePacket {
    public static var name: PacketName { PacketName("AdvertisingStructure") }

    /// The content of a structure.
    public enum Content: Hashable, Sendable {
        /// The flags.
        case flags(AdvertisingFlags)
        /// The services of one UUID size; `isComplete` if all of that size are listed.
        case services(AdvertisedServices, isComplete: Bool)
        /// The name, or its beginning if `isComplete` is `false`.
        case name(AdvertisedName, isComplete: Bool)
        /// The transmit power in dBm.
        case transmitPower(Int8)
        /// Service data of a 16-bit service.
        case shortServiceData(UInt16, [UInt8])
        /// Service data of a 32-bit service.
        case mediumServiceData(UInt32, [UInt8])
        /// Service data of a 128-bit service.
        case longServiceData(BluetoothUUID, [UInt8])
        /// Manufacturer data of a company.
        case manufacturerData(company: UInt16, [UInt8])
        /// A structure of another type, or with an invalid body.
        case other(type: UInt8, [UInt8])
    }

    /// The decoded content of the body.
    public let content: Content

    /// The length of the longest body: the length byte also counts the type.
    public static let maximumBodyLength = 254

    /// Creates a structure whose body has at most 254 bytes.
    ///
    /// Content `other` of a known type becomes content of that type if its body is valid.
    public init(_ content: Content) throws(ValueError) {
        let structure = AdvertisingStructure(unchecked: content)
        let length = structure.body.count
        try ValueError.check("body", length, in: 0...Int64(Self.maximumBodyLength))
        if case .other = content, let known = try? AdvertisingStructure(decoding: structure.bytes) {
            self = known
        } else {
            self = structure
        }
    }

    /// Creates a structure that is known to fit.
    init(unchecked content: Content) {
        self.content = content
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        let length = Int(try reader.extent("length", 1...255))
        guard length <= reader.remaining else {
            throw .truncated("body", at: reader.offset, needs: length, remaining: reader.remaining)
        }
        let type = try reader.structure("type")
        let kind = AdvertisingKind(rawValue: type)
        reader.means { kind?.label.description ?? "not read here" }
        content = try Self.content(type, from: &reader, length: length - 1)
    }

    public func encode(into writer: inout ByteWriter) {
        let body = body
        writer.extent("length", UInt8(truncatingIfNeeded: body.count + 1))
        writer.structure("type", type)
        writer.byteArray("body", body)
    }

    private static func content<Sink: FieldSink>(
        _ type: UInt8, from reader: inout ByteReader<Sink>, length: Int
    ) throws(PacketError) -> Content {
        guard let kind = AdvertisingKind(rawValue: type) else {
            return .other(type: type, try reader.byteArray("body", count: length))
        }
        guard kind.allows(length: length) else {
            throw PacketError(
                .impossibleCount, field: kind.label, at: reader.offset, found: Int64(length))
        }
        switch kind {
        case .flags:
            return .flags(try reader.flags("flags"))
        case .someShortServices, .someMediumServices, .someLongServices:
            return .services(try services(kind, from: &reader, length), isComplete: false)
        case .allShortServices, .allMediumServices, .allLongServices:
            return .services(try services(kind, from: &reader, length), isComplete: true)
        case .shortenedName, .completeName:
            let name = AdvertisedName(bytes: try reader.byteArray("name", count: length))
            reader.means { name.description }
            return .name(name, isComplete: kind == .completeName)
        case .transmitPower:
            return .transmitPower(try reader.int8("power", .decibelMilliwatts))
        case .shortServiceData:
            return .shortServiceData(
                try reader.shortUUID("service"), try reader.byteArray("data", count: length - 2))
        case .mediumServiceData:
            return .mediumServiceData(
                try reader.mediumUUID("service"), try reader.byteArray("data", count: length - 4))
        case .longServiceData:
            return .longServiceData(
                try reader.longUUID("service"), try reader.byteArray("data", count: length - 16))
        case .manufacturerData:
            let company = try reader.uint16("company")
            reader.means { companyName(company) }
            return .manufacturerData(
                company: company, try reader.byteArray("data", count: length - 2))
        }
    }

    /// The company number of rings' manufacturer data; several sources agree.
    static let ringCompany: UInt16 = 0x1234

    private static func companyName(_ company: UInt16) -> String {
        let number = HexText.bytes([UInt8(company >> 8), UInt8(truncatingIfNeeded: company)])
        switch company {
        case IBeacon.company: return "\(number), Apple"
        case ringCompany: return "\(number), as rings send it"
        default: return number
        }
    }

    private static func services<Sink: FieldSink>(
        _ kind: AdvertisingKind, from reader: inout ByteReader<Sink>, _ length: Int
    ) throws(PacketError) -> AdvertisedServices {
        let bytesPerService =
            switch kind {
            case .someShortServices, .allShortServices: 2
            case .someMediumServices, .allMediumServices: 4
            default: 16
            }
        return try AdvertisedServices(
            from: &reader, bytesPerService: bytesPerService, count: length / bytesPerService)
    }

    /// The bytes after the type.
    private var body: [UInt8] {
        var writer = ByteWriter()
        switch content {
        case .flags(let flags): writer.flags("flags", flags)
        case .services(let services, _): services.encode(into: &writer)
        case .name(let name, _): writer.byteArray("name", name.bytes)
        case .transmitPower(let power): writer.int8("power", power)
        case .shortServiceData(let service, let data):
            writer.shortUUID("service", service)
            writer.byteArray("data", data)
        case .mediumServiceData(let service, let data):
            writer.mediumUUID("service", service)
            writer.byteArray("data", data)
        case .longServiceData(let service, let data):
            writer.longUUID("service", service)
            writer.byteArray("data", data)
        case .manufacturerData(let company, let data):
            writer.uint16("company", company)
            writer.byteArray("data", data)
        case .other(_, let bytes): writer.byteArray("body", bytes)
        }
        return writer.bytes
    }
}

extension AdvertisingStructure {
    /// The type's number on the wire.
    public var type: UInt8 {
        switch content {
        case .other(let type, _): type
        case .flags: AdvertisingKind.flags.rawValue
        case .services(.short, let isComplete):
            (isComplete ? AdvertisingKind.allShortServices : .someShortServices).rawValue
        case .services(.medium, let isComplete):
            (isComplete ? AdvertisingKind.allMediumServices : .someMediumServices).rawValue
        case .services(.long, let isComplete):
            (isComplete ? AdvertisingKind.allLongServices : .someLongServices).rawValue
        case .name(_, let isComplete):
            (isComplete ? AdvertisingKind.completeName : .shortenedName).rawValue
        case .transmitPower: AdvertisingKind.transmitPower.rawValue
        case .shortServiceData: AdvertisingKind.shortServiceData.rawValue
        case .mediumServiceData: AdvertisingKind.mediumServiceData.rawValue
        case .longServiceData: AdvertisingKind.longServiceData.rawValue
        case .manufacturerData: AdvertisingKind.manufacturerData.rawValue
        }
    }
}

/// The types of advertising structures that are decoded.
package enum AdvertisingKind: UInt8, FieldCode {
    /// Flags.
    case flags = 0x01
    /// An incomplete list of 16-bit services.
    case someShortServices = 0x02
    /// The complete list of 16-bit services.
    case allShortServices = 0x03
    /// An incomplete list of 32-bit services.
    case someMediumServices = 0x04
    /// The complete list of 32-bit services.
    case allMediumServices = 0x05
    /// An incomplete list of 128-bit services.
    case someLongServices = 0x06
    /// The complete list of 128-bit services.
    case allLongServices = 0x07
    /// The beginning of the name.
    case shortenedName = 0x08
    /// The complete name.
    case completeName = 0x09
    /// The transmit power.
    case transmitPower = 0x0A
    /// Service data of a 16-bit service.
    case shortServiceData = 0x16
    /// Service data of a 32-bit service.
    case mediumServiceData = 0x20
    /// Service data of a 128-bit service.
    case longServiceData = 0x21
    /// Manufacturer data.
    case manufacturerData = 0xFF

    /// The type in words.
    package var label: FieldName {
        switch self {
        case .flags: "flags"
        case .someShortServices: "incomplete list of 16-bit services"
        case .allShortServices: "complete list of 16-bit services"
        case .someMediumServices: "incomplete list of 32-bit services"
        case .allMediumServices: "complete list of 32-bit services"
        case .someLongServices: "incomplete list of 128-bit services"
        case .allLongServices: "complete list of 128-bit services"
        case .shortenedName: "shortened name"
        case .completeName: "complete name"
        case .transmitPower: "transmit power"
        case .shortServiceData: "data of a 16-bit service"
        case .mediumServiceData: "data of a 32-bit service"
        case .longServiceData: "data of a 128-bit service"
        case .manufacturerData: "manufacturer data"
        }
    }

    /// Returns `true` if a body of this type can have `length` bytes.
    func allows(length: Int) -> Bool {
        switch self {
        case .flags, .transmitPower: length == 1
        case .someShortServices, .allShortServices: length % 2 == 0
        case .someMediumServices, .allMediumServices: length % 4 == 0
        case .someLongServices, .allLongServices: length % 16 == 0
        case .shortenedName, .completeName: true
        case .shortServiceData, .manufacturerData: length >= 2
        case .mediumServiceData: length >= 4
        case .longServiceData: length >= 16
        }
    }
}

/// The services of one structure, all of the same size.
public enum AdvertisedServices: Hashable, Sendable {
    /// 16-bit services.
    case short([UInt16])
    /// 32-bit services.
    case medium([UInt32])
    /// 128-bit services.
    case long([BluetoothUUID])

    /// The UUIDs of the services.
    public var uuids: [BluetoothUUID] {
        switch self {
        case .short(let numbers): numbers.map { BluetoothUUID(UInt32($0)) }
        case .medium(let numbers): numbers.map { BluetoothUUID($0) }
        case .long(let uuids): uuids
        }
    }

    /// The size of one service in bytes.
    var bytesPerService: Int {
        switch self {
        case .short: 2
        case .medium: 4
        case .long: 16
        }
    }

    init<Sink: FieldSink>(
        from reader: inout ByteReader<Sink>, bytesPerService: Int, count: Int
    ) throws(PacketError) {
        var short: [UInt16] = []
        var medium: [UInt32] = []
        var long: [BluetoothUUID] = []
        for index in 0..<count {
            reader.enter("services", index)
            switch bytesPerService {
            case 2: short.append(try reader.shortUUID("uuid"))
            case 4: medium.append(try reader.mediumUUID("uuid"))
            default: long.append(try reader.longUUID("uuid"))
            }
            reader.leave()
        }
        switch bytesPerService {
        case 2: self = .short(short)
        case 4: self = .medium(medium)
        default: self = .long(long)
        }
    }

    func encode(into writer: inout ByteWriter) {
        switch self {
        case .short(let numbers): for number in numbers { writer.shortUUID("uuid", number) }
        case .medium(let numbers): for number in numbers { writer.mediumUUID("uuid", number) }
        case .long(let uuids): for uuid in uuids { writer.longUUID("uuid", uuid) }
        }
    }
}

/// The advertised name of a device.
///
/// Devices cut names to the room that is left, some within a character, so the bytes are kept.
public struct AdvertisedName: Hashable, Sendable {
    /// The bytes on the wire.
    public var bytes: [UInt8]

    /// Creates a name from any bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a name from text.
    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The name as text, or `nil` if the bytes are not valid UTF-8.
    public var text: String? {
        StrictUTF8.firstFault(in: bytes) == nil ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension AdvertisedName: CustomStringConvertible {
    /// The name in quotes, escaped for terminals.
    public var description: String { PrintableText.quoted(bytes) }
}
