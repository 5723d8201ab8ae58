#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

extension BlueZDoctor {
    private static let namesShown = 8

    mutating func checkAdapters(_ objects: DaemonObjects) {
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
}
#endif
