import HaloCapture
import HaloProtocol
import HaloTransport

/// The characteristics that each connection will use. They are collected from the whole capture
/// before the export, so that a device is discovered completely on connecting.
struct ExportForesight: Sendable {
    /// The part of a connection between changes of the services, from its beginning to its end.
    struct Part: Sendable {
        var offers: [Offer] = []
        var uses: [Offer] = []
        /// The length of the longest value in one packet.
        var longestValue = 0
        /// `true` if the capture has the maximum transfer unit.
        var namesMTU = false

        private var indices: [BluetoothUUID: Int] = [:]

        /// The offers, then the characteristics used without an offer, grouped by service.
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
            if let index = indices[uuid] {
                uses[index].properties.formUnion(properties)
            } else if uses.count < ExportForesight.longestPart {
                indices[uuid] = uses.count
                uses.append(Offer(using: uuid, properties))
            }
        }
    }

    /// The maximum number of offers, and of uses, of a part. Further characteristics are discovered
    /// at their first use.
    static let longestPart = 4096
    private static let maximumPartCount = 4096
    /// The maximum number of offers and uses of all parts.
    private static let maximumCount = 1 << 16

    private var count = 0
    private var parts: [Part] = []
    private var nextPart = 0
    private var isConnected = false
    /// `true` if the capture has the response to a write, or a refusal.
    private var hasResponse = false
    /// The types of descriptors that are used, by characteristic.
    private(set) var descriptors: [BluetoothUUID: [BluetoothUUID]] = [:]
    private var described: Set<CaptureChannel> = []
    private var changes = SubscriptionChanges()
    /// The number of changes of subscriptions that were put.
    private var changeCount = 0

    mutating func note(_ step: ExportStep) {
        if case .event(.connected) = step { isConnected = false }
        if !isConnected { addPart() }
        isConnected = true
        if case .descriptor(let type, of: let uuid)? = step.channel,
            described.count < Self.longestPart,
            described.insert(.descriptor(type, of: uuid)).inserted
        {
            descriptors[uuid, default: []].append(type)
        }
        changes.note(step)
        let last = parts.count - 1
        if let (uuid, properties) = step.use, count < Self.maximumCount {
            count -= parts[last].uses.count
            parts[last].note(uuid, properties)
            count += parts[last].uses.count
        }
        switch step {
        case .event(.connected(let mtu)):
            parts[last].namesMTU = mtu != nil
        case .event(.mtu):
            parts[last].namesMTU = true
        case .value(.command, _, let bytes), .value(.signed, _, let bytes),
            .value(.notified, _, let bytes), .value(.indicated, _, let bytes):
            parts[last].longestValue = max(parts[last].longestValue, bytes.count)
        case .event(.servicesChanged):
            addPart()
        case .event(.disconnected):
            isConnected = false
        case .event(.acknowledged), .event(.refused):
            hasResponse = true
        case .event(let event):
            guard let offer = Offer(event), parts[last].offers.count < Self.longestPart,
                count < Self.maximumCount
            else { break }
            parts[last].offers.append(offer)
            count += 1
        default:
            break
        }
    }

    /// `true` if the capture has writes without any response, as those of a log in text: then
    /// nothing waits for one.
    var hasNoResponse: Bool { !parts.isEmpty && !hasResponse }

    /// Returns the code with which the next change of a subscription will be refused; `nil` if it
    /// will not.
    mutating func nextRefusal() -> UInt8? {
        changeCount += 1
        return changes.refusals[changeCount]
    }

    /// Returns the next part, which begins now.
    mutating func next() -> Part {
        guard nextPart < parts.count else { return Part() }
        nextPart += 1
        return parts[nextPart - 1]
    }

    /// Begins a part. Beyond the limit, steps count for the last part, and are discovered too
    /// early.
    private mutating func addPart() {
        if parts.count < Self.maximumPartCount { parts.append(Part()) }
    }
}
