public import HaloProtocol
public import HaloTransport

/// A device nearby that looks like a ring; only connecting proves it.
public struct RingDiscovery: Hashable, Sendable, Identifiable {
    /// The advertisement as the transport reports it.
    public let discovery: Discovery
    /// The clues that it is a ring, and the certainty that follows from them.
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

    /// The certainty that it is a ring.
    public var certainty: RingRecognition.Confidence { recognition.confidence }

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
}

extension RingDiscovery: CustomStringConvertible {
    /// The name, the identity and the signal strength, made safe for a terminal.
    public var description: String { discovery.description }
}

/// The rings nearby, as they are discovered.
///
/// The scan begins when the sequence is created, and ends when the sequence and its iterators are
/// dropped. A ring is reported again when its advertisement has something new, under the same
/// ``RingDiscovery/id``. The sequence ends as ``DeviceUpdates`` describes. It throws when scanning
/// fails: ``DeviceError/Kind/bluetoothOff``.
public struct RingScan: AsyncSequence, Sendable {
    let scan: Scan

    /// Creates an iterator that continues where the last one stopped. Two iterators share the
    /// discoveries.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(scan: scan.makeAsyncIterator())
    }

    /// The iterator of a scan.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var scan: Scan.AsyncIterator

        /// Waits for the next discovery of a ring; `nil` when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> RingDiscovery?
        {
            do throws(BLEError) {
                while let discovery = try await scan.next() {
                    if let ring = RingDiscovery(discovery) { return ring }
                }
                return nil
            } catch {
                throw DeviceError(error)
            }
        }
    }
}

@available(*, unavailable)
extension RingScan.AsyncIterator: Sendable {}

extension Discovery {
    /// The kind of device that the advertisement and the scan response suggest, with the certainty
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
