import HaloCapture
import HaloProtocol
import HaloTransport

/// What a connection will be used for: gathered from all of a capture before it is exported, so
/// that a device is discovered whole when it is connected to.
struct ExportForesight: Sendable {
    /// What there is from a connection's beginning, or from a change of the services, to its end
    /// or the next change.
    struct Part: Sendable {
        /// What the device offers according to the capture.
        var offers: [Offer] = []
        /// What is used.
        var uses: [Offer] = []
        /// The longest value in one packet.
        var longestValue = 0
        /// Whether the capture says what both sides can take in one packet.
        var namesMTU = false

        private var places: [BluetoothUUID: Int] = [:]

        /// What is offered, then what is used and not offered, service by service.
        var plan: [Offer] {
            let offered = Set(offers.map(\.characteristic))
            var services: [BluetoothUUID] = []
            var members: [BluetoothUUID: [Offer]] = [:]
            for use in uses where !offered.contains(use.characteristic) {
                let key = use.service ?? use.characteristic
                if members[key] == nil { services.append(key) }
                members[key, default: []].append(use)
            }
            return offers + services.flatMap { members[$0] ?? [] }
        }

        mutating func note(_ uuid: BluetoothUUID, _ properties: GATTProperties) {
            if let place = places[uuid] {
                uses[place].properties.formUnion(properties)
            } else if uses.count < ExportForesight.longestPart {
                places[uuid] = uses.count
                uses.append(
                    Offer(
                        service: ServiceCatalog.service(ofCharacteristic: uuid),
                        characteristic: uuid,
                        properties: properties))
            }
        }
    }

    /// What is more is found when it comes.
    static let longestPart = 4096
    private static let maximumPartCount = 4096
    /// Of all parts together.
    private static let maximumCount = 1 << 16

    private var count = 0
    private var parts: [Part] = []
    private var nextPart = 0
    private var isConnected = false

    /// Takes in a step of the connection that is to come.
    mutating func note(_ step: ExportStep) {
        if case .connected = step { isConnected = false }
        if !isConnected { begin() }
        isConnected = true
        guard !parts.isEmpty else { return }
        let last = parts.count - 1
        if let (uuid, properties) = step.use, count < Self.maximumCount {
            count -= parts[last].uses.count
            parts[last].note(uuid, properties)
            count += parts[last].uses.count
        }
        switch step {
        case .connected(let mtu):
            parts[last].namesMTU = mtu != nil
        case .mtu:
            parts[last].namesMTU = true
        case .offered(let offer):
            guard parts[last].offers.count < Self.longestPart, count < Self.maximumCount else {
                break
            }
            parts[last].offers.append(offer)
            count += 1
        case .value(.command, _, let bytes), .value(.signed, _, let bytes),
            .value(.notified, _, let bytes), .value(.indicated, _, let bytes):
            parts[last].longestValue = max(parts[last].longestValue, bytes.count)
        case .servicesChanged:
            begin()
        case .disconnected:
            isConnected = false
        default:
            break
        }
    }

    /// What is foreseen of the connection, or the services, that begin now.
    mutating func next() -> Part {
        guard nextPart < parts.count else { return Part() }
        nextPart += 1
        return parts[nextPart - 1]
    }

    /// Once there are too many parts, the rest adds to the last one, which is foreseen too early.
    private mutating func begin() {
        if parts.count < Self.maximumPartCount { parts.append(Part()) }
    }
}
