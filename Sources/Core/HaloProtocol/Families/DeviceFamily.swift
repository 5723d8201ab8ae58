/// A family of devices with a protocol of its own: apps write packets to one characteristic, and
/// the device notifies packets by one.
///
/// Captures, scrubbing, explanations, recordings and scans know every family of
/// ``DeviceFamilyCatalog``. Rings have a protocol of several channels, and heart-rate sensors one
/// of the Bluetooth SIG, so neither is in the catalogue.
public struct DeviceFamily: Sendable, Hashable, CustomStringConvertible {
    /// A characteristic and its service.
    public struct Endpoint: Hashable, Sendable {
        public let service: BluetoothUUID
        public let characteristic: BluetoothUUID

        public init(_ service: BluetoothUUID, _ characteristic: BluetoothUUID) {
            self.service = service
            self.characteristic = characteristic
        }
    }

    /// A type of packet of the family.
    public struct Packet: Sendable {
        public let direction: Direction
        /// The first byte, by which the type is recognised; `nil` for all that no other type has.
        public let start: UInt8?
        public let form: ByteForm

        /// Creates the type of the packets that begin with a byte; with `nil`, of all others.
        public init<Value: BytePacket>(
            _ direction: Direction, startingWith start: UInt8?, _ type: Value.Type
        ) {
            self.direction = direction
            self.start = start
            form = ByteForm(type)
        }
    }

    /// The name of the packets' kind, and of their channel in captures: lower-case letters.
    public let name: FieldName
    /// The device in words.
    public let title: FieldName
    /// The characteristic to which apps write.
    public let written: Endpoint
    /// The characteristic that notifies; it may be the same.
    public let notified: Endpoint
    /// The first characters of advertised names, in capitals.
    public let namePrefixes: [StaticString]
    /// `true` if bytes of other devices are rarely valid packets of this family, as when packets
    /// begin and end with markers. Then the bytes alone show the family.
    public let hasMarkers: Bool
    public let packets: [Packet]

    public init(
        _ name: FieldName, title: FieldName, written: Endpoint, notified: Endpoint,
        namePrefixes: [StaticString], hasMarkers: Bool, packets: [Packet]
    ) {
        self.name = name
        self.title = title
        self.written = written
        self.notified = notified
        self.namePrefixes = namePrefixes
        self.hasMarkers = hasMarkers
        self.packets = packets
    }

    /// The services of the family.
    public var services: [BluetoothUUID] {
        written.service == notified.service
            ? [written.service] : [written.service, notified.service]
    }

    /// Returns the type of a packet from its direction and its first byte; `nil` if it is unknown.
    public func packet(_ direction: Direction, startingWith first: UInt8?) -> Packet? {
        let known = packets.first { $0.direction == direction && $0.start == first }
        return known ?? packets.first { $0.direction == direction && $0.start == nil }
    }

    /// Returns the type of some bytes. A `nil` direction is guessed: the one in which they are a
    /// valid packet, otherwise to the device.
    package func form(of bytes: [UInt8], _ direction: Direction? = nil) -> ByteForm? {
        guard let first = bytes.first else { return nil }
        let directions = direction.map { [$0] } ?? [.toDevice, .fromDevice]
        let forms = directions.compactMap { packet($0, startingWith: first)?.form }
        return forms.first { (try? $0.check(bytes)) != nil } ?? forms.first
    }

    /// Compares the names, which no two families share.
    public static func == (left: DeviceFamily, right: DeviceFamily) -> Bool {
        left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name.description }
}
