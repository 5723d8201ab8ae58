#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
public import HaloTransport

extension BlueZTransport {
    /// Connects to a device that was seen, or whose address is known.
    ///
    /// A device that the daemon does not know is looked for as long as the attempt goes on. One
    /// that this computer is connected to already is taken over, unless
    /// ``BlueZOptions/adoptsConnected`` forbids it; a second link through this transport is
    /// refused. When the attempt is cancelled, what the daemon has begun is ended.
    public func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> Registration {
        openLink(to: identity, receiver: LinkReceiver(events), completion: completion)
    }
}

extension BlueZTransport: BatchingTransport {
    package func openLink(
        to identity: PeripheralIdentity, receiver: LinkReceiver,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> Registration {
        let shell = LinkShell(
            receiver: receiver,
            makeDriver: { [hub] number in BlueZLink(number, to: identity, hub) },
            openSocket: { [weak hub] offer in hub?.openSocket(offer) },
            setAgent: { [weak hub] in hub?.setAgent($0) },
            update: { [weak hub] change in hub?.update(change) })
        let number = hub.update { session in
            session.openLink(
                to: identity.rawValue.uppercased(), shell, completion: completion)
        }
        return Registration { [hub] in hub.update { $0.cancelLink(number) } }
    }
}
#endif
