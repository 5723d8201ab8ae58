#if os(Linux)
internal import HaloDBus
internal import HaloTransport

extension BlueZHub {
    /// Makes a socket of what the daemon gave, and tells the session of what comes through it.
    func openSocket(_ offer: LinkSocketOffer) {
        guard let bus = connection(), let descriptor = offer.descriptors.take(offer.place) else {
            return update { $0.socketMade(nil, offer.number, on: offer.link) }
        }
        let socket = DBusPacketSocket(
            batching: descriptor, on: bus,
            receive: { [weak self] values in
                self?.update { $0.socketReceived(values, offer.number, on: offer.link) }
            },
            ended: { [weak self] in
                self?.update { $0.socketEnded(offer.number, on: offer.link) }
            })
        update { $0.socketMade(socket, offer.number, on: offer.link) }
    }
}

extension DBusPacketSocket: LinkSocket {}
#endif
