#if os(Linux)
internal import HaloDBus
public import HaloTransport

/// The driver of a link; its state is in the session.
final class BlueZLink: LinkDriver {
    let identity: PeripheralIdentity
    private let number: LinkNumber
    private let hub: BlueZHub

    init(_ number: LinkNumber, to identity: PeripheralIdentity, _ hub: BlueZHub) {
        self.number = number
        self.identity = identity
        self.hub = hub
    }

    func discoverServices(_ completion: @escaping LinkTable.Completion<[GATTService]>) {
        hub.update { $0.discoverServices(on: number, completion) }
    }

    func read(
        _ attribute: AttributeID, _ completion: @escaping LinkTable.Completion<[UInt8]>
    ) { hub.update { $0.submit(.read, for: attribute, on: number, completion) } }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping LinkTable.Completion<Void>
    ) { submit(.write(value, mode), for: attribute, completion) }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping LinkTable.Completion<Void>
    ) { submit(.notify(isOn), for: attribute, completion) }

    /// The maximum length of an attribute's value, in bytes. With response, the daemon splits a
    /// longer value than a packet holds, so that every link carries it.
    static let longestValue = 512

    /// Returns the maximum length of one write, in bytes. After the session has ended the link,
    /// until the app is notified, every length is allowed, and a write fails with the link's end.
    func maximumWriteLength(for mode: WriteMode) -> Int {
        switch mode {
        case .withResponse: Self.longestValue
        case .withoutResponse:
            hub.read { $0.links.entries[number]?.machine.link?.maximumLength ?? Self.longestValue }
        }
    }

    func pair(_ completion: @escaping LinkTable.Completion<Void>) {
        submit(.pair, for: nil, completion)
    }

    func disconnect() { hub.update { $0.closeLink(number) } }

    private func submit(
        _ work: LinkOperation.Work, for attribute: AttributeID?,
        _ completion: @escaping LinkTable.Completion<Void>
    ) { hub.update { $0.submit(work, for: attribute, on: number) { completion($0.map { _ in }) } } }
}

extension BlueZTransport {
    /// Connects to a discovered device, or to one whose address is known.
    ///
    /// A device that the daemon does not know is searched for until the attempt ends. A device to
    /// which this computer is connected already is shared, unless
    /// ``BlueZOptions/adoptsConnected`` is `false`; a second link through this transport is
    /// refused. Cancelling ends the daemon's attempt, too.
    public func openLink(
        to identity: PeripheralIdentity, events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> BLECancellable {
        let number = hub.update { session in
            session.openLink(
                to: identity.rawValue.uppercased(), events: events,
                makeDriver: { [hub] in BlueZLink($0, to: identity, hub) }, completion: completion)
        }
        return BLECancellable { [hub] in hub.update { $0.cancelLink(number) } }
    }
}
#endif
