/// What a device advertises, or adds when it is scanned.
///
///     structure… | 00…                 zeros at the end are padding
///
/// Anyone can advertise anything. Decoding throws at the first fault; ``init(lenient:)`` keeps
/// what is sound, and says what was not.
public struct AdvertisingData: BytePacket {
    public static var name: PacketName { PacketName("AdvertisingData") }

    /// The structures in the order of sending.
    public let structures: [AdvertisingStructure]
    /// What follows them: padding, or bytes that cannot be read because of the ``fault``.
    public let rest: [UInt8]
    /// What was wrong first, if the bytes were read leniently and something was.
    public let fault: PacketError?

    /// What an ordinary advertisement can hold.
    public static let legacyLength = 31
    /// What an extended advertisement can hold.
    public static let maximumLength = 1650

    /// An advertisement of at most 1650 bytes.
    public init(structures: [AdvertisingStructure]) throws(ValueError) {
        self.init(structures: structures, rest: [], fault: nil)
        let length = bytes.count
        guard length <= Self.maximumLength else {
            throw ValueError(
                "length", allowed: 0...Int64(Self.maximumLength), found: Int64(length))
        }
    }

    /// Structures that are known to fit.
    init(unchecked structures: [AdvertisingStructure]) {
        self.init(structures: structures, rest: [], fault: nil)
    }

    private init(structures: [AdvertisingStructure], rest: [UInt8], fault: PacketError?) {
        self.structures = structures
        self.rest = rest
        self.fault = fault
    }

    /// Whether an ordinary advertisement can hold it.
    public var fitsLegacy: Bool { bytes.count <= Self.legacyLength }

    /// The bytes of an ordinary advertisement, which holds 31.
    public func legacyBytes() throws(ValueError) -> [UInt8] {
        let bytes = bytes
        guard bytes.count <= Self.legacyLength else {
            throw ValueError(
                "length", allowed: 0...Int64(Self.legacyLength), found: Int64(bytes.count))
        }
        return bytes
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        var structures: [AdvertisingStructure] = []
        while reader.remaining > 0 && !reader.isAtPadding {
            reader.enter("structures", structures.count)
            structures.append(try AdvertisingStructure(from: &reader))
            reader.leave()
        }
        let start = reader.offset
        let rest = try reader.byteArray("padding", count: reader.remaining, role: .unclaimed)
        if let index = rest.firstIndex(where: { $0 != 0 }) {
            throw .notZero(at: start + index, found: rest[index])
        }
        self.init(structures: structures, rest: rest, fault: nil)
    }

    public func encode(into writer: inout ByteWriter) {
        for structure in structures { structure.encode(into: &writer) }
        writer.byteArray("padding", rest)
    }
}

extension AdvertisingData {
    /// Reads any bytes at all.
    ///
    /// A structure whose body cannot be of its type is kept as ``AdvertisingStructure/Content``
    /// `other`. A length that reaches beyond the end, or bytes behind the padding, end the
    /// reading. Encoding gives the same bytes again in every case.
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

    /// The flags, if there are any.
    public var flags: AdvertisingFlags? {
        for structure in structures {
            if case .flags(let flags) = structure.content { return flags }
        }
        return nil
    }

    /// The complete name, or the shortened one if that is all there is.
    public var name: AdvertisedName? {
        var shortened: AdvertisedName?
        for structure in structures {
            guard case .name(let name, let isComplete) = structure.content else { continue }
            if isComplete { return name }
            shortened = shortened ?? name
        }
        return shortened
    }

    /// All services that are listed, in the order of sending.
    public var services: [BluetoothUUID] {
        structures.flatMap { structure -> [BluetoothUUID] in
            if case .services(let services, _) = structure.content { services.uuids } else { [] }
        }
    }

    /// All services that have something to say.
    public var servicesWithData: [BluetoothUUID] {
        structures.compactMap { structure in
            switch structure.content {
            case .shortServiceData(let service, _): BluetoothUUID(UInt32(service))
            case .mediumServiceData(let service, _): BluetoothUUID(service)
            case .longServiceData(let service, _): service
            default: nil
            }
        }
    }

    /// The companies that have something to say.
    public var companies: [UInt16] {
        structures.compactMap { structure in
            if case .manufacturerData(let company, _) = structure.content { company } else { nil }
        }
    }

    /// The power that the device sends with, in dBm, if it says so.
    public var transmitPowerDecibelMilliwatts: Int8? {
        for structure in structures {
            if case .transmitPower(let power) = structure.content { return power }
        }
        return nil
    }
}

extension ByteReader {
    /// Whether the next byte is the zero that ends an advertisement.
    fileprivate var isAtPadding: Bool { remaining > 0 && bytes[offset] == 0 }
}
