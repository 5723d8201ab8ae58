/// Services in an advertisement, each with the number of bits they were sent in.
public enum AdvertisedServices: Hashable, Sendable {
    /// Services of 16 bits.
    case short([UInt16])
    /// Services of 32 bits.
    case medium([UInt32])
    /// Services of 128 bits.
    case long([BluetoothUUID])

    /// The services, whatever their size on the wire.
    public var uuids: [BluetoothUUID] {
        switch self {
        case .short(let numbers): numbers.map { BluetoothUUID(UInt32($0)) }
        case .medium(let numbers): numbers.map { BluetoothUUID($0) }
        case .long(let uuids): uuids
        }
    }

    /// How many bytes one of them has.
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
