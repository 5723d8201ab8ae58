#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// How a link ends.
///
/// - A link that the app closes has ended when the daemon says so: before, the device is still
///   connected. That takes two to three seconds (testbed); a daemon that does not say is not
///   waited for.
/// - A link that ends by itself is told a moment later, with what the daemon says about it in
///   that moment: that the adapter was switched off, or why the link ended.
/// - Subscriptions that are left are ended: the daemon would keep them for the next link
///   (testbed).
extension BlueZSession {
    /// How long the daemon has to end a link; less than what the layer above gives us.
    static let leaveTimeout: Duration = .seconds(4)
    /// How long the reason of an end is waited for: 20 ms were seen (testbed).
    static let reasonTimeout: Duration = .milliseconds(100)
    /// How long a link may still come that was called off while it began: 13 ms were seen (5.66,
    /// in the virtual machine).
    static let strayTime: Duration = .milliseconds(50)
    /// How long sockets may still give what was in them.
    static let drainTimeout: Duration = .seconds(1)

    /// Closes a link for the app.
    mutating func closeLink(_ number: LinkNumber) {
        guard let course = links[number], course.isTold else { return }
        switch course.phase {
        case .open:
            links[number]?.reason = DisconnectReason(.local)
            leave(number)
        case .ending: end(number, nil, orElse: .disconnected)
        case .waiting, .seeking, .connecting, .leaving: break
        }
    }

    /// Has the daemon end a link, or connect no longer.
    mutating func leave(_ number: LinkNumber) {
        guard let device = links[number]?.device else { return remove(number) }
        links[number]?.phase = .leaving
        letDiscoveryGo(number)
        for wait in [LinkCourse.Wait.quiet, .resolution, .hold, .retry] {
            endWait(wait, on: number)
        }
        wait(.step, on: number, for: Self.leaveTimeout) { session, number in
            // The daemon has not said so in time (pitfall 9: bluez#947).
            session.end(number, nil, orElse: .cancelled)
        }
        drop(device) { session in session.leaveAnswered(number) }
    }

    private mutating func leaveAnswered(_ number: LinkNumber) {
        guard let course = links[number], course.phase == .leaving, !course.attempt.isPending,
            let device = course.device, mirror.devices[device]?.isConnected != true
        else { return }
        awaitStray(number)
    }

    /// A link that was called off may come all the same, after both answers: then it is nobody's,
    /// and would keep the device from everybody. So the end is waited for, unless there was a link.
    private mutating func awaitStray(_ number: LinkNumber) {
        guard links[number]?.isTold == false else {
            return end(number, nil, orElse: .cancelled)
        }
        wait(.step, on: number, for: Self.strayTime) { session, number in
            session.lookForStray(number)
        }
    }

    /// A computer that has too much to do may not have come to what the daemon has said in that
    /// time: the answer to one more question comes after it.
    private mutating func lookForStray(_ number: LinkNumber) {
        guard let device = links[number]?.device else { return remove(number) }
        wait(.step, on: number, for: Self.leaveTimeout) { session, number in
            session.end(number, nil, orElse: .cancelled)
        }
        askWhetherConnected(device) { session in
            guard session.links[number]?.phase == .leaving,
                session.mirror.devices[device]?.isConnected != true
            else { return }
            session.end(number, nil, orElse: .cancelled)
        }
    }

    /// The daemon's word on connecting comes when nobody wants the link any more.
    mutating func leftWhileConnecting(_ number: LinkNumber, _ answer: Answer) {
        guard let course = links[number], course.phase == .leaving, let device = course.device
        else { return }
        let isConnected = mirror.devices[device]?.isConnected == true
        if isConnected {
            drop(device)
            wait(.step, on: number, for: Self.leaveTimeout) { session, number in
                session.end(number, nil, orElse: .cancelled)
            }
        }
        guard !course.attempt.isPending, !isConnected else { return }
        awaitStray(number)
    }

    /// Has the daemon disconnect a device. Whoever looks for it meanwhile would find a link that is
    /// about to end.
    mutating func drop(_ device: DBusObjectPath, then: @escaping Action = { _ in }) {
        let question = links.newNumber()
        links.parting[device] = question
        call(Device1.disconnect, of: linkInterface(of: device), at: device) { session, answer in
            then(&session)
            session.dropAnswered(device, question, answer)
        }
    }

    /// Daemons before 5.79 answer first, and then say that the link has ended (their source).
    private mutating func dropAnswered(
        _ device: DBusObjectPath, _ question: UInt64, _ answer: Answer
    ) {
        guard case .success = answer, mirror.devices[device]?.isConnected == true else {
            return parted(device, question)
        }
        _ = after(Self.lateLink) { session in session.parted(device, question) }
    }

    /// What is left of a device's link is as good as any; nothing, if it was asked to end again.
    private mutating func parted(_ device: DBusObjectPath, _ question: UInt64) {
        guard links.parting[device] == question else { return }
        parted(device)
    }

    /// Nothing is left of a device's link.
    mutating func parted(_ device: DBusObjectPath) {
        links.parting[device] = nil
        if !links.seeking.isEmpty { seekAgain(device) }
    }

    /// The daemon says that a link has ended.
    mutating func connectionEnded(_ number: LinkNumber) {
        guard let course = links[number] else { return }
        switch course.phase {
        case .connecting:
            if course.attempt.isPending { endWait(.step, on: number) }
        case .leaving:
            if !course.attempt.isPending { drain(number) }
        case .open:
            links[number]?.phase = .ending
            // A device that has not answered for half a minute loses its link, by the daemon.
            if let current = course.current, now.duration(since: current.began) >= links.silence {
                links[number]?.reason = DisconnectReason(.noResponse)
            }
            endWait(.hold, on: number)
            endWait(.retry, on: number)
            // A newer daemon has said why just before.
            let isExplained = links[number]?.reason != nil
            guard !isExplained || !course.sockets.isEmpty else {
                return end(number, nil, orElse: .disconnected)
            }
            let pause = course.sockets.isEmpty ? Self.reasonTimeout : Self.drainTimeout
            wait(.step, on: number, for: pause) { session, number in
                session.end(number, nil, orElse: .disconnected)
            }
        case .waiting, .seeking, .ending:
            break
        }
    }

    /// Ends a link that the app has closed, when its sockets are empty.
    mutating func drain(_ number: LinkNumber) {
        guard let course = links[number], !course.sockets.isEmpty else {
            return end(number, nil, orElse: .cancelled)
        }
        wait(.step, on: number, for: Self.drainTimeout) { session, number in
            session.end(number, nil, orElse: .cancelled)
        }
    }

    /// The daemon says why a link ends: from 5.83 on, just before it says that it has (its source).
    /// By switch only, never seen.
    mutating func reasonCame(_ name: String, _ text: String, on number: LinkNumber) {
        guard let course = links[number], course.isTold, course.reason == nil else { return }
        let kind = Self.kind(of: name)
        let details = (text.isEmpty ? name : text) + (kind == .bondLost ? course.bondHint : "")
        links[number]?.reason = DisconnectReason(kind, details: details)
        guard course.phase == .ending, course.sockets.isEmpty else { return }
        end(number, nil, orElse: .disconnected)
    }

    /// What a reason's name stands for. What this computer has ended and the app has not was ended
    /// by another program: that is as if the device had.
    private static func kind(of reason: String) -> DisconnectReason.Kind {
        switch reason {
        case BlueZReason.timeout: .outOfReach
        case BlueZReason.suspend: .adapterGone
        case BlueZReason.authentication: .bondLost
        default: .remote
        }
    }

    /// Ends a link, or an attempt to have one, and everything that belongs to it.
    ///
    /// - Parameters:
    ///   - reason: Why a link ends, unless that is known already; closed by the device if nobody
    ///     knows.
    ///   - kind: What becomes of an attempt.
    mutating func end(
        _ number: LinkNumber, _ reason: DisconnectReason?, orElse kind: BLEError.Kind
    ) {
        guard let course = links[number] else { return }
        let reason = completed(course.reason ?? reason ?? DisconnectReason(.remote), course)
        if course.isTold {
            if let current = course.current { tellHeld(in: current, answer: nil, on: number) }
            tell(.disconnected(reason), on: number)
        } else {
            answer(number, .failure(BLEError(kind, .connect, details: reason.details)))
        }
        let waiters = course.waiters
        let operations = [course.current].compactMap { $0 } + links[number].allOperations()
        let shell = course.shell
        perform {
            for waiter in waiters {
                waiter(.failure(BLEError(.disconnected, .discover, reason: reason)))
            }
            for operation in operations {
                operation.fail(BLEError(.disconnected, operation.kind, reason: reason))
            }
            withExtendedLifetime(shell) {}
        }
        remove(number)
    }

    /// The reason, and how far the device's services were known (pitfall 3: bleak#1489, bluez#712):
    /// a link that breaks before is a trouble of its own.
    private func completed(_ reason: DisconnectReason, _ course: LinkCourse) -> DisconnectReason {
        guard course.isTold, !course.wasResolved, reason.kind != .local else { return reason }
        let text = "services resolved: no, link: down"
        return DisconnectReason(
            reason.kind, details: reason.details.map { "\($0); \(text)" } ?? text)
    }

    /// Takes a link out of the table, and lets those go on who waited for that.
    mutating func remove(_ number: LinkNumber) {
        letDiscoveryGo(number)
        for wait in LinkCourse.Wait.allCases {
            endWait(wait, on: number)
        }
        releaseSubscriptions(of: number)
        links.seeking.remove(number)
        guard let course = links.courses.removeValue(forKey: number) else { return }
        if let device = course.device, links.byDevice[device] == number {
            links.byDevice[device] = nil
        }
        if let need = course.agentNeed { letAgentGo(need, course.shell) }
        perform { withExtendedLifetime(course) {} }
        let next = links.courses.filter { $0.value.address == course.address }
        guard next.allSatisfy({ $0.value.phase == .waiting }) else { return }
        for number in next.keys.sorted() { seek(number) }
    }
}

extension LinkCourse? {
    /// What was asked for and not begun.
    fileprivate func allOperations() -> [LinkOperation] {
        var operations = self?.operations ?? FIFO()
        return operations.removeAll()
    }
}
#endif
