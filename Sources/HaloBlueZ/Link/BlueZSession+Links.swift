#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

extension BlueZSession {
    /// Takes in what a daemon said, for the links.
    ///
    /// Everything comes in the one order in which the daemon said it, answers among them: so what
    /// a device sent before its link ended is told before the end (pitfall 14).
    mutating func linksNoticed(_ change: MirrorChange) {
        switch change {
        case .value(let characteristic, let value):
            valuesCame([value], from: characteristic)
        case .battery(let device, let percentage):
            if let number = links.byDevice[device] { batteryCame(percentage, on: number) }
        case .attributes(let device):
            if let number = links.byDevice[device] { attributesChanged(on: number) }
        case .mtu(let characteristic):
            mtuChanged(of: characteristic)
        case .resolved(let device, let isResolved):
            if let number = links.byDevice[device] { resolved(isResolved, on: number) }
        case .connection(let device, let isConnected):
            if let number = links.byDevice[device] {
                if isConnected { connected(number) } else { connectionEnded(number) }
            }
            if !isConnected { parted(device) }
        case .reason(let device, let name, let text):
            if let number = links.byDevice[device] { reasonCame(name, text, on: number) }
        case .deviceRemoved(let device):
            if let number = links.byDevice[device] { deviceVanished(number) }
            parted(device)
        case .device(let device, _):
            pairingNoticed(of: device)
            if !links.seeking.isEmpty { seekAgain(device) }
        case .loaded:
            break
        case .adapter(let path):
            adapterChanged(path)
        case .adapterRemoved(let path):
            adapterVanished(path)
        case .lost(let text):
            daemonVanished(text)
        }
    }

    /// Tells a link's user that something has happened.
    mutating func tell(_ event: LinkEvent, on number: LinkNumber) {
        guard let course = links[number], course.isTold else { return }
        let receiver = course.shell.receiver
        perform { receiver.event(event) }
    }

    /// Does something for a link after some time, in place of what was to be done for the same
    /// wait before.
    mutating func wait(
        _ wait: LinkCourse.Wait, on number: LinkNumber, for duration: Duration,
        then action: @escaping @Sendable (inout BlueZSession, LinkNumber) -> Void
    ) {
        endWait(wait, on: number)
        guard links[number] != nil else { return }
        let timer = after(duration) { session in
            session.links[number]?.timers[wait] = nil
            action(&session, number)
        }
        links[number]?.timers[wait] = timer
    }

    /// Waits for something no longer.
    mutating func endWait(_ wait: LinkCourse.Wait, on number: LinkNumber) {
        if let timer = links[number]?.timers.removeValue(forKey: wait) { cancel(timer) }
    }

    /// Links by the adapter that they go through.
    func linkNumbers(through adapter: DBusObjectPath) -> [LinkNumber] {
        links.courses.filter { $0.value.adapter == adapter }.keys
            .sorted()
    }

    private mutating func adapterChanged(_ path: DBusObjectPath) {
        guard let adapter = mirror.adapters[path], !adapter.isOn else { return }
        // Links through it end with it, and so does a Connect, which is never answered when the
        // adapter is switched off under it (testbed: "no reply at all").
        for number in linkNumbers(through: path) {
            end(
                number, DisconnectReason(.adapterGone, details: "the adapter is switched off"),
                orElse: .poweredOff)
        }
    }

    private mutating func adapterVanished(_ path: DBusObjectPath) {
        for number in linkNumbers(through: path) {
            end(
                number, DisconnectReason(.adapterGone, details: "the adapter was removed"),
                orElse: .unsupported)
        }
    }

    /// A daemon that comes back knows nothing of links that were: they end, and the next attempt
    /// finds the new one (pitfall 19).
    private mutating func daemonVanished(_ text: String) {
        // First those who wait for another link's end, which would begin when that comes.
        let numbers = links.courses.keys.sorted()
        let waiting = numbers.filter { links[$0]?.phase == .waiting }
        for number in waiting + numbers {
            end(number, DisconnectReason(.backendGone, details: text), orElse: .backend)
        }
        agentVanished()
    }

    private mutating func deviceVanished(_ number: LinkNumber) {
        switch links[number]?.phase {
        case .connecting: objectVanished(number)
        case .ending, .leaving: end(number, nil, orElse: .cancelled)
        default:
            end(
                number, DisconnectReason(.remote, details: "the daemon removed the device"),
                orElse: .notFound)
        }
    }
}
#endif
