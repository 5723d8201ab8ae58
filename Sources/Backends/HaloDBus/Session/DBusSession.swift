#if os(Linux)
internal import HaloTransport

/// A connection to a bus, without its socket: bytes and time in, effects and bytes out.
///
/// Rules:
/// - The authentication comes first, then `Hello`; its reply is the unique name. Calls made
///   meanwhile are sent after it, in order.
/// - Each call ends exactly once: by its reply, an error reply, its deadline, its cancellation, or
///   the end of the connection. A later reply is dropped.
/// - Every wait has a deadline. ``deadline`` is not later than the earliest one; if it is earlier,
///   ``tick(at:)`` does nothing.
/// - Signals and foreign calls become effects in the order of their arrival. A signal goes to all
///   subscriptions that match, no matter for which rule the bus delivered it.
/// - The bus gets one `AddMatch` for all rules of one text, with the first subscription, and one
///   `RemoveMatch`, with the end of the last. If it refuses the rule, all of its subscriptions end
///   with that error.
/// - The owner of a well-known name is looked up before the rule with that name is added, and is
///   known before the first signal that matches.
/// - Bytes that cannot be decoded end the connection: the start of the next message is unknown.
/// - Everything has a maximum: pending calls, subscriptions, unanswered requests, undrained
///   effects, unsent bytes. Beyond it, a call throws ``DBusError/Kind/limitExceeded``, and an event
///   that cannot be refused ends the connection with that error.
/// - Backpressure: while too many bytes are unsent, nothing more is received. So calls of others
///   wait until their replies have room.
/// - The end is the last effect.
struct DBusSession: Sendable {
    struct Limits: Sendable {
        var pendingCalls = 16384
        var subscriptions = 4096
        var requests = 4096
        var effects = 1 << 16
        /// The maximum of unsent bytes; one more message of any length is accepted.
        var outgoingBytes = 1 << 26
        /// The unsent bytes beyond which nothing more is received, if they are less: a caller's
        /// reply comes after them.
        var bytesWhileReceiving = 1 << 26
        /// The maximum of unsent bytes of replies to requests, in addition.
        var answerBytes = 1 << 26
    }

    enum Effect: Sendable {
        case ready
        indirect case completed(UInt32, Result<DBusReply, DBusError>)
        /// The bus has added the rule of a subscription, or refused it.
        case subscribed(UInt32, DBusError?)
        indirect case signal(DBusSignal, [UInt32])
        case values(DBusPropertyValues, [UInt32])
        indirect case request(DBusObjectRequest)
        case ended(DBusError)
    }

    enum Phase: Sendable {
        case authenticating(DBusAuthentication)
        case authenticated
        case ended(DBusError)
    }

    var limits: Limits
    /// The required identifier of the bus; `nil` accepts any.
    var expectedBusID: String?
    private(set) var phase: Phase
    private(set) var uniqueName: String?
    private(set) var busID: String?
    private(set) var passesDescriptors = false
    private var effects = Queue<Effect>()
    /// The number of queued effects; each value of a property counts.
    private var effectCount = 0
    private var handshake: [UInt8] = []
    private(set) var outgoing = DBusSendQueue()
    var lastSerial: UInt32 = 0
    var calls = DBusPendingCalls()
    var matching = DBusMatching()
    var objects = DBusObjectTree()

    /// Starts a session; authentication and `Hello` have to succeed before `deadline`.
    init(
        _ authentication: DBusAuthentication, limits: Limits = Limits(), until deadline: Int64
    ) {
        self.limits = limits
        handshake = authentication.start()
        phase = .authenticating(authentication)
        let hello = DBusCall.bus(DBusMessageBus.hello)
        do throws(DBusError) {
            try startCall(hello, .hello, until: deadline)
        } catch {
            end(error)
        }
    }

    var endError: DBusError? {
        if case .ended(let error) = phase { error } else { nil }
    }

    /// The time at which ``tick(at:)`` is due.
    var deadline: Int64? { calls.deadline }

    // MARK: In

    /// Receives the bytes of the authentication. Returns the offset of the first message when the
    /// authentication is complete, and `nil` before.
    mutating func authenticate(_ bytes: Span<UInt8>) -> Int? {
        var start = 0
        while start < bytes.count, case .authenticating(var authentication) = phase {
            do throws(DBusAuthenticationError) {
                handshake += try authentication.receive(bytes[start])
                phase = .authenticating(authentication)
                if authentication.isDone { endAuthentication(authentication) }
            } catch {
                end(DBusError(.notAuthenticated, details: error.description))
            }
            start += 1
        }
        if case .authenticating = phase { return nil }
        return start
    }

    mutating func receive(_ item: DBusInput.Item) {
        guard endError == nil else { return }
        switch item {
        case .values(let values, let slot): receive(values, slot)
        case .message(let message, let descriptors): receive(message, descriptors)
        case .malformed(let error): end(DBusError(.malformed, wire: error))
        }
    }

    /// `false` while messages have to wait, because too many bytes are unsent.
    var canReceive: Bool {
        switch phase {
        case .authenticating: true
        case .authenticated:
            hasRoomForBytes && outgoing.byteCount <= limits.bytesWhileReceiving
        case .ended: false
        }
    }

    mutating func receiveEnd(_ reason: String? = nil, isInsideMessage: Bool = false) {
        var words = reason ?? "the bus has closed it"
        if isInsideMessage { words += ", in the middle of a message" }
        end(DBusError(.disconnected, details: words))
    }

    mutating func tick(at now: Int64) {
        // The failure of `Hello` ends the connection, and so comes last.
        let due = calls.removeDue(at: now)
        for isHello in [false, true] {
            for call in due where (call.purpose == .hello) == isHello {
                endCall(call, .failure(DBusError(.timedOut)))
            }
        }
    }

    mutating func end(_ error: DBusError) {
        guard endError == nil else { return }
        phase = .ended(error)
        for call in calls.removeAll() { endCall(call, .failure(error)) }
        matching = DBusMatching()
        objects.requests = [:]
        outgoing = DBusSendQueue()
        addUnbounded(.ended(error))
    }

    // MARK: Out

    mutating func nextEffect() -> Effect? {
        guard let effect = effects.popFirst() else { return nil }
        if effects.isEmpty { effectCount = 0 }
        return effect
    }

    // MARK: Inside

    mutating func add(_ effect: Effect) {
        guard hasRoom() else { return }
        addUnbounded(effect)
    }

    /// Adds an effect without regard to the maximum, for the end of a call.
    mutating func addUnbounded(_ effect: Effect) {
        effects.append(effect)
        effectCount += 1
    }

    private mutating func receive(_ values: DBusPropertyValues, _ slot: Int) {
        let subscriptions = matching.subscriptions(for: values.source, at: slot)
        guard !subscriptions.isEmpty, hasRoom() else { return }
        effects.append(.values(values, subscriptions))
        effectCount += values.values.count
    }

    /// Checks the maximum of effects; ends the connection beyond it.
    private mutating func hasRoom() -> Bool {
        guard effectCount >= limits.effects else { return true }
        end(DBusError(.limitExceeded, details: "signals and calls that are not received"))
        return false
    }

    /// Returns the next serial number: neither 0 nor that of a pending call.
    mutating func nextSerial() -> UInt32 {
        repeat { lastSerial &+= 1 } while lastSerial == 0 || calls.contains(lastSerial)
        return lastSerial
    }

    private mutating func endAuthentication(_ authentication: DBusAuthentication) {
        busID = authentication.busID
        passesDescriptors = authentication.passesDescriptors
        phase = .authenticated
        guard expectedBusID == nil || expectedBusID == busID else {
            return end(DBusError(.notAuthenticated, details: "it is another bus"))
        }
    }

    // MARK: Calls

    /// Calls a method; ``Effect/completed(_:_:)`` with the returned serial number follows once.
    mutating func call(
        _ call: DBusCall, until deadline: Int64
    ) throws(DBusError) -> UInt32 {
        try checkRoom()
        return try startCall(call, .user, until: deadline)
    }

    mutating func cancel(_ serial: UInt32) {
        guard let call = calls.remove(serial) else { return }
        endCall(call, .failure(DBusError(.cancelled)))
    }

    mutating func emit(_ signal: DBusSignal) throws(DBusError) {
        try checkRoom()
        try enqueueSignal(signal)
    }

    mutating func enqueueSignal(_ signal: DBusSignal) throws(DBusError) {
        let kind = DBusMessage.Kind.signal(
            path: signal.path, interface: signal.interface, member: signal.member)
        try enqueue(DBusMessage(kind, serial: nextSerial(), body: signal.values))
    }

    @discardableResult
    mutating func startCall(
        _ call: DBusCall, _ purpose: DBusPendingCalls.Purpose, until deadline: Int64
    ) throws(DBusError) -> UInt32 {
        if let endError { throw endError }
        guard calls.count < limits.pendingCalls else {
            throw DBusError(.limitExceeded, details: "calls that are not answered")
        }
        let serial = nextSerial()
        try enqueue(call.message(serial: serial))
        calls.add(DBusPendingCalls.Call(serial: serial, purpose: purpose, deadline: deadline))
        return serial
    }

    mutating func receive(_ message: DBusMessage, _ descriptors: DBusDescriptors?) {
        switch message.kind {
        case .reply(let serial):
            guard let call = calls.remove(serial) else { return }
            let reply = DBusReply(
                message.body, sender: message.sender,
                descriptors: descriptors ?? DBusDescriptors())
            endCall(call, .success(reply))
        case .error(let name, let serial):
            guard let call = calls.remove(serial) else { return }
            var details: String?
            if case .string(let text)? = message.body.first { details = text }
            endCall(call, .failure(DBusError(.remote, name: name, details: details)))
        case .signal(let path, let interface, let member):
            receive(
                DBusSignal(
                    member, of: interface, at: path, message.body, sender: message.sender))
        case .call:
            receiveCall(message)
        }
    }

    mutating func endCall(
        _ call: DBusPendingCalls.Call, _ result: Result<DBusReply, DBusError>
    ) {
        switch call.purpose {
        case .user:
            addUnbounded(.completed(call.serial, result))
        case .hello:
            switch result {
            case .success(let reply):
                guard let name = reply.values.first?.string, DBusName.isBusName(name) else {
                    return end(DBusError(.unexpectedReply, details: "Hello without a name"))
                }
                uniqueName = name
                add(.ready)
            case .failure(let error):
                end(error)
            }
        case .match(let text):
            settleMatch(text, call.serial, result.failure)
        case .owner(let name):
            // The bus replies with an error if the name has no owner.
            let reply = try? result.get()
            matching.setOwner(of: name, reply?.values.first?.string, askedBy: call.serial)
        }
    }

    private mutating func receive(_ signal: DBusSignal) {
        if signal.sender == DBusName.bus, signal.member == DBusMessageBus.nameOwnerChanged,
            case .string(let name)? = signal.values.first,
            case .string(let owner)? = signal.values.last, signal.values.count == 3
        {
            matching.setOwner(of: name, owner.isEmpty ? nil : owner, askedBy: nil)
        }
        let subscriptions = matching.subscriptions(for: signal)
        if !subscriptions.isEmpty { add(.signal(signal, subscriptions)) }
    }

    // MARK: Output

    /// `true` if bytes can be sent now.
    var hasOutput: Bool {
        switch phase {
        case .authenticating: !handshake.isEmpty
        case .authenticated: !handshake.isEmpty || !outgoing.isEmpty
        case .ended: false
        }
    }

    /// Sends until all is sent, or `write` returns `nil` instead of the number of accepted bytes.
    mutating func send(_ write: (UnsafeRawBufferPointer, DBusDescriptors?) -> Int?) {
        while hasOutput {
            if !handshake.isEmpty {
                guard let count = handshake.withUnsafeBytes({ write($0, nil) }) else { return }
                handshake.removeFirst(count)
                continue
            }
            return outgoing.send(write)
        }
    }

    /// Throws if the connection has ended, or too many bytes are unsent.
    func checkRoom() throws(DBusError) {
        if let endError { throw endError }
        guard hasRoomForBytes else {
            throw DBusError(.limitExceeded, details: "bytes that are not sent")
        }
    }

    private var hasRoomForBytes: Bool { outgoing.byteCount <= limits.outgoingBytes }

    mutating func enqueue(
        _ message: DBusMessage, _ descriptors: DBusDescriptors? = nil
    ) throws(DBusError) {
        if let endError { throw endError }
        var message = message
        guard descriptors == nil || passesDescriptors else { throw DBusError(.noDescriptors) }
        message.descriptorCount = UInt32(truncatingIfNeeded: descriptors?.count ?? 0)
        let bytes: [UInt8]
        do throws(DBusWireError) {
            bytes = try message.encoded()
        } catch {
            throw DBusError(.malformed, wire: error)
        }
        outgoing.append(bytes, descriptors)
        guard outgoing.byteCount <= limits.outgoingBytes + limits.answerBytes else {
            let error = DBusError(.limitExceeded, details: "bytes that are not sent")
            end(error)
            throw error
        }
    }

    mutating func export(
        _ object: DBusObject, at path: DBusObjectPath
    ) throws(DBusError) {
        try checkRoom()
        guard objects.objects[path] == nil else {
            throw DBusError(.unreachable, details: "there is an object at \(path) already")
        }
        // An object whose signal cannot be sent is not exported.
        try signalManagers(of: path, DBusObjectManager.interfacesAdded) { object.description($0) }
        objects.objects[path] = object
    }

    /// Removes an object; object managers above signal it. Returns `false` if there was none.
    @discardableResult
    mutating func unexport(_ path: DBusObjectPath) -> Bool {
        guard let object = objects.objects.removeValue(forKey: path) else { return false }
        for (id, request) in objects.requests.sortedByKey where request.path == path {
            refuse(id, .unknownObject(path))
        }
        try? signalManagers(of: path, DBusObjectManager.interfacesRemoved) {
            .strings(object.interfaceNames($0))
        }
        return true
    }

    /// Sets values, or removes them by `nil`; one signal announces all, if `emitsChange`.
    mutating func set(
        _ values: [String: DBusValue?], of interface: String, at path: DBusObjectPath,
        emitsChange: Bool = true
    ) throws(DBusError) {
        try checkRoom()
        guard let description = objects.objects[path]?.interface(interface) else {
            throw DBusError(.unreachable, details: "no such interface at \(path): \(interface)")
        }
        var changed: [String: DBusValue] = [:]
        var invalidated: [String] = []
        for (name, value) in values.sortedByKey {
            guard let property = description.property(name), value?.isOf(property.type) != false
            else {
                throw DBusError(.unreachable, details: "no such property: \(interface).\(name)")
            }
            if let value { changed[name] = value } else { invalidated.append(name) }
        }
        if emitsChange, !changed.isEmpty || !invalidated.isEmpty {
            try enqueueSignal(
                DBusSignal(
                    DBusProperties.propertiesChanged, of: DBusProperties.interfaceName, at: path,
                    [.string(interface), .properties(changed), .strings(invalidated)]))
        }
        for (name, value) in values {
            objects.objects[path]?.values[interface, default: [:]][name] = value
        }
    }

    /// Replies to a request, once; a written property gets its value.
    mutating func reply(
        _ id: UInt64, _ values: [DBusValue], _ descriptors: DBusDescriptors? = nil
    ) {
        guard let request = objects.requests.removeValue(forKey: id) else { return }
        switch request.subject {
        case .method(let types):
            guard values.areOf(types) else {
                return respond(to: request, .failure(.failed("The reply has other types")))
            }
            respond(to: request, .success(values), descriptors)
        case .property(let name, let value):
            respond(to: request, .success([]))
            try? set([name: value], of: request.interface, at: request.path)
        }
    }

    /// Replies with an error; a second reply is ignored.
    mutating func refuse(_ id: UInt64, _ refusal: DBusRefusal) {
        guard let request = objects.requests.removeValue(forKey: id) else { return }
        respond(to: request, .failure(refusal))
    }

    mutating func receiveCall(_ message: DBusMessage) {
        guard case .call(let path, let interface, let member) = message.kind else { return }
        var request = DBusObjectRequest(
            path: path, interface: interface ?? "", member: member, arguments: message.body,
            sender: message.sender, serial: message.serial,
            wantsReply: !message.flags.contains(.noReplyExpected))
        switch objects.answer(member, of: interface, at: path, message.body) {
        case .reply(let values): respond(to: request, .success(values))
        case .refuse(let refusal): respond(to: request, .failure(refusal))
        case .request(let subject, let interface):
            guard objects.requests.count < limits.requests else {
                return respond(to: request, .failure(.limitExceeded))
            }
            (request.subject, request.interface) = (subject, interface.name)
            add(.request(objects.add(request)))
        }
    }

    mutating func respond(
        to request: DBusObjectRequest, _ result: Result<[DBusValue], DBusRefusal>,
        _ descriptors: DBusDescriptors? = nil
    ) {
        guard request.wantsReply else { return }
        var message: DBusMessage
        switch result {
        case .success(let values):
            message = DBusMessage(.reply(to: request.serial), serial: nextSerial(), body: values)
        case .failure(let refusal):
            message = DBusMessage(
                .error(name: refusal.name, to: request.serial), serial: nextSerial(),
                body: refusal.details.isEmpty ? [] : [.string(refusal.details)])
        }
        message.flags = .noReplyExpected
        message.destination = request.sender
        do throws(DBusError) {
            try enqueue(message, descriptors)
        } catch {
            // Results that cannot be encoded become an error reply.
            guard case .success = result else { return }
            respond(to: request, .failure(.failed(error.description)))
        }
    }

    mutating func add(
        _ interface: DBusInterface, _ values: [String: DBusValue], to path: DBusObjectPath
    ) throws(DBusError) {
        try checkRoom()
        guard var object = objects.objects[path], object.interface(interface.name) == nil else {
            throw DBusError(.unreachable, details: "no room for \(interface.name) at \(path)")
        }
        object.interfaces.append(interface)
        object.values[interface.name] = values
        let described = (name: interface.name, values: DBusValue.properties(values))
        try signalManagers(of: path, DBusObjectManager.interfacesAdded) { _ in
            DBusInterface.dictionary([described])
        }
        objects.objects[path] = object
    }

    /// Removes an interface; object managers above signal it. Returns `false` if there was none.
    mutating func remove(
        _ interface: String, from path: DBusObjectPath
    ) throws(DBusError) -> Bool {
        guard var object = objects.objects[path], object.interface(interface) != nil else {
            return false
        }
        object.interfaces.removeAll { $0.name == interface }
        object.values[interface] = nil
        objects.objects[path] = object
        try signalManagers(of: path, DBusObjectManager.interfacesRemoved) { _ in
            .strings([interface])
        }
        return true
    }

    /// Replies to the write of a property, and does not change the value.
    mutating func acknowledge(_ id: UInt64) {
        guard let request = objects.requests.removeValue(forKey: id) else { return }
        respond(to: request, .success([]))
    }

    private mutating func signalManagers(
        of path: DBusObjectPath, _ member: String,
        _ content: (DBusObject.ObjectManagement) -> DBusValue
    ) throws(DBusError) {
        for (manager, management) in objects.managers(of: path) {
            try enqueueSignal(
                DBusSignal(
                    member, of: DBusObjectManager.interfaceName, at: manager,
                    [.objectPath(path), content(management)]))
        }
    }
}

struct DBusPendingCalls: Sendable {
    enum Purpose: Hashable, Sendable {
        case user
        case hello
        /// `AddMatch` of a rule.
        case match(String)
        /// `GetNameOwner` of a name.
        case owner(String)
    }

    struct Call: Sendable {
        let serial: UInt32
        let purpose: Purpose
        let deadline: Int64
    }

    private var calls: [UInt32: Call] = [:]
    /// A lower bound of all deadlines.
    private var earliest = Int64.max

    var count: Int { calls.count }
    var isEmpty: Bool { calls.isEmpty }

    var deadline: Int64? { calls.isEmpty ? nil : earliest }

    func contains(_ serial: UInt32) -> Bool { calls[serial] != nil }

    mutating func add(_ call: Call) {
        earliest = calls.isEmpty ? call.deadline : min(earliest, call.deadline)
        calls[call.serial] = call
    }

    mutating func remove(_ serial: UInt32) -> Call? { calls.removeValue(forKey: serial) }

    /// Removes the calls whose deadline has passed, the earliest first.
    mutating func removeDue(at now: Int64) -> [Call] {
        guard earliest <= now else { return [] }
        let due = calls.values.filter { $0.deadline <= now }
            .sorted { ($0.deadline, $0.serial) < ($1.deadline, $1.serial) }
        for call in due { calls[call.serial] = nil }
        earliest = calls.values.map(\.deadline).min() ?? .max
        return due
    }

    /// Removes all calls, in the order in which they were made.
    mutating func removeAll() -> [Call] {
        defer { calls = [:] }
        return calls.values.sorted { $0.serial < $1.serial }
    }
}
#endif
