#if os(Linux)
internal import HaloTransport

extension DBusConnection {
    /// Exports an object at a free path.
    ///
    /// Reads of properties are answered from the stored values; the handler is called for method
    /// calls and property writes. Object managers at paths above signal the new object.
    package func export(
        _ object: DBusObject, at path: DBusObjectPath,
        handler: @escaping @Sendable (DBusRequest) -> Void = { _ in }
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.export(object, at: path)
            state.objects[path] = handler
        }
    }

    /// Removes an exported object; `false` if there was none.
    @discardableResult
    package func unexport(_ path: DBusObjectPath) -> Bool {
        let object = hub.update { state in
            state.session.unexport(path)
            return state.objects.removeValue(forKey: path)
        }
        return object != nil
    }

    /// Sets the style of error replies to calls that no object answers.
    package func setErrorStyle(_ style: some DBusErrorStyle) {
        hub.update { $0.session.objects.errorStyle = style }
    }

    /// Sets values of an exported object's properties, or removes them by `nil`. One
    /// `PropertiesChanged` signals all of them, unless `emitsChange` is `false`.
    package func set(
        _ values: [String: DBusValue?], of interface: String, at path: DBusObjectPath,
        emitsChange: Bool = true
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.set(values, of: interface, at: path, emitsChange: emitsChange)
        }
    }

    /// Returns the value of an exported object's property.
    package func value(
        of name: String, of interface: String, at path: DBusObjectPath
    ) -> DBusValue? {
        hub.read { $0.session.objects.objects[path]?.values[interface]?[name] }
    }

    /// Adds an interface to an exported object; object managers above signal it. Its requests are
    /// passed to the object's handler.
    package func add(
        _ interface: DBusInterface, values: [String: DBusValue] = [:], to path: DBusObjectPath
    ) throws(DBusError) {
        try hub.update { state throws(DBusError) in
            try state.session.add(interface, values, to: path)
        }
    }

    /// Removes an interface from an exported object; object managers above signal it. Returns
    /// `false` if there was none.
    @discardableResult
    package func remove(
        _ interface: String, from path: DBusObjectPath
    ) throws(DBusError) -> Bool {
        try hub.update { state throws(DBusError) in
            try state.session.remove(interface, from: path)
        }
    }
}

/// A request to an exported object, to be answered once: at once or later, from any thread.
///
/// A request that is released without a reply is answered with ``DBusErrorName/noReply``.
package final class DBusRequest: Sendable {
    /// The operation of a request: a method call or a property write.
    package enum Subject: Hashable, Sendable {
        /// A call of ``DBusRequest/member``.
        case method
        /// A write of a property; ``DBusRequest/accept()`` sets the value.
        case property(String, DBusValue)
    }

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

    /// The requested operation.
    package var subject: Subject {
        switch request.subject {
        case .method: .method
        case .property(let name, let value): .property(name, value)
        }
    }

    /// The path of the object.
    package var path: DBusObjectPath { request.path }

    /// The interface of the method or the property.
    package var interface: String { request.interface }

    /// The name of the method; `Set` for a property.
    package var member: String { request.member }

    /// The arguments, which have the types in the method's description.
    package var arguments: [DBusValue] { request.arguments }

    /// The unique name of the caller.
    package var sender: String? { request.sender }

    /// The descriptors that came with the arguments.
    package var descriptors: DBusDescriptors { request.descriptors }

    /// Replies with results, which have to be of the types that the method returns.
    package func reply(_ values: [DBusValue] = [], descriptors: DBusDescriptors? = nil) {
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

    /// Replies with an error.
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
