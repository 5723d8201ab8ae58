/// The manufacturer data of an iBeacon, after Apple's company number.
///
///     02 15 | uuid, 16 bytes | major, 2 bytes | minor, 2 bytes | power, signed
///
/// All numbers are big endian. With flags before it the advertisement has 30 bytes.
/// Core Bluetooth on iOS hides such advertisements from apps; Core Location reports them.
public struct IBeacon: BytePacket {
    public static var name: PacketName { PacketName("IBeacon") }

    /// The UUID of the beacon's owner.
    public var uuid: BluetoothUUID
    /// The group of beacons.
    public var major: UInt16
    /// The beacon within its group.
    public var minor: UInt16
    /// The signal strength at one metre, in dBm.
    public var powerAtOneMetre: Int8

    /// Apple's company number, under which beacons advertise.
    @usableFromInline package static var company: UInt16 { 0x004C }

    public init(uuid: BluetoothUUID, major: UInt16, minor: UInt16, powerAtOneMetre: Int8) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.powerAtOneMetre = powerAtOneMetre
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        try io.marker("type", Self.type, packet)
        try io.marker("length", Self.length, packet)
        uuid = try io.longUUID("uuid", packet?.uuid, .unknown, isBigEndian: true)
        major = try io.uint16("major", packet?.major, .unknown, isBigEndian: true)
        minor = try io.uint16("minor", packet?.minor, .unknown, isBigEndian: true)
        powerAtOneMetre = try io.int8(
            "powerAtOneMetre", packet?.powerAtOneMetre, .open, .decibelMilliwatts)
    }

    private static var type: UInt8 { 0x02 }
    private static var length: UInt8 { 0x15 }

    /// Returns the beacon in an advertisement, or `nil` if there is none.
    ///
    /// Apple's devices advertise other data under the same company number. Malformed beacon data
    /// throws an error.
    public static func find(in advertisement: AdvertisingData) throws(PacketError) -> IBeacon? {
        for structure in advertisement.structures {
            guard case .manufacturerData(company, let data) = structure.content,
                data.first == type
            else { continue }
            return try IBeacon(decoding: data)
        }
        return nil
    }

    /// Returns the whole advertisement: flags, then the beacon.
    public func advertisement(
        flags: AdvertisingFlags = [.generalDiscoverable, .classicNotSupported]
    ) -> AdvertisingData {
        let structures: [AdvertisingStructure.Content] = [
            .flags(flags), .manufacturerData(company: Self.company, bytes),
        ]
        return AdvertisingData(
            structures: structures.map { AdvertisingStructure(unchecked: $0) }, rest: [],
            fault: nil)
    }
}
