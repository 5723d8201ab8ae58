#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// When a device's services are known.
///
/// - The daemon has to say so on this link: `ServicesResolved` of an earlier one does not count.
/// - Services that are there by then are taken for all: that is the daemon's order (testbed, of
///   real devices), and nothing is waited for.
/// - If none is there, they come later (pitfall 1: bluez#1489, bleak#1806; and the testbed, of
///   devices that the same daemon hosts): then it is waited until none has come for a while.
/// - So it is when services change on a link (pitfall 2: bleak#625, #376): what was given out is
///   stale, and is said to be.
/// - A daemon that never says so is given up, and the end of the link ends the wait (pitfall 3:
///   bleak#1489, #1491, bluez#712, btleplug#164).
extension BlueZSession {
    /// For how long no service may come until all are there.
    static let quietTime: Duration = .milliseconds(150)
    /// For how long a battery is waited for that the daemon tells of by itself.
    static let batteryTime: Duration = .milliseconds(500)
    /// How long the services are waited for.
    static let resolutionTimeout: Duration = .seconds(30)

    /// Tells the services when they are known.
    mutating func discoverServices(
        on number: LinkNumber, _ completion: @escaping LinkCourse.Completion<[GATTService]>
    ) {
        guard let course = links[number], course.isTold, course.phase != .leaving else {
            let reason = links[number]?.reason ?? DisconnectReason(.local)
            return perform {
                completion(.failure(BLEError(.disconnected, .discover, reason: reason)))
            }
        }
        guard !tellServices(on: number, to: completion) else { return }
        guard course.waiters.count < Self.maximumOperations else {
            return perform { completion(.failure(BLEError(.overloaded, .discover))) }
        }
        links[number]?.waiters.append(completion)
        guard course.isOpen else { return }
        if course.waiters.isEmpty {
            wait(.resolution, on: number, for: Self.resolutionTimeout) { session, number in
                session.resolutionFailed(number)
            }
        }
        reviewServices(on: number)
    }

    /// What the daemon says already of a link that is taken over.
    mutating func adopt(_ device: DBusObjectPath, for number: LinkNumber) {
        let isResolved = mirror.devices[device]?.isResolved == true
        links[number]?.isResolved = isResolved
        links[number]?.wasResolved = isResolved
        let isQuiet = isResolved && hasServices(device)
        links[number]?.isQuiet = isQuiet
    }

    private func hasServices(_ device: DBusObjectPath) -> Bool {
        !mirror.branches.isBare(device)
    }

    /// The daemon says that a device's services are known, or no longer.
    mutating func resolved(_ isResolved: Bool, on number: LinkNumber) {
        guard let course = links[number] else { return }
        links[number]?.isResolved = isResolved
        if isResolved { links[number]?.wasResolved = true }
        guard course.isOpen || course.phase == .connecting, let device = course.device else {
            return
        }
        guard isResolved else {
            // At the end of a link this is said first.
            links[number]?.isQuiet = false
            return
        }
        // What is there when the daemon says so is all.
        let isQuiet = hasServices(device)
        links[number]?.isQuiet = isQuiet
        attributesReviewed(on: number)
    }

    /// Services, characteristics or descriptors have come or gone.
    mutating func attributesChanged(on number: LinkNumber) {
        guard let course = links[number], course.isOpen else { return }
        if course.isResolved { startQuiet(on: number) }
        attributesReviewed(on: number)
    }

    private mutating func startQuiet(on number: LinkNumber, for duration: Duration = quietTime) {
        links[number]?.isQuiet = false
        wait(.quiet, on: number, for: duration) { session, number in
            session.links[number]?.isQuiet = true
            session.reviewServices(on: number)
        }
    }

    /// Says that what was given out is stale, if it is; and whether the services are known now.
    mutating func attributesReviewed(on number: LinkNumber) {
        guard let course = links[number], course.isOpen, let device = course.device else { return }
        if let given = course.attributes.plan, given != mirror.plan(of: device) {
            releaseSubscriptions(of: number)
            links[number]?.attributes.forget()
            tell(.servicesChanged, on: number)
        }
        measure(number)
        reviewServices(on: number)
    }

    /// Tells the services to those who wait, if they are known.
    mutating func reviewServices(on number: LinkNumber) {
        guard let waiters = links[number]?.waiters, !waiters.isEmpty,
            giveServices(on: number), let services = links[number]?.attributes.services
        else { return }
        links[number]?.waiters = []
        endWait(.resolution, on: number)
        perform { for waiter in waiters { waiter(.success(services)) } }
    }

    private mutating func tellServices(
        on number: LinkNumber, to completion: @escaping LinkCourse.Completion<[GATTService]>
    ) -> Bool {
        guard let course = links[number], course.isOpen, course.attributes.plan != nil else {
            return false
        }
        let services = course.attributes.services
        perform { completion(.success(services)) }
        return true
    }

    /// Gives out numbers, if all services are known.
    private mutating func giveServices(on number: LinkNumber) -> Bool {
        guard let course = links[number], course.isResolved, let device = course.device else {
            return false
        }
        guard course.isQuiet else {
            if course.timers[.quiet] == nil { startQuiet(on: number) }
            return false
        }
        let plan = mirror.plan(of: device)
        guard plan.services.contains(where: { $0.path != nil }) else { return false }
        if awaitsBattery(of: device, in: plan), links[number]?.hasAwaitedBattery == false {
            links[number]?.hasAwaitedBattery = true
            startQuiet(on: number, for: Self.batteryTime)
            return false
        }
        links[number]?.attributes.give(plan)
        measure(number)
        return true
    }

    /// Whether the device has a battery that the daemon keeps to itself, and has not told of yet:
    /// it does so just after the services (pitfall 23: gattlib#84, #89; testbed).
    private func awaitsBattery(of device: DBusObjectPath, in plan: LinkAttributes.Plan) -> Bool {
        mirror.hidesBattery(in: plan)
            && mirror.devices[device]?.uuids.contains(StandardServices.battery) == true
    }

    /// The services were not known in time: it may be that the daemon has them and did not say so.
    private mutating func resolutionFailed(_ number: LinkNumber) {
        guard let course = links[number], let device = course.device else { return }
        let isResolved = mirror.devices[device]?.isResolved == true
        if isResolved {
            links[number]?.isResolved = true
            links[number]?.isQuiet = true
            reviewServices(on: number)
        }
        let waiters = links[number]?.waiters ?? []
        guard !waiters.isEmpty else { return }
        links[number]?.waiters = []
        let details =
            "services resolved: \(isResolved ? "yes, but there are none" : "no"), link: up"
        perform {
            for waiter in waiters {
                waiter(.failure(BLEError(.timedOut, .discover, details: details)))
            }
        }
    }
}

/// How much one write without response can carry.
extension BlueZSession {
    /// What is before a value in a packet.
    private static let packetHeader = 3
    /// The longest value in one packet that a device takes which is run by BlueZ, though 512 bytes
    /// are allowed: a longer one is lost without a word (testbed).
    private static let longestMaximum = 510

    /// Finds out how long packets can be: the daemon tells it of each characteristic, from 5.62
    /// on; before, nobody knows (pitfall 17: bleak, SimpleBLE#481, bluez#576).
    mutating func measure(_ number: LinkNumber) {
        guard let course = links[number], course.isOpen else { return }
        let known = course.attributes.characteristics.compactMap {
            mirror.characteristics[$0]?.mtu
        }
        guard let packet = (known + course.sockets.lengths).min() else { return }
        let maximum = min(
            max(packet - Self.packetHeader, LinkCourse.shortestMaximum), Self.longestMaximum)
        guard maximum != course.maximumLength else { return }
        links[number]?.maximumLength = maximum
        tell(.maximumLengthChanged, on: number)
    }

    /// A characteristic has another length of packets.
    mutating func mtuChanged(of characteristic: DBusObjectPath) {
        guard let service = mirror.characteristics[characteristic]?.service,
            let device = mirror.services[service]?.device, let number = links.byDevice[device]
        else { return }
        measure(number)
    }
}
#endif
