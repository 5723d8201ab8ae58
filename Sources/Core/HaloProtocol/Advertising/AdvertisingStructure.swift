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
        case flags(AdvertisingFlags)
        /// The services of one UUID size; `isComplete` if all of that size are listed.
        case services(AdvertisedServices, isComplete: Bool)
        /// The name, or its beginning if `isComplete` is `false`.
        case name(AdvertisedName, isComplete: Bool)
        /// The transmit power in dBm.
        case transmitPower(Int8)
        case shortServiceData(UInt16, [UInt8])
        case mediumServiceData(UInt32, [UInt8])
        case longServiceData(BluetoothUUID, [UInt8])
        case manufacturerData(company: UInt16, [UInt8])
        /// A structure of another type, or with an invalid body.
        case other(type: UInt8, [UInt8])
    }

    public let content: Content

    /// The length of the longest body: the length byte also counts the type.
    @usableFromInline package static let maximumBodyLength = 254

    /// Creates a structure whose body has at most 254 bytes.
    ///
    /// Content `other` of a known type becomes content of that type if its body is valid.
    public init(_ content: Content) throws(ValueError) {
        let structure = AdvertisingStructure(unchecked: content)
        try ValueError.check("body", content.length, in: 0...Int64(Self.maximumBodyLength))
        if case .other = content, let known = try? AdvertisingStructure(decoding: structure.bytes) {
            self = known
        } else {
            self = structure
        }
    }

    init(unchecked content: Content) {
        self.content = content
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let length = try io.extent("length", packet?.length, 1...255)
        guard packet != nil || length <= io.remaining else {
            try PacketError.throwTruncated(
                "body", at: io.offset, needs: length, remaining: io.remaining)
        }
        let type = try io.structure("type", packet?.type)
        let kind = AdvertisingKind(rawValue: type)
        io.means { kind?.facts.label.description ?? "not read here" }
        content = try Content(&io, packet?.content, type, length: length - 1)
    }

    /// The number of bytes after the length.
    private var length: Int { 1 + content.length }

    /// The company number of rings' manufacturer data; several sources agree.
    static let ringCompany: UInt16 = 0x1234

    fileprivate static func companyName(_ company: UInt16) -> String {
        let number = HexText.bytes([UInt8(company >> 8), UInt8(truncatingIfNeeded: company)])
        switch company {
        case IBeacon.company: return "\(number), Apple"
        case ringCompany: return "\(number), as rings send it"
        default: return number
        }
    }

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

extension AdvertisingStructure.Content {
    fileprivate init<IO: ByteIO & ~Escapable>(
        _ io: inout IO, _ content: Self?, _ type: UInt8, length: Int
    ) throws(PacketError) {
        guard let kind = AdvertisingKind(rawValue: type), content?.body == nil else {
            // Core Specification Supplement: the targets' addresses (17, 18) and the device's (1B).
            let secrecy: FieldSecrecy =
                switch type {
                case 0x17, 0x18, 0x1B: .address
                default: .unknown
                }
            self = .other(
                type: type, try io.byteArray("body", content?.body, secrecy, count: length))
            return
        }
        guard kind.allows(length: length) else {
            throw PacketError(
                .impossibleCount, field: kind.facts.label, at: io.offset, found: Int64(length))
        }
        switch kind {
        case .flags: self = .flags(try io.flags("flags", content?.flags, .open))
        case .someShortServices, .someMediumServices, .someLongServices,
            .allShortServices, .allMediumServices, .allLongServices:
            let services = try AdvertisedServices(&io, content?.services, kind, length: length)
            self = .services(services, isComplete: kind.isComplete)
        case .shortenedName, .completeName:
            let name = AdvertisedName(
                bytes: try io.byteArray("name", content?.name?.bytes, .name, count: length))
            io.means { name.description }
            self = .name(name, isComplete: kind.isComplete)
        case .transmitPower:
            self = .transmitPower(
                try io.int8("power", content?.transmitPower, .open, .decibelMilliwatts))
        case .shortServiceData:
            let service = try io.shortUUID("service", content?.service?.short16, .open)
            self = .shortServiceData(
                service,
                try io.byteArray("data", content?.data, .manufacturerData, count: length - 2))
        case .mediumServiceData:
            let service = try io.mediumUUID("service", content?.service?.short32, .open)
            self = .mediumServiceData(
                service,
                try io.byteArray("data", content?.data, .manufacturerData, count: length - 4))
        case .longServiceData:
            let service = try io.longUUID("service", content?.service, .open)
            self = .longServiceData(
                service,
                try io.byteArray("data", content?.data, .manufacturerData, count: length - 16))
        case .manufacturerData:
            let company = try io.uint16("company", content?.company, .open)
            io.means { AdvertisingStructure.companyName(company) }
            self = .manufacturerData(
                company: company,
                try io.byteArray("data", content?.data, .manufacturerData, count: length - 2))
        }
    }

    fileprivate var length: Int {
        switch self {
        case .flags, .transmitPower: 1
        case .services(let services, _): services.uuids.count * services.bytesPerService
        case .name(let name, _): name.bytes.count
        case .shortServiceData(_, let data), .manufacturerData(_, let data): 2 + data.count
        case .mediumServiceData(_, let data): 4 + data.count
        case .longServiceData(_, let data): 16 + data.count
        case .other(_, let body): body.count
        }
    }

    var flags: AdvertisingFlags? {
        if case .flags(let flags) = self { flags } else { nil }
    }

    var services: AdvertisedServices? {
        if case .services(let services, _) = self { services } else { nil }
    }

    var name: AdvertisedName? {
        if case .name(let name, _) = self { name } else { nil }
    }

    var transmitPower: Int8? {
        if case .transmitPower(let power) = self { power } else { nil }
    }

    var company: UInt16? {
        if case .manufacturerData(let company, _) = self { company } else { nil }
    }

    var service: BluetoothUUID? {
        switch self {
        case .shortServiceData(let service, _): BluetoothUUID(UInt32(service))
        case .mediumServiceData(let service, _): BluetoothUUID(service)
        case .longServiceData(let service, _): service
        default: nil
        }
    }

    private var data: [UInt8]? {
        switch self {
        case .shortServiceData(_, let data), .mediumServiceData(_, let data),
            .longServiceData(_, let data), .manufacturerData(_, let data):
            data
        default: nil
        }
    }

    /// The bytes of a body that is not decoded.
    private var body: [UInt8]? {
        if case .other(_, let body) = self { body } else { nil }
    }
}

/// The types of advertising structures that are decoded.
enum AdvertisingKind: UInt8 {
    case flags = 0x01
    case someShortServices = 0x02
    case allShortServices = 0x03
    case someMediumServices = 0x04
    case allMediumServices = 0x05
    case someLongServices = 0x06
    case allLongServices = 0x07
    case shortenedName = 0x08
    case completeName = 0x09
    case transmitPower = 0x0A
    case shortServiceData = 0x16
    case mediumServiceData = 0x20
    case longServiceData = 0x21
    case manufacturerData = 0xFF

    /// The type in words; the length of the body's fixed fields, and of each element after them, 0
    /// if there are none.
    var facts: (label: FieldName, head: Int, element: Int) {
        switch self {
        case .flags: ("flags", 1, 0)
        case .someShortServices: ("incomplete list of 16-bit services", 0, 2)
        case .allShortServices: ("complete list of 16-bit services", 0, 2)
        case .someMediumServices: ("incomplete list of 32-bit services", 0, 4)
        case .allMediumServices: ("complete list of 32-bit services", 0, 4)
        case .someLongServices: ("incomplete list of 128-bit services", 0, 16)
        case .allLongServices: ("complete list of 128-bit services", 0, 16)
        case .shortenedName: ("shortened name", 0, 1)
        case .completeName: ("complete name", 0, 1)
        case .transmitPower: ("transmit power", 1, 0)
        case .shortServiceData: ("data of a 16-bit service", 2, 1)
        case .mediumServiceData: ("data of a 32-bit service", 4, 1)
        case .longServiceData: ("data of a 128-bit service", 16, 1)
        case .manufacturerData: ("manufacturer data", 2, 1)
        }
    }

    var isComplete: Bool {
        switch self {
        case .completeName, .allShortServices, .allMediumServices, .allLongServices: true
        default: false
        }
    }

    func allows(length: Int) -> Bool {
        let (_, head, element) = facts
        return element == 0 ? length == head : length >= head && (length - head) % element == 0
    }
}
