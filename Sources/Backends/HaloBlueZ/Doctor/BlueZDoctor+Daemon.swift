#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

extension BlueZDoctor {
    mutating func checkDaemon() {
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
    var restartDaemon: String? {
        guard facts.daemon.isLocal else { return nil }
        return switch facts.computer.serviceManager {
        case .systemd: command("systemctl restart bluetooth")
        case .openRC: command("rc-service bluetooth restart")
        case .none: command("pkill -x bluetoothd") + "; " + (startDaemon ?? "")
        }
    }
}
#endif
