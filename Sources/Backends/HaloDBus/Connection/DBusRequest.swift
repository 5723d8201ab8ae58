#if os(Linux)
internal import HaloTransport

/// A request to an exported object, to be answered once: at once or later, from any thread.
///
/// A request that is released without a reply is answered with ``DBusErrorName/noReply``.
package final class DBusRequest: Sendable {
    private let request: DBusObjectRequest
    private let hub: DBusHub
    private let isAnswered: InLoop<Bool>

    init(_ request: DBusObjectRequest, _ hub: DBusHub) {
        self.request = request
        self.hub = hub
        isAnswered = InLoop(hub.loop, false)
    }

    deinit {
        hub.loop.later { [request, hub, isAnswered] in
            guard !isAnswered.run({ $0 }) else { return }
            hub.update { $0.session.refuse(request.id, .noReply) }
        }
    }

    /// A call of ``member``, or a write, for which ``accept()`` sets the value.
    package var subject: DBusObjectRequest.Subject { request.subject }

    package var path: DBusObjectPath { request.path }

    package var interface: String { request.interface }

    /// The name of the method; `Set` for a property.
    package var member: String { request.member }

    package var arguments: [DBusValue] { request.arguments }

    package var sender: String? { request.sender }

    package func reply(_ values: [DBusValue] = []) { reply(values, nil) }

    /// Replies with results, of which ``DBusValue/unixFD(_:)`` 0 is the descriptor.
    package func reply(_ values: [DBusValue], passing descriptor: consuming DBusDescriptor) {
        reply(values, DBusDescriptors(owning: [descriptor.release()]))
    }

    private func reply(_ values: [DBusValue], _ descriptors: DBusDescriptors?) {
        guard markAnswered() else { return }
        hub.update { $0.session.reply(request.id, values, descriptors) }
    }

    /// Sets the property to the value, replies, and signals the change.
    package func accept() { reply() }

    /// Replies to the write of a property, and leaves its value and the signal to
    /// ``DBusConnection/set(_:of:at:emitsChange:)``, which can change several at a time.
    package func acknowledge() {
        guard markAnswered() else { return }
        hub.update { $0.session.acknowledge(request.id) }
    }

    package func refuse(_ refusal: DBusRefusal) {
        guard markAnswered() else { return }
        hub.update { $0.session.refuse(request.id, refusal) }
    }

    private func markAnswered() -> Bool {
        isAnswered.run { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
    }
}
#endif
