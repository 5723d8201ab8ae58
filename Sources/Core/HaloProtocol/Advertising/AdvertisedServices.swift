/// The services of one structure, all of the same size.
public enum AdvertisedServices: Hashable, Sendable {
    case short([UInt16])
    case medium([UInt32])
    case long([BluetoothUUID])

    /// The UUIDs of the services.
    public var uuids: [BluetoothUUID] {
        switch self {
        case .short(let numbers): numbers.map { BluetoothUUID(UInt32($0)) }
        case .medium(let numbers): numbers.map { BluetoothUUID($0) }
        case .long(let uuids): uuids
        }
    }

    var bytesPerService: Int {
        switch self {
        case .short: 2
        case .medium: 4
        case .long: 16
        }
    }

    init<IO: ByteIO & ~Escapable>(
        _ io: inout IO, _ services: Self?, _ kind: AdvertisingKind, length: Int
    ) throws(PacketError) {
        var short: [UInt16] = []
        var medium: [UInt32] = []
        var long: [BluetoothUUID] = []
        let uuids = services?.uuids
        let bytesPerService = kind.facts.element
        for index in 0..<length / bytesPerService {
            io.enter("services", index)
            let uuid = uuids?[index]
            switch bytesPerService {
            case 2: short.append(try io.shortUUID("uuid", uuid?.short16, .open))
            case 4: medium.append(try io.mediumUUID("uuid", uuid?.short32, .open))
            default: long.append(try io.longUUID("uuid", uuid, .open))
            }
            io.leave()
        }
        switch bytesPerService {
        case 2: self = .short(short)
        case 4: self = .medium(medium)
        default: self = .long(long)
        }
    }
}
