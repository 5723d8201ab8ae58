/// One structure of an advertisement.
///
///     length | type | body, length − 1 bytes
///
///     01 flags                  02–07 services      08, 09 name     0A transmit power, signed
///     16, 20, 21 service | data                     FF company, 2 bytes LE | data
///
/// Numbers of more than one byte have the lowest first. Other types are kept as they are.
public struct AdvertisingStructure: BytePacket {
    public static var name: PacketName { PacketName("AdvertisingStructure") }

    /// What it says.
    public enum Content: Hashable, Sendable {
        /// How the device can be found.
        case flags(AdvertisingFlags)
        /// Services of the device: all of that size, or not all.
        case services(AdvertisedServices, isComplete: Bool)
        /// The device's name, or the beginning of it.
        case name(AdvertisedName, isComplete: Bool)
        /// The power that the device sends with, in dBm.
        case transmitPower(Int8)
        /// What a service of 16 bits has to say.
        case shortServiceData(UInt16, [UInt8])
        /// What a service of 32 bits has to say.
        case mediumServiceData(UInt32, [UInt8])
        /// What a service of 128 bits has to say.
        case longServiceData(BluetoothUUID, [UInt8])
        /// What the maker has to say; the number is the company's.
        case manufacturerData(company: UInt16, [UInt8])
        /// A structure of another type, or one whose body cannot be of its type.
        case other(type: UInt8, [UInt8])
    }

    /// What it says.
    public let content: Content

    /// The longest body: a length of 255 counts the type, too.
    public static let maximumBodyLength = 254

    /// A structure whose body has at most 254 bytes.
    ///
    /// An `other` of a type that is read here becomes what its bytes say, if they say it.
    public init(_ content: Content) throws(ValueError) {
        let structure = AdvertisingStructure(unchecked: content)
        let length = structure.body.count
        guard length <= Self.maximumBodyLength else {
            throw ValueError(
                "body", allowed: 0...Int64(Self.maximumBodyLength), found: Int64(length))
        }
        if case .other = content, let known = try? AdvertisingStructure(decoding: structure.bytes) {
            self = known
        } else {
            self = structure
        }
    }

    /// A structure that is known to fit.
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

    private static func companyName(_ company: UInt16) -> String {
        let number = HexText.bytes([UInt8(company >> 8), UInt8(truncatingIfNeeded: company)])
        switch company {
        case IBeacon.company: return "\(number), Apple"
        case RingRecognition.ringCompany: return "\(number), as rings send it"
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

    /// What follows the type.
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
