#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// Those who scan.
extension BlueZSession {
    /// Tells of devices until ``endScan(_:)`` with this number, or until it cannot go on.
    mutating func beginScan(
        _ filter: ScanFilter, _ report: @escaping DiscoveryState.Report
    ) -> UInt64 {
        let number = nextNumber()
        guard discovery.scans.count < DiscoveryState.maximumScans else {
            perform { report(.failure(BLEError(.overloaded, .scan))) }
            return number
        }
        discovery.scans[number] = DiscoveryState.Scan(filter: filter, report: report)
        whenUsable { session, result in
            guard session.discovery.scans[number] != nil else { return }
            switch result {
            case .success(let adapter): session.turnOn(number, adapter)
            case .failure(let outage): session.failScan(number, outage.error(.scan))
            }
        }
        return number
    }

    /// Tells a scan nothing more.
    mutating func endScan(_ number: UInt64) {
        guard let scan = discovery.scans.removeValue(forKey: number) else { return }
        letGo(scan.report)
        continueDiscovery()
    }

    private mutating func failScan(_ number: UInt64, _ error: BLEError) {
        guard let scan = discovery.scans.removeValue(forKey: number) else { return }
        perform { scan.report(.failure(error)) }
    }

    private mutating func turnOn(_ number: UInt64, _ adapter: DBusObjectPath) {
        useForDiscovery(adapter)
        discovery.scans[number]?.isOn = true
        if let report = discovery.scans[number]?.report { reportKnown(report, adapter) }
        continueDiscovery()
    }

    /// What was heard while another scan goes on, also another program's, is told at once: it may
    /// not be heard again soon, and of a device that advertises the same with the same strength
    /// the daemon says nothing (btvirt is heard once for each beginning of discovery). The daemon
    /// takes the strength of the signal back when nobody discovers any more. A device that is
    /// connected does not advertise, and is there.
    private mutating func reportKnown(
        _ report: @escaping DiscoveryState.Report, _ adapter: DBusObjectPath
    ) {
        let known = mirror.devices
            .filter { $0.value.adapter == adapter && ($0.value.isInReach || $0.value.isConnected) }
            .map(\.key).sorted { $0.text < $1.text }
            .compactMap { mirror.discovery(of: $0) }
        guard !known.isEmpty else { return }
        perform { for discovery in known { report(.success(discovery)) } }
    }

    /// A device was heard: all scans are told, and what does not match is dropped above.
    mutating func reportDevice(_ path: DBusObjectPath) {
        guard !discovery.scans.isEmpty, let device = mirror.devices[path],
            device.adapter == discovery.adapter, let discovery = mirror.discovery(of: path)
        else { return }
        let scans = self.discovery.scans.filter(\.value.isOn).sorted { $0.key < $1.key }
        let reports = scans.map(\.value.report)
        perform { for report in reports { report(.success(discovery)) } }
    }
}
#endif
