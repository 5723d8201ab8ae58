#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

extension BlueZDoctor {
    /// Whether the bus is there and lets this program in.
    mutating func lookAtBus() {
        guard let error = facts.bus.error else {
            return find(.bus, .good, "The bus answers at \(place).", evidence: source)
        }
        let variable = DBusAddress.systemBusVariable
        if facts.bus.addresses.isEmpty {
            find(
                .bus, .problem, "What \(variable) says is no address of a bus.",
                evidence: said(error.details), command: "unset \(variable)")
        } else if error.isDenied {
            find(
                .bus, .problem, "The bus at \(place) lets this program in, and then not speak.",
                evidence: said(error.policy), command: commandAgainstPolicy(error))
        } else if error.isUserRefused {
            find(
                .bus, .problem,
                "The bus at \(place) does not believe who this program's user is, as happens in"
                    + " containers with users of their own.", evidence: said(error.details),
                command: facts.computer.container == nil ? nil : shareCommand)
        } else if error.kind == .timedOut {
            find(
                .bus, .problem, "Something accepts at \(place), and never answers as a bus does.",
                evidence: source, command: restartBus)
        } else if error.kind != .unreachable {
            find(
                .bus, .problem, "What answers at \(place) is no bus, or broke.",
                evidence: said(error.description), command: restartBus)
        } else {
            lookAtSocket(error)
        }
        guard facts.bus.source != .option else { return }
        lookAtSurroundings()
        if facts.bus.source == .usualPlace { lookAtKernel() }
    }

    private mutating func lookAtSocket(_ error: DBusError) {
        guard facts.bus.addresses.contains(where: { $0.socket != nil }) else {
            return find(
                .bus, .problem,
                "This program cannot use the address \(place): it knows no buses but those behind"
                    + " a socket of this computer.", evidence: source, command: unsetCommand)
        }
        switch facts.bus.access {
        case .missing:
            let isUsual = facts.bus.source == .usualPlace
            find(
                .bus, .problem,
                "There is no bus at \(place)\(isUsual ? ", which is the usual place" : "").",
                evidence: source, command: isUsual ? startBus : unsetCommand)
        case .forbidden:
            find(
                .bus, .problem, "The bus at \(place) may not be used by this user.",
                evidence: source,
                command: facts.bus.path.flatMap(Self.shellWord).map { "ls -l \($0)" })
        case .usable, nil:
            find(
                .bus, .problem, "Nobody listens at \(place): the bus that was there has ended.",
                evidence: said(error.details), command: restartBus)
        }
    }

    /// What the program runs in, where that may be why something is missing.
    mutating func lookAtSurroundings() {
        let computer = facts.computer
        if computer.isWSL {
            find(
                .surroundings, .hint,
                "This is Linux within Windows, which has radios only if they are handed over.",
                command: "usbipd list")
        }
        guard let container = computer.container else { return }
        let sentence =
            switch container {
            case .flatpak: "This program runs in a Flatpak, which sees the daemon only if it may."
            case .snap:
                "This program runs in a snap, which sees the daemon only if it is connected to it."
            case .docker, .podman, .other:
                "This program runs in \(container.rawValue), where it has the computer's bus only"
                    + " if that is shared; the daemon stays outside."
            }
        // Once is enough.
        let isSaid = findings.contains { $0.command != nil && $0.command == shareCommand }
        find(
            .surroundings, .hint, sentence, evidence: said(computer.containerEvidence),
            command: isSaid ? nil : shareCommand)
    }

    /// How a container gets the bus: what is said on the computer, and not in the container, when
    /// the program is started the next time. AppArmor's usual profile for containers would let it
    /// in and then refuse what is asked (home-assistant.io#46908).
    private var shareCommand: String? {
        let share = "-v /run/dbus/system_bus_socket:/var/run/dbus/system_bus_socket"
        let unconfined = "--security-opt apparmor=unconfined"
        let there = "# outside"
        return switch facts.computer.container {
        case .flatpak: "flatpak override --user --system-talk-name=\(BlueZDaemon.name) APP \(there)"
        case .snap: "sudo snap connect SNAP:bluez \(there)"
        // A user of a namespace is somebody else outside (dbus#195).
        case .podman: "podman run --userns=keep-id \(share) IMAGE \(there)"
        case .docker: "docker run \(share) \(unconfined) IMAGE \(there)"
        case .other, nil: nil
        }
    }

    /// Whether a daemon could do anything on this computer.
    mutating func lookAtKernel() {
        switch facts.computer.sockets {
        case .available:
            guard facts.computer.controllers?.isEmpty != false else { return }
            find(
                .kernel, .hint, "The kernel knows Bluetooth, and has found no adapter.",
                command: command("dmesg") + " | grep -iE 'bluetooth|firmware'")
        case .unknown:
            let isInside = facts.computer.container != nil
            find(
                .kernel, isInside ? .hint : .problem,
                isInside
                    ? "No daemon could run in here: the kernel keeps Bluetooth out of containers"
                        + " that have a network of their own, or has none."
                    : "The kernel has no Bluetooth, or its module is not loaded.",
                evidence: "a socket of Bluetooth: address family not supported",
                command: isInside ? nil : command("modprobe bluetooth"))
        case .refused(let words):
            find(
                .kernel, .hint, "The kernel lets this user make no sockets of Bluetooth.",
                evidence: said(words))
        }
    }

    /// What helps when a policy says no.
    func commandAgainstPolicy(_ error: DBusError) -> String? {
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
        let texts = facts.bus.addresses.map(\.description)
        let path = texts.count == 1 ? facts.bus.path : nil
        return said(path ?? texts.joined(separator: ";"), limit: Self.addressLimit) ?? "nowhere"
    }

    private var source: String {
        switch facts.bus.source {
        case .option: "the address was given"
        case .environment: "\(DBusAddress.systemBusVariable) says so"
        case .usualPlace: "\(DBusAddress.systemBusVariable) is not set"
        }
    }

    /// Unsets the variable that says where the bus is, if it is set.
    var unsetCommand: String? {
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
}
#endif
