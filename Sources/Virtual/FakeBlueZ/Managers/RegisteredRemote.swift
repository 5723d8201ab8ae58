#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// All registrations on one adapter: as with the real daemon, this is one device with the adapter's
/// address.
///
/// It calls the programs as 5.66 does: reads and writes have the central's object and the MTU as
/// options, and the reply counts; a missing reply is the error 0E after five seconds. A
/// subscription always succeeds, whatever the program replies, and so does a write with response to
/// a characteristic that can be written without one. In both cases the real daemon does not even
/// wait for the program (seen). This one does, so that tests can rely on the order, unless
/// `FakeQuirks.answersForPrograms` is set.
///
/// A long write is one value for the program. A write beyond 510 bytes in one packet, or beyond 508
/// in pieces, is refused before the program gets it: the daemon counts the header, too.
final class RegisteredRemote: FakeRemote {
    typealias Key = RegisteredApplication.Key

    private struct Link {
        let link: FakeRemoteCall.Link
        /// The central's object: the daemon has one for it, too (seen on 5.66).
        let central: DBusObjectPath
        var subscriptions: Set<AttributeID> = []
        var isAnnounced = false
    }

    private struct State {
        var perform: (@Sendable (PeripheralEffect) -> Void)?
        var applications: [RegisteredApplication] = []
        var advertisements: [(key: Key, content: PeripheralAdvertisement)] = []
        var link: Link?
        var centrals: [DBusObjectPath] = []
        var lastAttribute: UInt32 = 0

        /// The maximum length of a value in one packet; 0 without a link.
        var maximumLength: Int { link?.link.maximumLength ?? 0 }

        func attribute(_ id: AttributeID) -> RegisteredApplication.Attribute? {
            applications.lazy.compactMap { $0.attributes[id] }.first
        }

        /// Returns the effect of a value; `nil` if the central has not subscribed.
        func effect(
            _ path: DBusObjectPath, _ owner: String, _ value: [UInt8]
        ) -> PeripheralEffect? {
            guard let link else { return nil }
            for application in applications where application.key.owner == owner {
                guard let id = application.characteristics[path],
                    link.subscriptions.contains(id), let attribute = application.attributes[id]
                else { continue }
                let longest = min(link.link.maximumLength, RegisteredRemote.longestValue)
                let cut = Array(value.prefix(longest))
                return attribute.properties.contains(.notify)
                    ? .notify(id, cut) : .indicate(id, cut)
            }
            return nil
        }
    }

    private let state = Locked(State())
    private let connection: DBusConnection
    let adapter: DBusObjectPath

    private static let timeout: Duration = .seconds(5)
    static let longestValue = 512
    private static let longestWrite = (atOnce: 510, inPieces: 508)

    init(on connection: DBusConnection, adapter: DBusObjectPath) {
        self.connection = connection
        self.adapter = adapter
    }

    var services: [GATTService] { state.withLock { $0.applications.flatMap(\.services) } }

    // MARK: - Registrations

    func add(_ key: Key, _ objects: [DBusEntry]) throws(DBusRefusal) {
        try state.withLock { state throws(DBusRefusal) in
            let new = try RegisteredApplication(key, objects, lastAttribute: &state.lastAttribute)
            state.applications.append(new)
        }
        perform(.servicesChanged)
    }

    func removeApplication(_ key: Key) {
        let wasThere = state.withLock { state in
            let count = state.applications.count
            state.applications.removeAll { $0.key == key }
            return state.applications.count < count
        }
        if wasThere { perform(.servicesChanged) }
    }

    func set(_ content: PeripheralAdvertisement?, _ key: Key) {
        let merged = state.withLock { state in
            let index = state.advertisements.firstIndex { $0.key == key }
            switch (index, content) {
            case (let index?, let content?): state.advertisements[index].content = content
            case (let index?, nil): state.advertisements.remove(at: index)
            case (nil, let content?): state.advertisements.append((key, content))
            case (nil, nil): break
            }
            return Self.merged(state.advertisements.map(\.content))
        }
        perform(.advertise(merged))
    }

    /// Merges advertisements, as a central does with several of one address.
    private static func merged(_ all: [PeripheralAdvertisement]) -> PeripheralAdvertisement? {
        guard let first = all.first else { return nil }
        guard all.count > 1 else { return first }
        let responses = all.flatMap { $0.scanResponse?.structures ?? [] }
        return PeripheralAdvertisement(
            (try? AdvertisingData(structures: all.flatMap(\.data.structures))) ?? first.data,
            scanResponse: try? AdvertisingData(structures: responses),
            interval: all.map(\.interval).min() ?? first.interval,
            isConnectable: all.contains(where: \.isConnectable))
    }

    func changed(_ path: DBusObjectPath, _ owner: String, _ value: [UInt8]) {
        if let effect = state.withLock({ $0.effect(path, owner, value) }) { perform(effect) }
    }

    func unexportCentrals() {
        for central in state.withLock({ $0.centrals }) { connection.unexport(central) }
    }

    // MARK: - The central's operations

    func start(_ perform: @escaping @Sendable (PeripheralEffect) -> Void) {
        state.withLock { $0.perform = perform }
    }

    private func perform(_ effect: PeripheralEffect) { state.withLock { $0.perform }?(effect) }

    func receive(_ call: FakeRemoteCall) {
        switch call {
        case .connect(let link): connect(link)
        case .disconnect: disconnect()
        case .read(let attribute, let offset, let token): read(attribute, from: offset, token)
        case .write(let value, let attribute, let offset, let token):
            write(value, to: attribute, from: offset, token)
        case .subscribe(let attribute, let isOn, let token):
            subscribe(attribute, isOn: isOn, token)
        case .confirm(let id):
            guard let attribute = state.withLock({ $0.attribute(id) }) else { return }
            self.call(GattCharacteristic1.confirm, attribute)
        case .stop: break
        }
    }

    private func connect(_ link: FakeRemoteCall.Link) {
        let central = DBusObjectPath.device(link.centralAddress, on: adapter)
        state.withLock { state in
            state.link = Link(link: link, central: central)
            if !state.centrals.contains(central) { state.centrals.append(central) }
        }
        export(central, of: link)
        guard link.meeting > .zero else { return announce(link) }
        let time = SystemTime()
        _ = time.schedule(at: time.now() + link.meeting) { [weak self] in self?.announce(link) }
    }

    /// Exports the central's object, unless there is one.
    private func export(_ central: DBusObjectPath, of link: FakeRemoteCall.Link) {
        let object = DBusObject.device(
            link.centralAddress, isAddressRandom: false,
            alias: link.centralAddress.replacing(":", with: "-"), on: adapter)
        try? connection.export(object, at: central) { [weak self] request in
            switch request.member {
            case Device1.disconnect:
                request.reply()
                self?.perform(.disconnect)
            case Device1.connect: request.reply()
            default: request.refuse(.notSupported)
            }
        }
    }

    private func announce(_ link: FakeRemoteCall.Link) {
        let central = state.withLock { state -> DBusObjectPath? in
            guard let present = state.link, present.link == link else { return nil }
            state.link?.isAnnounced = true
            return present.central
        }
        if let central { announce(central, isConnected: true) }
    }

    /// Announces the beginning or the end of a central's link. The object remains.
    private func announce(_ central: DBusObjectPath, isConnected: Bool) {
        try? connection.set(
            [
                Device1.connected: .boolean(isConnected),
                Device1.servicesResolved: .boolean(isConnected),
            ], of: Device1.interfaceName, at: central)
    }

    private func disconnect() {
        let (link, subscribed) = state.withLock { state in
            defer { state.link = nil }
            let subscribed = state.link?.subscriptions.compactMap { state.attribute($0) } ?? []
            return (state.link, subscribed)
        }
        for attribute in subscribed { call(GattCharacteristic1.stopNotify, attribute) }
        if let link, link.isAnnounced { announce(link.central, isConnected: false) }
    }

    private func read(_ id: AttributeID, from offset: Int, _ token: ResponseToken) {
        guard let attribute = state.withLock({ $0.attribute(id) }) else {
            return refuse(.invalidHandle, token)
        }
        call(GattCharacteristic1.readValue, attribute, [.properties(options(offset))]) {
            [weak self] answer in
            self?.perform(Self.effect(of: answer, token))
        }
    }

    private func write(
        _ value: [UInt8], to id: AttributeID, from offset: Int, _ token: ResponseToken?
    ) {
        guard let attribute = state.withLock({ $0.attribute(id) }) else {
            return refuse(.invalidHandle, token)
        }
        let arguments = [DBusValue.bytes(value), .properties(options(offset))]
        let isInPieces = offset > 0 || value.count > state.withLock { $0.maximumLength }
        let longest = isInPieces ? Self.longestWrite.inPieces : Self.longestWrite.atOnce
        guard offset + value.count <= longest else { return refuse(.invalidLength, token) }
        let isHeard = !attribute.properties.contains(.writeWithoutResponse)
        let token = isHeard ? token : acceptAtOnce(token)
        call(GattCharacteristic1.writeValue, attribute, arguments) { [weak self] answer in
            if isHeard, case .failure(let error) = answer {
                let refusal = DeviceRefusal.error(
                    name: error.name, text: error.details, onReading: false)
                self?.refuse(refusal, token)
            } else {
                self?.accept(token)
            }
        }
    }

    private func subscribe(_ id: AttributeID, isOn: Bool, _ token: ResponseToken) {
        let found = state.withLock { state in
            let found = state.attribute(id)
            guard found != nil else { return found }
            if isOn {
                state.link?.subscriptions.insert(id)
            } else {
                state.link?.subscriptions.remove(id)
            }
            return found
        }
        guard let attribute = found else { return refuse(.invalidHandle, token) }
        let member = isOn ? GattCharacteristic1.startNotify : GattCharacteristic1.stopNotify
        let token = acceptAtOnce(token)
        call(member, attribute) { [weak self] _ in self?.accept(token) }
    }

    private func accept(_ token: ResponseToken?) {
        if let token { perform(.done(token)) }
    }

    private func refuse(_ error: ATTError, _ token: ResponseToken?) {
        if let token { perform(.refuse(error, token)) }
    }

    /// Returns the token to accept with the program's reply. If the daemon does not wait for the
    /// reply, it is accepted now, and not again.
    private func acceptAtOnce(_ token: ResponseToken?) -> ResponseToken? {
        guard state.withLock({ $0.link?.link.answersForPrograms }) == true else { return token }
        accept(token)
        return nil
    }

    private func call(
        _ member: String, _ attribute: RegisteredApplication.Attribute,
        _ arguments: [DBusValue] = [],
        then completion: @escaping @Sendable (Result<DBusReply, DBusError>) -> Void = { _ in }
    ) {
        let call = DBusCall(
            member, of: attribute.interface, at: attribute.path, on: attribute.owner, arguments)
        connection.call(call, timeout: Self.timeout, completion: completion)
    }

    private func options(_ offset: Int) -> [String: DBusValue] {
        let link = state.withLock { $0.link }
        var options: [String: DBusValue] = [
            AttributeOption.link: .string(AttributeOption.lowEnergy)
        ]
        if let link {
            options[AttributeOption.device] = .objectPath(link.central)
            options[AttributeOption.mtu] = .uint16(UInt16(clamping: link.link.mtu))
        }
        if offset > 0 { options[AttributeOption.offset] = .uint16(UInt16(clamping: offset)) }
        return options
    }

    private static func effect(
        of answer: Result<DBusReply, DBusError>, _ token: ResponseToken
    ) -> PeripheralEffect {
        switch answer {
        case .success(let reply):
            guard let bytes = reply.values.first?.bytes else {
                return .refuse(.requestNotSupported, token)
            }
            return .value(Array(bytes.prefix(longestValue)), token)
        case .failure(let error):
            return .refuse(
                DeviceRefusal.error(name: error.name, text: error.details, onReading: true), token)
        }
    }
}
#endif
