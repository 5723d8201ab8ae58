#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

/// Diagnoses why Bluetooth does not work on this computer, and names the command that helps.
///
///     for finding in await BlueZDoctor.examine().findings {
///         print(finding, finding.command ?? "")
///     }
///
/// The checks only read: no daemon is started, nothing is powered on.
public struct BlueZDoctor {
    /// The default timeout for each reply of the bus and of the daemon.
    public static let defaultTimeout: Duration = .seconds(5)

    let facts: BlueZFacts
    private(set) var findings: [BlueZFinding] = []

    init(_ facts: BlueZFacts) { self.facts = facts }

    /// Runs all checks for a transport with these options.
    public static func examine(
        _ options: BlueZOptions = BlueZOptions(), timeout: Duration = defaultTimeout
    ) async -> BlueZDiagnosis {
        diagnosis(of: await BlueZFacts.collect(options, timeout: timeout))
    }

    static func diagnosis(of facts: BlueZFacts) -> BlueZDiagnosis {
        var doctor = BlueZDoctor(facts)
        doctor.checkBus()
        if facts.bus.error == nil { doctor.checkDaemon() }
        if let objects = facts.daemon.objects {
            doctor.checkAdapters(objects)
            doctor.checkSettings(objects)
        }
        let addresses = facts.bus.addresses.map(\.description).joined(separator: ";")
        return BlueZDiagnosis(
            findings: doctor.findings,
            bus: addresses.isEmpty ? nil : PrintableText.escaped(addresses.utf8),
            daemonVersion: facts.daemon.objects?.version?.description,
            adapter: facts.daemon.objects?.chosenAdapter(facts.wantedAdapter)?.path.lastElement)
    }

    private mutating func add(
        _ subject: BlueZFinding.Subject, _ severity: BlueZFinding.Severity, _ sentence: String,
        evidence: String? = nil, command: String? = nil
    ) {
        findings.append(
            BlueZFinding(
                subject: subject, severity: severity, sentence: sentence, evidence: evidence,
                command: command))
    }

    /// The maximum number of bytes shown of a system text.
    private static let lengthLimit = 160
    /// The maximum number of bytes shown of a list of addresses.
    private static let addressLimit = 600

    /// Quotes a text of the system: escaped, so that it cannot control a terminal, and cut.
    func quoted(_ text: String?, limit: Int = lengthLimit) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let bytes = text.utf8
        let isLong = bytes.count > limit
        return PrintableText.quoted(bytes.prefix(limit)) + (isLong ? "…" : "")
    }

    /// Returns a command that needs root, with `sudo` for other users.
    private func command(_ text: String) -> String { facts.computer.isRoot ? text : "sudo \(text)" }

    static func shellWord(_ path: String) -> String? {
        let isPlain = path.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:".contains($0))
        }
        return isPlain && path.first == "/" && path.utf8.count <= lengthLimit ? path : nil
    }

    private mutating func checkBus() {
        guard let error = facts.bus.error else {
            return add(.bus, .good, "The bus answers at \(place).", evidence: source)
        }
        if facts.bus.addresses.isEmpty {
            let isGiven = facts.bus.source == .option
            let subject = isGiven ? "The given text" : DBusAddress.systemBusVariable
            add(
                .bus, .problem, "\(subject) is not a valid D-Bus address.",
                evidence: quoted(error.details), command: unsetCommand)
        } else if error.isDenied {
            add(
                .bus, .problem,
                "The bus at \(place) accepts this program, but denies its first call.",
                evidence: quoted(error.policy), command: policyCommand(error))
        } else if error.isUserRefused {
            add(
                .bus, .problem,
                "The bus at \(place) rejects this program's user, as happens in containers with a"
                    + " user namespace.", evidence: quoted(error.details),
                command: facts.computer.container == nil ? nil : shareCommand)
        } else if error.kind == .timedOut {
            add(
                .bus, .problem,
                "The socket at \(place) accepts connections, but does not answer as a bus.",
                evidence: source, command: restartBus)
        } else if error.kind != .unreachable {
            add(
                .bus, .problem, "The socket at \(place) is not a bus, or the connection broke.",
                evidence: quoted(error.description), command: restartBus)
        } else {
            checkSocket(error)
        }
        guard facts.bus.source != .option else { return }
        checkSurroundings()
        if facts.bus.source == .usualPlace { checkKernel() }
    }

    private mutating func checkSocket(_ error: DBusError) {
        guard facts.bus.addresses.contains(where: { $0.socket != nil }) else {
            return add(
                .bus, .problem,
                "This program cannot use the address \(place): it needs a bus with a socket on"
                    + " this computer.", evidence: source, command: unsetCommand)
        }
        switch facts.bus.access {
        case .missing:
            let isUsual = facts.bus.source == .usualPlace
            add(
                .bus, .problem,
                "There is no bus at \(place)\(isUsual ? ", which is the usual place" : "").",
                evidence: source, command: isUsual ? startBus : unsetCommand)
        case .forbidden:
            add(
                .bus, .problem, "The bus at \(place) may not be used by this user.",
                evidence: source,
                command: facts.bus.path.flatMap(Self.shellWord).map { "ls -l \($0)" })
        case .usable, nil:
            add(
                .bus, .problem, "No program listens at \(place): the bus has ended.",
                evidence: quoted(error.details), command: restartBus)
        }
    }

    private mutating func checkSurroundings() {
        let computer = facts.computer
        if computer.isWSL {
            add(
                .surroundings, .hint,
                "This is WSL, which has Bluetooth adapters only if Windows attaches them.",
                command: "usbipd list")
        }
        guard let container = computer.container else { return }
        let sentence =
            switch container {
            case .flatpak:
                "This program runs in a Flatpak, which needs permission to use the daemon."
            case .snap:
                "This program runs in a snap, which needs its plug `bluez` connected."
            case .docker, .podman, .other:
                "This program runs in \(container.rawValue), which needs the computer's bus to be"
                    + " shared; the daemon runs outside of it."
            }
        // A command is listed only once.
        let isSaid = findings.contains { $0.command != nil && $0.command == shareCommand }
        add(
            .surroundings, .hint, sentence, evidence: quoted(computer.containerEvidence),
            command: isSaid ? nil : shareCommand)
    }

    /// The command that shares the bus with a container: it runs on the host when the container is
    /// started the next time. AppArmor's usual profile for containers allows the connection and
    /// denies the calls (home-assistant.io#46908).
    private var shareCommand: String? {
        let share = "-v /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket"
        let unconfined = "--security-opt apparmor=unconfined"
        let there = "# outside"
        return switch facts.computer.container {
        case .flatpak: "flatpak override --user --system-talk-name=\(BlueZDaemon.name) APP \(there)"
        case .snap: "sudo snap connect SNAP:bluez \(there)"
        // A user of a namespace has another ID on the host (dbus#195).
        case .podman: "podman run --userns=keep-id \(share) IMAGE \(there)"
        case .docker: "docker run \(share) \(unconfined) IMAGE \(there)"
        case .other, nil: nil
        }
    }

    private mutating func checkKernel() {
        switch facts.computer.sockets {
        case .available:
            guard facts.computer.controllers?.isEmpty != false else { return }
            add(
                .kernel, .hint, "The kernel supports Bluetooth, but has found no adapter.",
                command: command("dmesg") + " | grep -iE 'bluetooth|firmware'")
        case .unknown:
            let isInside = facts.computer.container != nil
            add(
                .kernel, isInside ? .hint : .problem,
                isInside
                    ? "No daemon can run here: the kernel keeps Bluetooth out of containers"
                        + " that have a network of their own, or has none."
                    : "The kernel has no Bluetooth, or its module is not loaded.",
                evidence: "a Bluetooth socket: address family not supported",
                command: isInside ? nil : command("modprobe bluetooth"))
        case .refused(let words):
            add(
                .kernel, .hint, "The kernel does not let this user create Bluetooth sockets.",
                evidence: quoted(words))
        }
    }

    private func policyCommand(_ error: DBusError) -> String? {
        let words = error.details ?? ""
        switch facts.computer.container {
        case .flatpak, .snap: return shareCommand
        case .docker, .podman, .other, nil: break
        }
        if words.contains("AppArmor") { return shareCommand ?? command("aa-status") }
        if words.contains("SELinux") { return command("ausearch -m USER_AVC -ts recent") }
        if facts.computer.isInGroup == false && !facts.computer.isRoot {
            return command("usermod -aG bluetooth \"$USER\"") + " # then log in again"
        }
        return "grep -rl \(BlueZDaemon.name) /etc/dbus-1/system.d /usr/share/dbus-1/system.d"
    }

    private var place: String {
        let path = facts.bus.addresses.count == 1 ? facts.bus.path : nil
        return quoted(path ?? facts.bus.text, limit: Self.addressLimit) ?? "nowhere"
    }

    /// Where the address comes from; nothing for one that an option has given.
    private var source: String? {
        switch facts.bus.source {
        case .option: nil
        case .environment: "\(DBusAddress.systemBusVariable) says so"
        case .usualPlace: "\(DBusAddress.systemBusVariable) is not set"
        }
    }

    private var unsetCommand: String? {
        facts.bus.source == .environment ? "unset \(DBusAddress.systemBusVariable)" : nil
    }

    private var startBus: String? {
        guard facts.computer.container == nil else { return shareCommand }
        return switch facts.computer.serviceManager {
        case .systemd: command("systemctl start dbus")
        case .openRC: command("rc-service dbus start")
        case .none: command("sh -c 'mkdir -p /run/dbus && dbus-daemon --system --fork'")
        }
    }

    private var restartBus: String? { facts.bus.source == .usualPlace ? startBus : nil }

    private mutating func checkDaemon() {
        if let error = facts.daemon.error {
            checkRefusal(error)
        } else if !facts.daemon.isRunning {
            checkAbsence()
        } else if let objects = facts.daemon.objects {
            checkVersion(objects)
            add(.permission, .good, "This program may use the daemon.")
        }
    }

    private mutating func checkRefusal(_ error: DBusError) {
        if error.isDenied {
            add(
                .permission, .problem,
                "A policy of the bus does not let this program use the daemon.",
                evidence: quoted(error.policy), command: policyCommand(error))
        } else if error.kind == .timedOut {
            add(
                .daemon, .problem,
                facts.daemon.isRunning
                    ? "The daemon is there, but does not answer." : "The bus does not answer.",
                command: restartDaemon)
        } else if error.kind == .unexpectedReply {
            add(
                .daemon, .problem,
                "The owner of the name \(BlueZDaemon.name) does not answer as BlueZ does.",
                command: restartDaemon)
        } else {
            add(
                .daemon, .problem, "The daemon cannot be reached.",
                evidence: quoted(error.description), command: restartDaemon)
        }
    }

    private mutating func checkAbsence() {
        let computer = facts.computer
        if facts.bus.source == .option
            || computer.container == nil && facts.bus.source != .usualPlace
        {
            return add(
                .daemon, .problem, "There is no daemon on this bus, which is not the usual one.",
                command: unsetCommand)
        }
        if computer.container != nil {
            add(
                .daemon, .problem,
                "The daemon is not visible on this bus: it does not run outside of the"
                    + " container, or is hidden from it.",
                command: "systemctl status bluetooth # outside")
            return checkSurroundings()
        }
        if computer.daemonProgram == nil && !facts.daemon.isActivatable {
            add(
                .daemon, .problem, "The daemon is not installed.",
                command: computer.installCommand.map { command($0) })
            return checkKernel()
        }
        // systemd's unit has a condition: a start that does not meet it fails silently.
        if computer.serviceManager == .systemd && computer.controllers == nil {
            add(
                .daemon, .problem,
                "The daemon does not run, and systemd would not start it before there is an"
                    + " adapter.", evidence: "/sys/class/bluetooth is missing")
        } else {
            let isKnown = facts.daemon.isActivatable
            add(
                .daemon, .problem, "The daemon does not run.",
                evidence: isKnown
                    ? "the bus knows how to start it" : quoted(computer.daemonProgram),
                command: startDaemon)
        }
        checkSurroundings()
        checkKernel()
    }

    private mutating func checkVersion(_ objects: DaemonObjects) {
        guard objects.hasAgentManager || !objects.adapters.isEmpty else {
            return add(
                .daemon, .problem,
                "The owner of the name \(BlueZDaemon.name) has none of BlueZ's objects.",
                command: restartDaemon)
        }
        guard let version = objects.version else {
            return add(.daemon, .good, "The daemon runs; its version is unknown.")
        }
        guard version >= .tellsMTU else {
            return add(
                .daemon, .hint,
                "The daemon is BlueZ \(version); before \(DaemonObjects.Version.tellsMTU) the"
                    + " MTU is unknown, and values of 20 bytes are the longest in one packet.",
                command: facts.computer.installCommand.map { command($0) })
        }
        add(.daemon, .good, "The daemon is BlueZ \(version).")
    }

    private var startDaemon: String? {
        switch facts.computer.serviceManager {
        case .systemd: command("systemctl enable --now bluetooth")
        case .openRC: command("rc-service bluetooth start")
        case .none: facts.computer.daemonProgram.map { command($0) + " &" }
        }
    }

    /// The command that restarts the daemon, if it runs on this computer.
    private var restartDaemon: String? {
        guard facts.daemon.isLocal else { return nil }
        return switch facts.computer.serviceManager {
        case .systemd: command("systemctl restart bluetooth")
        case .openRC: command("rc-service bluetooth restart")
        case .none: command("pkill -x bluetoothd") + "; " + (startDaemon ?? "")
        }
    }

    private static let namesShown = 8

    private mutating func checkAdapters(_ objects: DaemonObjects) {
        guard !objects.adapters.isEmpty else { return checkNoAdapter() }
        let shown = objects.adapters.prefix(Self.namesShown).map(name)
        let names = (shown + (objects.adapters.count > shown.count ? ["more"] : [])).joined(
            separator: ", ")
        guard let adapter = objects.chosenAdapter(facts.wantedAdapter) else {
            return add(
                .adapter, .problem,
                "There is no adapter \(quoted(facts.wantedAdapter) ?? "without a name"), only"
                    + " \(names).",
                command: objects.adapters.first.flatMap(checkCommand))
        }
        let address = quoted(adapter.address).map { ", \($0)" } ?? ""
        let others = objects.adapters.count > 1 ? "there are \(names)" : nil
        add(.adapter, .good, "The adapter is \(name(adapter))\(address).", evidence: others)
        checkPower(adapter)
        checkRoles(adapter)
        guard adapter.isDiscovering else { return }
        add(
            .discovery, .hint,
            "Another program scans at the moment; the daemon merges the filters of all"
                + " programs.")
    }

    private mutating func checkNoAdapter() {
        let controllers = facts.computer.controllers ?? []
        if facts.daemon.isLocal, !controllers.isEmpty {
            add(
                .adapter, .problem,
                "The kernel has found an adapter, but the daemon does not know it.",
                evidence: quoted(controllers.joined(separator: ", ")), command: restartDaemon)
        } else {
            add(
                .adapter, .problem,
                "There is no adapter: none is plugged in, or its driver or firmware is missing.",
                command: command("dmesg") + " | grep -iE 'bluetooth|firmware'")
        }
    }

    private mutating func checkPower(_ adapter: BlueZAdapter) {
        let name = name(adapter)
        guard adapter.isPowered != true else { return add(.radioSwitch, .good, "\(name) is on.") }
        guard adapter.isPowered == false else {
            return add(
                .adapter, .problem, "The daemon does not report whether \(name) is on.",
                command: restartDaemon)
        }
        // The daemon of another computer has other radios; a container has those of its host.
        let isHere = facts.daemon.isLocal || facts.computer.container != nil
        let known = isHere ? facts.computer.switches : []
        let own = known.filter { $0.name == adapter.path.lastElement }
        // A switch with the name of another adapter belongs to that adapter.
        let switches = known.filter {
            $0.name == adapter.path.lastElement || !Self.isRadio($0.name)
        }
        // A general switch applies if the adapter has none of its own.
        let hard = own.first(where: \.isHard) ?? switches.first(where: \.isHard)
        let soft = own.first(where: \.isSoft) ?? switches.first(where: \.isSoft)
        if let hard {
            add(
                .radioSwitch, .problem,
                "\(name) is off: a hardware switch or key blocks the radio.",
                evidence: quoted(hard.name).map { "rfkill: \($0) is hard blocked" },
                command: "rfkill list")
        } else if soft != nil || adapter.isBlocked {
            add(
                .radioSwitch, .problem, "\(name) is off: rfkill blocks the radio.",
                evidence: quoted(soft?.name).map { "rfkill: \($0) is soft blocked" },
                command: command("rfkill unblock bluetooth"))
        } else {
            add(
                .adapter, .problem, "\(name) is off.",
                evidence: facts.computer.settings.flag("Policy", "AutoEnable") == false
                    && facts.daemon.isLocal ? "AutoEnable=false in main.conf" : nil,
                command: powerCommand(adapter))
        }
    }

    /// `true` for a name that the kernel gives to adapters: `hci0`.
    private static func isRadio(_ name: String) -> Bool {
        let digits = name.dropFirst(3)
        return name.hasPrefix("hci") && !digits.isEmpty && digits.allSatisfy(\.isNumber)
    }

    private func checkCommand(_ adapter: BlueZAdapter) -> String? {
        let command = "halo doctor --adapter \(name(adapter))"
        guard facts.bus.source == .option else { return command }
        let bus = facts.bus.text
        let isPlain = bus.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "'") }
        return isPlain ? "\(command) --bus '\(bus)'" : nil
    }

    /// Returns the command that powers on an adapter. `bluetoothctl` comes with the daemon, but
    /// takes the default adapter.
    private func powerCommand(_ adapter: BlueZAdapter) -> String? {
        guard let count = facts.daemon.objects?.adapters.count, count > 1 else {
            return "bluetoothctl power on"
        }
        return Self.shellWord(adapter.path.text).map {
            "busctl set-property \(BlueZDaemon.name) \($0) \(Adapter1.interfaceName)"
                + " \(Adapter1.powered) b true"
        }
    }

    private mutating func checkRoles(_ adapter: BlueZAdapter) {
        // Older daemons have no `Roles`.
        let roles = adapter.roles ?? [Adapter1.centralRole, Adapter1.peripheralRole]
        let name = name(adapter)
        if roles.contains(Adapter1.centralRole) || roles.contains(Adapter1.bothRoles) {
            add(.central, .good, "\(name) can connect to Bluetooth Low Energy devices.")
        } else {
            add(
                .central, .problem,
                "\(name) cannot connect to Bluetooth Low Energy devices: it supports only"
                    + " classic Bluetooth, or is configured so.",
                evidence: facts.computer.settings["General", "ControllerMode"].flatMap {
                    facts.daemon.isLocal ? quoted("ControllerMode = \($0)") : nil
                })
        }
        checkPeripheral(
            adapter,
            hasRole: roles.contains(Adapter1.peripheralRole) || roles.contains(Adapter1.bothRoles))
    }

    private mutating func checkPeripheral(_ adapter: BlueZAdapter, hasRole: Bool) {
        let name = name(adapter)
        var missing: [String] = []
        if !hasRole { missing.append("the role") }
        if !adapter.hasGattManager { missing.append(GattManager1.interfaceName) }
        if !adapter.hasAdvertisingManager { missing.append(LEAdvertisingManager1.interfaceName) }
        guard missing.isEmpty else {
            return add(
                .peripheral, .hint,
                "\(name) cannot act as a device itself; connecting to others does not need that.",
                evidence: "it has not \(missing.joined(separator: ", "))")
        }
        let taken = adapter.advertisementCount.map { "\($0) taken" }
        switch adapter.freeAdvertisements {
        case 0?:
            add(
                .peripheral, .hint,
                "\(name) cannot act as a device now: other programs use all its advertisements.",
                evidence: taken, command: restartDaemon)
        case let free?:
            add(
                .peripheral, .good,
                "\(name) can act as a device, with room for"
                    + " \(free) advertisement\(free == 1 ? "" : "s").", evidence: taken)
        case nil: add(.peripheral, .good, "\(name) can act as a device.")
        }
    }

    /// Returns the adapter's name on the bus, which allows only plain characters.
    private func name(_ adapter: BlueZAdapter) -> String {
        String(adapter.path.lastElement.prefix(40))
    }

    private mutating func checkSettings(_ objects: DaemonObjects) {
        guard facts.daemon.isLocal else {
            return add(
                .settings, .hint,
                "The daemon runs where this program cannot see it, and so its settings cannot be"
                    + " seen either.")
        }
        let settings = facts.computer.settings
        guard settings.access != .forbidden else {
            return add(
                .settings, .hint, "The daemon's settings may not be read.",
                evidence: quoted(settings.path),
                command: Self.shellWord(settings.path).map { command("cat \($0)") })
        }
        checkCache(settings)
        checkEATT(settings, objects.version)
        checkDeviceID(settings)
        if settings.flag("Policy", "AutoEnable") == false {
            add(
                .settings, .hint, "Adapters stay off after the computer starts.",
                evidence: "AutoEnable=false", command: setting("Policy", "AutoEnable", "true"))
        }
        checkExperiments(settings, objects)
    }

    /// Checks for pitfall 15: services of an old firmware are cached (bluer's README: `Cache=no`).
    private mutating func checkCache(_ settings: DaemonSettings) {
        let cache = settings["GATT", "Cache"] ?? "always"
        let sentence: String? =
            switch cache {
            case "always":
                "The daemon remembers every device's services; forget a device whose firmware was"
                    + " changed."
            case "yes":
                "The daemon remembers the services of paired devices; forget one whose firmware"
                    + " was changed."
            case "no":
                "The daemon asks devices for their services each time: slower to connect, never"
                    + " stale."
            default: nil
            }
        guard let sentence else {
            return add(
                .cache, .hint, "The daemon does not know this setting of its cache.",
                evidence: quoted("[GATT] Cache = \(cache)"),
                command: setting("GATT", "Cache", "always"))
        }
        add(
            .cache, .good, sentence, evidence: "[GATT] Cache = \(cache)",
            command: cache == "no" ? nil : "bluetoothctl remove ADDRESS")
    }

    /// Checks for pitfall 16: over several channels notifications overtake each other (bluer's
    /// README: `Channels=1`).
    private mutating func checkEATT(_ settings: DaemonSettings, _ version: DaemonObjects.Version?) {
        let set = settings["GATT", "Channels"]
        let correction = setting("GATT", "Channels", "1")
        if set == nil && version == nil {
            return add(
                .eatt, .hint,
                "Whether notifications can overtake each other depends on the daemon's version,"
                    + " which is unknown: up to 5.66 they can, from phones.",
                evidence: "[GATT] Channels is not set", command: correction)
        }
        let isOffByDefault = version.map { $0 >= .disablesEATT } ?? true
        let count = set.flatMap { Int($0) } ?? (isOffByDefault ? 1 : 3)
        let evidence =
            set.flatMap { quoted("[GATT] Channels = \($0)") } ?? "[GATT] Channels is not set"
        guard count > 1 else {
            return add(
                .eatt, .good, "Notifications come over one channel, and in their order.",
                evidence: evidence)
        }
        add(
            .eatt, .hint,
            "From a device that has EATT, notifications come over up to \(min(count, 9)) channels,"
                + " and can overtake each other; rings and straps do not have it, phones do.",
            evidence: evidence, command: correction)
    }

    /// Checks for a second Device Information service: a hosted device has its own, and the daemon
    /// adds another one with its `DeviceID`.
    private mutating func checkDeviceID(_ settings: DaemonSettings) {
        let value = settings["General", "DeviceID"]
        guard value != "false" else { return }
        add(
            .settings, .hint,
            "A device that is hosted here shows two Device Information services, its own and the"
                + " daemon's; some apps look at the wrong one.",
            evidence: value.flatMap { quoted("[General] DeviceID = \($0)") }
                ?? "[General] DeviceID is not set",
            command: setting("General", "DeviceID", "false"))
    }

    private mutating func checkExperiments(_ settings: DaemonSettings, _ objects: DaemonObjects) {
        let flags = Set(facts.daemon.arguments).intersection(["-E", "--experimental"])
        let isOn = !flags.isEmpty || settings.flag("General", "Experimental") == true
        let features = objects.chosenAdapter(facts.wantedAdapter)?.experiments.count ?? 0
        guard isOn || features > 0 else {
            return add(.experiments, .good, "No experimental features are on, and none is needed.")
        }
        var evidence = flags.sorted()
        if isOn && flags.isEmpty { evidence.append("[General] Experimental = true") }
        if features > 0 { evidence.append("\(features) of the kernel") }
        add(
            .experiments, .hint,
            "Experimental features are on; none is needed here, and they may change.",
            evidence: evidence.joined(separator: ", "))
    }

    private func setting(_ group: String, _ key: String, _ value: String) -> String? {
        let settings = facts.computer.settings
        guard let path = Self.shellWord(settings.path), let restartDaemon else { return nil }
        let line = "\(key) = \(value)"
        let write =
            if settings[group, key] != nil {
                command("sed -i 's/^ *\(key) *=.*/\(line)/' \(path)")
            } else if settings.groups.contains(group) {
                command("sed -i '/^\\[\(group)\\]/a \(line)' \(path)")
            } else { "printf '[\(group)]\\n\(line)\\n' | " + command("tee -a \(path)") }
        return "\(write) && \(restartDaemon)"
    }
}

extension DBusError {
    fileprivate var isDenied: Bool { kind == .remote && name == DBusErrorName.accessDenied }

    fileprivate var isUserRefused: Bool {
        kind == .notAuthenticated && details == DBusAuthenticationError.rejected.description
    }

    /// The first part of the bus's text, which names the policy; the rest describes the call.
    fileprivate var policy: String? { details?.split(separator: ";").first.map(String.init) }
}
#endif
