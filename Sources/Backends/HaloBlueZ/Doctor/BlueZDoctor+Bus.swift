#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

extension BlueZDoctor {
    mutating func checkBus() {
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

    mutating func checkSurroundings() {
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

    mutating func checkKernel() {
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

    func policyCommand(_ error: DBusError) -> String? {
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
