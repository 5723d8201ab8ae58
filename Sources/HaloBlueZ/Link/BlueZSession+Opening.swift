#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How a link begins.
///
/// - A device that the daemon does not know is waited for while it looks for devices; whoever
///   connects says how long.
/// - While the daemon connects, it goes on looking: it forgets devices when nobody looks any more
///   (pitfall 8: bleak#971, and "UnknownObject" in the testbed).
/// - The daemon's answer is waited for longer than it takes: 40.5 s for a device that is not there
///   (testbed). Sometimes none comes (pitfall 9: tinygo#320), which a link that is there makes
///   good.
extension BlueZSession {
    /// How long the daemon has to connect, or to say that it does not.
    static let connectTimeout: Duration = .seconds(60)
    /// How long a device is looked for at most.
    static let seekTimeout: Duration = .seconds(120)
    /// How long the answer may stay out when the link is there.
    static let lateAnswer: Duration = .seconds(5)
    /// How long the link may stay out when the answer is there.
    static let lateLink: Duration = .seconds(2)
    /// How often an attempt is made again.
    static let maximumFailures = 4
    /// How long is waited before the second attempt; twice as long before each next one.
    static let firstPause: Duration = .milliseconds(250)

    /// Begins a link; the completion is called once.
    mutating func openLink(
        to address: String, _ shell: LinkShell,
        completion: @escaping LinkCourse.Completion<any LinkDriver>
    ) -> LinkNumber {
        let number = LinkNumber(rawValue: links.newNumber())
        let others = links.courses.values.filter { $0.address == address }
        links[number] = LinkCourse(address: address, shell: shell, completion: completion)
        if others.isEmpty {
            seek(number)
        } else if others.allSatisfy(\.isOver) {
            links[number]?.phase = .waiting
        } else {
            fail(number, BLEError(.alreadyConnected, .connect))
        }
        return number
    }

    /// Nobody wants a link any more that is still to come.
    mutating func cancelLink(_ number: LinkNumber) {
        guard let course = links[number], course.completion != nil else { return }
        let error = BLEError(.cancelled, .connect)
        // What somebody else is doing is not ours to end.
        let isOthers = course.attempt.othersSince != nil && !course.attempt.isPending
        guard course.phase == .connecting, !isOthers else { return fail(number, error) }
        answer(number, .failure(error))
        leave(number)
    }

    /// Looks for the device, as soon as there is an adapter to do so.
    mutating func seek(_ number: LinkNumber) {
        links[number]?.phase = .seeking
        links[number]?.adapter = nil
        wait(.step, on: number, for: Self.seekTimeout) { session, number in
            session.fail(number, BLEError(.notFound, .connect))
        }
        whenUsable { session, result in
            guard session.links[number]?.phase == .seeking,
                session.links[number]?.adapter == nil
            else { return }
            switch result {
            case .success(let adapter):
                session.links[number]?.adapter = adapter
                session.links.seeking.insert(number)
                session.seekOnce(number)
            case .failure(let outage):
                session.fail(number, outage.error(.connect))
            }
        }
    }

    /// Looks whether a device that is there now was looked for. In a crowd this is asked all the
    /// time: it does not depend on how many devices there are.
    mutating func seekAgain(_ device: DBusObjectPath) {
        guard let found = mirror.devices[device] else { return }
        let seekers = links.seeking.filter { number in
            guard let course = links[number] else { return false }
            return course.address == found.address && course.adapter == found.adapter
        }
        for number in seekers.sorted() { seekOnce(number) }
    }

    private mutating func seekOnce(_ number: LinkNumber) {
        guard let course = links[number], course.phase == .seeking, let adapter = course.adapter
        else { return }
        guard let device = mirror.device(address: course.address, on: adapter) else {
            return holdDiscovery(for: number, .seeking)
        }
        let isConnected = mirror.devices[device]?.isConnected == true
        guard !isConnected || links.parting[device] == nil else {
            // The daemon may forget it together with its link.
            return holdDiscovery(for: number, .seeking)
        }
        links.seeking.remove(number)
        endWait(.step, on: number)
        guard links.byDevice[device] == nil else {
            // The same device by another address: pairing can give it one (pitfall 20: bleak#1737).
            return fail(number, BLEError(.alreadyConnected, .connect))
        }
        links[number]?.device = device
        links.byDevice[device] = number
        holdAgent(for: number)
        guard isConnected else {
            holdDiscovery(for: number, .keeping)
            return connect(number)
        }
        // Somebody else has connected it, or we have before a crash (pitfall 7: bluez#89): Connect
        // would have nothing to do.
        guard options.adoptsConnected else {
            return fail(number, BLEError(.alreadyConnected, .connect))
        }
        adopt(device, for: number)
        opened(number)
    }

    /// Has the daemon look for devices, or go on with it, as long as this attempt goes on.
    private mutating func holdDiscovery(for number: LinkNumber, _ hold: LinkCourse.Hold) {
        guard let course = links[number], course.hold == nil else { return }
        links[number]?.hold = hold
        holdDiscovery(seeking: hold == .seeking)
    }

    /// Asks the daemon to connect.
    mutating func connect(_ number: LinkNumber) {
        guard var course = links[number], let device = course.device else { return }
        course.phase = .connecting
        course.attempt.count += 1
        course.attempt.isPending = true
        course.attempt.began = now
        course.isResolved = false
        course.wasResolved = false
        links[number] = course
        let attempt = course.attempt.count
        call(
            Device1.connect, of: linkInterface(of: device), at: device,
            timeout: Self.connectTimeout
        ) { session, answer in
            session.connectAnswered(number, attempt, device, answer)
        }
    }

    private mutating func connectAnswered(
        _ number: LinkNumber, _ attempt: Int, _ device: DBusObjectPath, _ answer: Answer
    ) {
        guard let course = links[number], course.attempt.count == attempt,
            course.attempt.isPending
        else {
            // A link that comes when nobody waits for it is not wanted.
            if case .success = answer, links.byDevice[device] == nil { drop(device) }
            return
        }
        links[number]?.attempt.isPending = false
        guard course.phase == .connecting else { return leftWhileConnecting(number, answer) }
        switch answer {
        case .success:
            links[number]?.attempt.othersSince = nil
            if mirror.devices[device]?.isConnected == true { return opened(number) }
            askWhetherConnected(device)
            wait(.step, on: number, for: Self.lateLink) { session, number in
                let text = "the link was gone as soon as it was there"
                session.tryAgain(number, BLEError(.backend, .connect, details: text))
            }
        case .failure(let error):
            connectFailed(number, error)
        }
    }

    /// Where the link of a device is begun, ended and told of.
    func linkInterface(of device: DBusObjectPath) -> String {
        mirror.devices[device]?.linkInterface ?? Device1.interfaceName
    }

    /// Asks what the daemon may not have said: where the device is hosted by the same daemon,
    /// 5.66 answers Connect and does not tell that the device is connected (seen each time in the
    /// virtual machine; its log has "is already connected").
    mutating func askWhetherConnected(_ device: DBusObjectPath, then: @escaping Action = { _ in }) {
        call(
            DBusProperties.get, of: DBusProperties.interfaceName, at: device,
            [.string(linkInterface(of: device)), .string(Device1.connected)]
        ) { session, answer in
            guard case .success(let reply) = answer,
                reply.values.first?.unwrapped.boolean == true,
                session.mirror.devices[device]?.isConnected == false
            else { return then(&session) }
            session.mirror.devices[device]?.isConnected = true
            session.noticed(.connection(device, isConnected: true))
            then(&session)
        }
    }

    /// The daemon says that there is a link.
    mutating func connected(_ number: LinkNumber) {
        switch links[number]?.phase {
        case .connecting:
            guard let attempt = links[number]?.attempt, attempt.isPending else {
                return openedByOthers(number)
            }
            wait(.step, on: number, for: Self.lateAnswer) { session, number in
                // Connect hangs although the link is there (pitfall 9: tinygo#320).
                session.links[number]?.attempt.isPending = false
                session.opened(number)
            }
        case .ending:
            // The device is back before it was said why it had gone.
            end(number, nil, orElse: .disconnected)
        case .leaving:
            leftWhileConnecting(number, .success(DBusReply()))
        default:
            break
        }
    }

    /// There is a link that nothing was asked for at that moment: who else has asked for it has it,
    /// too.
    private mutating func openedByOthers(_ number: LinkNumber) {
        guard links[number]?.attempt.othersSince == nil || options.adoptsConnected else {
            return fail(number, BLEError(.alreadyConnected, .connect))
        }
        opened(number)
    }

    /// There is a link.
    mutating func opened(_ number: LinkNumber) {
        guard let course = links[number], let completion = course.completion else { return }
        endWait(.step, on: number)
        links[number]?.phase = .open
        links[number]?.completion = nil
        links[number]?.isTold = true
        letDiscoveryGo(number)
        let makeDriver = course.shell.makeDriver
        perform { completion(.success(makeDriver(number))) }
        attributesReviewed(on: number)
    }

    /// Lets the daemon look for devices no longer.
    mutating func letDiscoveryGo(_ number: LinkNumber) {
        guard let hold = links[number]?.hold else { return }
        links[number]?.hold = nil
        releaseDiscovery(seeking: hold == .seeking)
    }

    /// Answers who waits for a link.
    mutating func answer(
        _ number: LinkNumber, _ result: Result<any LinkDriver, BLEError>
    ) {
        guard let completion = links[number]?.completion else { return }
        links[number]?.completion = nil
        perform { completion(result) }
    }

    /// An attempt comes to nothing.
    mutating func fail(_ number: LinkNumber, _ error: BLEError) {
        answer(number, .failure(error))
        remove(number)
    }
}
#endif
