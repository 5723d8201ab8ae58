#if os(Linux)
internal import Synchronization

/// What somebody on the bus asks of an exported object, to be answered once: at once or later,
/// from any thread.
///
/// If nobody holds it any more and it was not answered, it is refused.
public final class DBusRequest: Sendable {
    /// What is asked.
    public enum Subject: Hashable, Sendable {
        /// A method is called.
        case method
        /// A property is to have another value; ``accept()`` gives it this value.
        case property(String, DBusValue)
    }

    private let request: DBusObjectRequest
    private let hub: DBusHub
    private let isAnswered = Atomic(false)

    init(_ request: DBusObjectRequest, _ hub: DBusHub) {
        self.request = request
        self.hub = hub
    }

    deinit { refuse(.noReply) }

    /// What is asked.
    public var subject: Subject {
        switch request.subject {
        case .method: .method
        case .property(let name, let value): .property(name, value)
        }
    }

    /// The object.
    public var path: DBusObjectPath { request.path }

    /// The interface that the method or the property belongs to.
    public var interface: String { request.interface }

    /// The method; `Set` for a property.
    public var member: String { request.member }

    /// The values, which are of the types that the method takes.
    public var arguments: [DBusValue] { request.arguments }

    /// Who asks, by the name that the bus gave.
    public var sender: String? { request.sender }

    /// The descriptors that came with the values.
    public var descriptors: DBusDescriptors { request.descriptors }

    /// Answers with values, which have to be of the types that the method gives.
    public func reply(_ values: [DBusValue] = [], descriptors: DBusDescriptors? = nil) {
        guard take() else { return }
        hub.update { $0.session.answer(request.id, values, descriptors) }
    }

    /// Lets a property have the value, and tells of it.
    public func accept() { reply() }

    /// Says yes to another value of a property, and leaves its value and the telling of it to
    /// ``DBusConnection/set(_:of:at:announces:)``: for those who change more at the same time.
    public func acknowledge() {
        guard take() else { return }
        hub.update { $0.session.acknowledge(request.id) }
    }

    /// Answers with an error.
    public func refuse(_ refusal: DBusRefusal) {
        guard take() else { return }
        hub.update { $0.session.refuse(request.id, refusal) }
    }

    private func take() -> Bool {
        isAnswered.compareExchange(
            expected: false, desired: true, ordering: .acquiringAndReleasing
        ).exchanged
    }
}
#endif
