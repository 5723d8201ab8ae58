#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

extension BlueZDoctor {
    /// Whether the daemon runs, answers, and answers this program.
    mutating func lookAtDaemon() {
        if let error = facts.daemon.error {
            lookAtRefusal(error)
        } else if !facts.daemon.isRunning {
            lookAtAbsence()
        } else if let objects = facts.daemon.objects {
            lookAtVersion(objects)
            find(.permission, .good, "This program may ask the daemon.")
        }
    }

    private mutating func lookAtRefusal(_ error: DBusError) {
        if error.isDenied {
            find(
                .permission, .problem,
                "A policy of the bus does not let this program ask the daemon.",
                evidence: said(error.policy), command: commandAgainstPolicy(error))
        } else if error.kind == .timedOut {
            find(
                .daemon, .problem,
                facts.daemon.isRunning
                    ? "The daemon is there, and does not answer." : "The bus does not answer.",
                command: restartDaemon)
        } else if error.kind == .unexpectedAnswer {
            find(
                .daemon, .problem,
                "What owns the name \(BlueZDaemon.name) does not answer as BlueZ does.",
                command: restartDaemon)
        } else {
            find(
                .daemon, .problem, "The daemon cannot be asked.",
                evidence: said(error.description), command: restartDaemon)
        }
    }

    private mutating func lookAtAbsence() {
        let computer = facts.computer
        if facts.bus.source == .option
            || computer.container == nil && facts.bus.source != .usualPlace
        {
            return find(
                .daemon, .problem, "There is no daemon on this bus, which is not the usual one.",
                command: unsetCommand)
        }
        if computer.container != nil {
            find(
                .daemon, .problem,
                "The daemon is not to be seen on this bus: it does not run outside of the"
                    + " container, or is hidden from it.",
                command: "systemctl status bluetooth # outside")
            return lookAtSurroundings()
        }
        if computer.daemonProgram == nil && !facts.daemon.isActivatable {
            find(
                .daemon, .problem, "The daemon is not installed.",
                command: computer.installCommand.map { command($0) })
            return lookAtKernel()
        }
        // systemd's unit has a condition, and a start that does not meet it says nothing.
        if computer.serviceManager == .systemd && computer.controllers == nil {
            find(
                .daemon, .problem,
                "The daemon does not run, and systemd would not start it before there is an"
                    + " adapter.", evidence: "/sys/class/bluetooth is missing")
        } else {
            let isKnown = facts.daemon.isActivatable
            find(
                .daemon, .problem, "The daemon does not run.",
                evidence: isKnown ? "the bus knows how to start it" : said(computer.daemonProgram),
                command: startDaemon)
        }
        lookAtSurroundings()
        lookAtKernel()
    }

    private mutating func lookAtVersion(_ objects: DaemonObjects) {
        guard objects.hasAgentManager || !objects.adapters.isEmpty else {
            return find(
                .daemon, .problem,
                "What owns the name \(BlueZDaemon.name) has none of BlueZ's objects.",
                command: restartDaemon)
        }
        guard let version = objects.version else {
            return find(.daemon, .good, "The daemon runs, and does not tell its version.")
        }
        guard version >= .tellsMTU else {
            return find(
                .daemon, .hint,
                "The daemon is BlueZ \(version); before \(DaemonObjects.Version.tellsMTU) none"
                    + " tells how much fits into a packet, and 20 bytes are taken for it.",
                command: facts.computer.installCommand.map { command($0) })
        }
        find(.daemon, .good, "The daemon is BlueZ \(version).")
    }

    private var startDaemon: String? {
        switch facts.computer.serviceManager {
        case .systemd: command("systemctl enable --now bluetooth")
        case .openRC: command("rc-service bluetooth start")
        case .none: facts.computer.daemonProgram.map { command($0) + " &" }
        }
    }

    /// Begins the daemon anew, if it is one that runs here.
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
