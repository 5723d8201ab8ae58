import HaloProtocol
import HaloTransport

/// How things stand on a connection: what has to be said before a part of a recording for the
/// part to be understood.
struct LinkConditions {
    private var isConnected = false
    private var mtu: UInt16?
    private var offers: [CaptureEvent] = []
    private var subscribed: [CaptureChannel] = []

    /// A device has far fewer characteristics.
    private static let offerLimit = 2_048

    /// Takes in what happened.
    mutating func apply(_ line: RecordedLine) {
        guard case .event(let event) = line else { return }
        switch event {
        case .connected(let mtu):
            self = LinkConditions()
            isConnected = true
            self.mtu = mtu
        case .mtu(let mtu): self.mtu = mtu
        case .offers:
            if offers.count < Self.offerLimit { offers.append(event) }
        case .servicesChanged: offers = []
        case .subscribed(let channel):
            if !subscribed.contains(channel) { subscribed.append(channel) }
        case .unsubscribed(let channel): subscribed.removeAll { $0 == channel }
        case .disconnected: self = LinkConditions()
        case .read, .acknowledged, .refused, .confirmed, .encrypted, .advertised: break
        }
    }

    /// The events that lead there.
    var events: [CaptureEvent] {
        guard isConnected else { return [] }
        return [.connected(mtu: mtu)] + offers + subscribed.map { .subscribed($0) }
    }
}
