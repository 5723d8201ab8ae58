#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

extension BlueZDoctor {
    /// How many adapters are named where all are meant.
    private static let namesShown = 8

    /// Whether there is an adapter, and what can be done with the one that a program gets.
    mutating func lookAtAdapters(_ objects: DaemonObjects) {
        guard !objects.adapters.isEmpty else { return lookAtNoAdapter() }
        let shown = objects.adapters.prefix(Self.namesShown).map(name)
        let names = (shown + (objects.adapters.count > shown.count ? ["more"] : [])).joined(
            separator: ", ")
        guard let adapter = objects.chosenAdapter(facts.wantedAdapter) else {
            return find(
                .adapter, .problem,
                "There is no adapter \(said(facts.wantedAdapter) ?? "without a name"), only"
                    + " \(names).",
                command: objects.adapters.first.map { "halo doctor --adapter \(name($0))" })
        }
        let address = said(adapter.address).map { ", \($0)" } ?? ""
        let others = objects.adapters.count > 1 ? "there are \(names)" : nil
        find(.adapter, .good, "The adapter is \(name(adapter))\(address).", evidence: others)
        lookAtPower(adapter)
        lookAtRoles(adapter)
        guard adapter.isDiscovering else { return }
        find(
            .discovery, .hint,
            "Some program looks for devices at the moment; what it asks for is mixed with what"
                + " others ask for.")
    }

    private mutating func lookAtNoAdapter() {
        let controllers = facts.computer.controllers ?? []
        if facts.daemon.isLocal, !controllers.isEmpty {
            find(
                .adapter, .problem,
                "The kernel has found an adapter, and the daemon does not know it.",
                evidence: said(controllers.joined(separator: ", ")), command: restartDaemon)
        } else {
            find(
                .adapter, .problem,
                "There is no adapter: none is plugged in, or its driver or firmware is missing.",
                command: command("dmesg") + " | grep -iE 'bluetooth|firmware'")
        }
    }

    private mutating func lookAtPower(_ adapter: BlueZAdapter) {
        let name = name(adapter)
        guard adapter.isPowered != true else { return find(.radioSwitch, .good, "\(name) is on.") }
        guard adapter.isPowered == false else {
            return find(
                .adapter, .problem, "The daemon does not say whether \(name) is on.",
                command: restartDaemon)
        }
        // A daemon elsewhere has other radios; outside of a container it has these.
        let isHere = facts.daemon.isLocal || facts.computer.container != nil
        let known = isHere ? facts.computer.switches : []
        let own = known.filter { $0.name == adapter.path.lastElement }
        // A switch that is called like another radio is that one's.
        let switches = known.filter {
            $0.name == adapter.path.lastElement || !Self.isRadio($0.name)
        }
        // Where the radio has no switch of its own, another one may stand for it.
        let hard = own.first(where: \.isHard) ?? switches.first(where: \.isHard)
        let soft = own.first(where: \.isSoft) ?? switches.first(where: \.isSoft)
        if let hard {
            find(
                .radioSwitch, .problem,
                "\(name) is off: a switch or key of the computer keeps the radio silent.",
                evidence: said(hard.name).map { "rfkill: \($0) is hard blocked" },
                command: "rfkill list")
        } else if soft != nil || adapter.isBlocked {
            find(
                .radioSwitch, .problem, "\(name) is off: the kernel keeps the radio silent.",
                evidence: said(soft?.name).map { "rfkill: \($0) is soft blocked" },
                command: command("rfkill unblock bluetooth"))
        } else {
            find(
                .adapter, .problem, "\(name) is off.",
                evidence: facts.computer.settings.flag("Policy", "AutoEnable") == false
                    && facts.daemon.isLocal ? "AutoEnable=false in main.conf" : nil,
                command: powerCommand(adapter))
        }
    }

    /// Whether something is called as the kernel calls radios: `hci0`.
    private static func isRadio(_ name: String) -> Bool {
        let digits = name.dropFirst(3)
        return name.hasPrefix("hci") && !digits.isEmpty && digits.allSatisfy(\.isNumber)
    }

    /// What switches an adapter on. `bluetoothctl` comes with the daemon, but means whichever it
    /// takes for the first.
    private func powerCommand(_ adapter: BlueZAdapter) -> String? {
        guard let count = facts.daemon.objects?.adapters.count, count > 1 else {
            return "bluetoothctl power on"
        }
        return Self.shellWord(adapter.path.text).map {
            "busctl set-property \(BlueZDaemon.name) \($0) \(Adapter1.interfaceName)"
                + " \(Adapter1.powered) b true"
        }
    }

    private mutating func lookAtRoles(_ adapter: BlueZAdapter) {
        // Older daemons do not tell.
        let roles = adapter.roles ?? [Adapter1.centralRole, Adapter1.peripheralRole]
        let name = name(adapter)
        if roles.contains(Adapter1.centralRole) || roles.contains(Adapter1.bothRoles) {
            find(.central, .good, "\(name) can connect to devices of Bluetooth Low Energy.")
        } else {
            find(
                .central, .problem,
                "\(name) cannot connect to devices of Bluetooth Low Energy: it knows only the"
                    + " older Bluetooth, or is set so.",
                evidence: facts.computer.settings["General", "ControllerMode"].flatMap {
                    facts.daemon.isLocal ? said("ControllerMode = \($0)") : nil
                })
        }
        lookAtPeripheral(
            adapter,
            hasRole: roles.contains(Adapter1.peripheralRole) || roles.contains(Adapter1.bothRoles))
    }

    private mutating func lookAtPeripheral(_ adapter: BlueZAdapter, hasRole: Bool) {
        let name = name(adapter)
        var missing: [String] = []
        if !hasRole { missing.append("the role") }
        if !adapter.hasGattManager { missing.append(GattManager1.interfaceName) }
        if !adapter.hasAdvertisingManager { missing.append(LEAdvertisingManager1.interfaceName) }
        guard missing.isEmpty else {
            return find(
                .peripheral, .hint,
                "\(name) cannot be a device itself; to connect to others does not need that.",
                evidence: "it has not \(missing.joined(separator: ", "))")
        }
        let taken = adapter.advertisementCount.map { "\($0) taken" }
        switch adapter.freeAdvertisements {
        case 0?:
            find(
                .peripheral, .hint,
                "\(name) cannot be a device now: other programs have all its advertisements.",
                evidence: taken, command: restartDaemon)
        case let free?:
            find(
                .peripheral, .good,
                "\(name) can be a device, with room for"
                    + " \(free) advertisement\(free == 1 ? "" : "s").", evidence: taken)
        case nil: find(.peripheral, .good, "\(name) can be a device.")
        }
    }

    /// An adapter's name, which the daemon chose; of what characters is the bus's matter.
    private func name(_ adapter: BlueZAdapter) -> String {
        String(adapter.path.lastElement.prefix(40))
    }
}
#endif
