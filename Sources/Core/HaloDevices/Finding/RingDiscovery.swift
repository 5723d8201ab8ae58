public import HaloProtocol
public import HaloTransport

/// A device nearby that looks like a ring; only connecting proves it.
public struct RingDiscovery: Hashable, Sendable, Identifiable, CustomStringConvertible {
    /// The advertisement as the transport reports it.
    public let discovery: Discovery
    /// The clues that it is a ring, and the confidence that follows from them.
    public let recognition: RingRecognition

    /// Creates the discovery of a ring; `nil` for a device that looks like another kind, or accepts
    /// no connections.
    public init?(_ discovery: Discovery) {
        recognition = discovery.recognition
        guard discovery.isConnectable != false, recognition.classification == .ring else {
            return nil
        }
        self.discovery = discovery
    }

    /// The identity, for ``Ring/connect(to:over:options:)-(PeripheralIdentity,_,_)``.
    public var identity: PeripheralIdentity { discovery.identity }

    /// The identity, the same for all discoveries of one device.
    public var id: PeripheralIdentity { discovery.identity }

    /// The name that the device advertises, or that the system remembers.
    public var name: String? { discovery.name }

    /// The signal strength in dBm, where the backend reports it.
    public var rssi: Int? { discovery.rssi }

    /// The confidence that it is a ring.
    public var confidence: RingRecognition.Confidence { recognition.confidence }

    /// A guess of the model: the name without the end of the address, `R02` of `R02_341C`.
    ///
    /// Vendors sell the same ring under many names.
    public var model: String? {
        guard let name else { return nil }
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard let end = parts.last, parts.count > 1, end.count == 4,
            end.allSatisfy(\.isHexDigit)
        else { return name }
        return parts.dropLast().joined(separator: "_")
    }

    /// The name, the identity and the signal strength, made safe for a terminal.
    public var description: String { discovery.description }
}

extension Discovery {
    /// The kind of device that the advertisement and the scan response suggest, with the confidence
    /// and the clues. Only connecting proves it.
    public var recognition: RingRecognition {
        var device = AdvertisedDevice(
            name: name.map { AdvertisedName($0) }, services: services,
            companies: manufacturerData.map(\.company))
        if let advertisement {
            let sent = AdvertisedDevice(advertisement)
            // One of the two names may be shortened.
            if let name = sent.name, name.bytes.count > device.name?.bytes.count ?? 0 {
                device.name = name
            }
            device.services += sent.services
            device.companies += sent.companies
        }
        return device.recognition
    }
}
