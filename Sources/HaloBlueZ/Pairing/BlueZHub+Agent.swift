#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The object on the bus that answers when a device is paired with.
///
/// This computer can neither show nor ask anything, so it says yes to what needs neither, and
/// only for devices that it has a link to; to all the rest it says no.
extension BlueZHub {
    /// Puts the object on the bus, or takes it away.
    func setAgent(_ isThere: Bool) {
        guard let bus = connection(), let path = BlueZSession.agentPath else { return }
        guard isThere else {
            bus.unexport(path)
            return
        }
        // If the daemon alone was started again, the object is there still.
        try? bus.export(DBusObject([Agent1.interface]), at: path) { [weak self] request in
            guard let self else { return request.refuse(.agentRejects) }
            let isOurs = read { $0.isOurs(request.arguments.first?.objectPath) }
            Self.answer(request, isOurs: isOurs)
        }
    }

    /// The agent's answer.
    static func answer(_ request: DBusRequest, isOurs: Bool) {
        if Agent1.accepts(request.member, isOurs: isOurs) {
            request.reply()
        } else {
            request.refuse(.agentRejects)
        }
    }
}

extension Agent1 {
    /// Whether an agent that can neither show nor ask anything says yes.
    static func accepts(_ member: String, isOurs: Bool) -> Bool {
        switch member {
        case release, cancel: true
        case requestAuthorization, authorizeService: isOurs
        default: false
        }
    }
}

extension DBusRefusal {
    fileprivate static let agentRejects = DBusRefusal(BlueZErrorName.rejected, "Rejected")
}
#endif
