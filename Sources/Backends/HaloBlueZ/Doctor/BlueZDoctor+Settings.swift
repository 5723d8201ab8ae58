#if os(Linux)
extension BlueZDoctor {
    mutating func checkSettings(_ objects: DaemonObjects) {
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
#endif
