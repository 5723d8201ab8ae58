/// What a structure in an advertisement is, of those kinds that are read here.
public enum AdvertisingKind: UInt8, FieldCode {
    /// How the device can be found.
    case flags = 0x01
    /// Some of its services of 16 bits.
    case someShortServices = 0x02
    /// All of its services of 16 bits.
    case allShortServices = 0x03
    /// Some of its services of 32 bits.
    case someMediumServices = 0x04
    /// All of its services of 32 bits.
    case allMediumServices = 0x05
    /// Some of its services of 128 bits.
    case someLongServices = 0x06
    /// All of its services of 128 bits.
    case allLongServices = 0x07
    /// The beginning of its name.
    case shortenedName = 0x08
    /// Its name.
    case completeName = 0x09
    /// The power it sends with.
    case transmitPower = 0x0A
    /// What a service of 16 bits has to say.
    case shortServiceData = 0x16
    /// What a service of 32 bits has to say.
    case mediumServiceData = 0x20
    /// What a service of 128 bits has to say.
    case longServiceData = 0x21
    /// What its maker has to say.
    case manufacturerData = 0xFF

    /// The kind in words.
    public var label: FieldName {
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

    /// Whether a body of `length` bytes can be of this kind.
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
