#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// What is done about a daemon that does not connect.
extension BlueZSession {
    /// A daemon that gives up later than this has waited for a device that is not there.
    static let shortestAbsence: Duration = .seconds(20)
    /// After how long the daemon is asked again while somebody else is connecting.
    static let othersPause: Duration = .milliseconds(500)
    /// What may help when links break while they begin, as it does with bleak's users.
    static let interferenceHint =
        "; radio interference does that, of Wi-Fi on the same board or of USB 3 for example"

    /// The daemon does not connect.
    mutating func connectFailed(_ number: LinkNumber, _ error: DBusError) {
        guard let course = links[number] else { return }
        let fault = BlueZFault(error)
        switch fault.meaning {
        case .aborted:
            // "le-connection-abort-by-local" after 40 s: the device is not there (testbed). Soon:
            // the radio failed (pitfall 4: bleak#239, #666, #993, #1673; bluez#615).
            if now.duration(since: course.attempt.began) >= Self.shortestAbsence {
                fail(number, BLEError(.timedOut, .connect, details: fault.details))
            } else {
                let details = fault.details + Self.interferenceHint
                tryAgain(number, BLEError(.backend, .connect, details: details))
            }
        case .inProgress:
            awaitOthers(number, fault)
        case .cancelled:
            // Somebody has stopped it.
            tryAgain(number, BLEError(.backend, .connect, details: fault.details))
        case .alreadyConnected:
            let isThere = course.device.flatMap { mirror.devices[$0]?.isConnected } == true
            if isThere { return opened(number) }
            tryAgain(number, BLEError(.alreadyConnected, .connect, details: fault.details))
        case .unknownObject:
            objectVanished(number)
        case .notReady:
            fail(number, BLEError(.poweredOff, .connect, details: fault.details))
        case .inputOutput:
            // What a daemon says whose adapter is off (testbed), and of other troubles.
            let isOff = course.adapter.flatMap { mirror.adapters[$0]?.isOn } == false
            fail(
                number,
                BLEError(isOff ? .poweredOff : .backend, .connect, details: fault.details))
        case .bondLost:
            fail(number, BLEError(.bondLost, .connect, details: fault.details + course.bondHint))
        case .denied:
            fail(number, BLEError(.unauthorized, .connect, details: fault.details))
        case .timedOut:
            answer(number, .failure(BLEError(.timedOut, .connect, details: fault.details)))
            leave(number)
        default:
            fail(number, BLEError(.backend, .connect, details: fault.details))
        }
    }

    /// Makes another attempt after a while, unless there were enough: then this is the error.
    ///
    /// What is left of the attempt has to be over before: the daemon says so.
    mutating func tryAgain(_ number: LinkNumber, _ error: BLEError) {
        guard var course = links[number], let device = course.device else { return }
        course.attempt.failures += 1
        links[number] = course
        guard course.attempt.failures < Self.maximumFailures else {
            let isThere = mirror.devices[device]?.isConnected == true
            guard isThere else { return fail(number, error) }
            answer(number, .failure(error))
            return leave(number)
        }
        let pause = Self.firstPause * (1 << (course.attempt.failures - 1))
        wait(.step, on: number, for: pause) { session, number in
            if session.mirror.devices[device]?.isConnected == true {
                session.tryAgain(number, error)
            } else {
                session.connect(number)
            }
        }
    }

    /// Somebody else is connecting the device: what comes of that is waited for.
    private mutating func awaitOthers(_ number: LinkNumber, _ fault: BlueZFault) {
        let since = links[number]?.attempt.othersSince ?? now
        guard now.duration(since: since) < Self.connectTimeout else {
            return fail(number, BLEError(.backend, .connect, details: fault.details))
        }
        links[number]?.attempt.othersSince = since
        wait(.step, on: number, for: Self.othersPause) { session, number in
            session.connect(number)
        }
    }

    /// The daemon has forgotten the device, as it does when nobody looks for devices any more: it
    /// is waited for again (pitfall 8: bleak, "may have been removed when scanning stopped").
    mutating func objectVanished(_ number: LinkNumber) {
        // It was kept in mind only while it was there: now it is to be heard anew.
        letDiscoveryGo(number)
        guard var course = links[number] else { return }
        if let device = course.device { links.byDevice[device] = nil }
        course.device = nil
        course.attempt.isPending = false
        course.attempt.failures += 1
        course.phase = .seeking
        links[number] = course
        guard course.attempt.failures < Self.maximumFailures else {
            let text = "the daemon forgets the device as often as it hears of it"
            return fail(number, BLEError(.notFound, .connect, details: text))
        }
        wait(.step, on: number, for: Self.firstPause) { session, number in session.seek(number) }
    }
}
#endif
