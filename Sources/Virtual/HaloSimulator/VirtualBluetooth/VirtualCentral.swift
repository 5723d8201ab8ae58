public import HaloTransport

/// One central in a virtual air: a phone or a computer with its own adapter.
public struct VirtualCentral: BLETransport {
    /// The name in diagnostics.
    public let name: String
    let number: CentralNumber
    let world: VirtualWorld

    /// The time that passes in the air.
    public var time: any TransportTime { world }

    /// Every optional feature.
    public var features: TransportFeatures {
        [.connectedRSSI, .duplicateReports, .rawAdvertisements]
    }

    /// The state of the adapter.
    public var adapterState: AdapterState { world.read { $0.air.adapterState(of: number) } }

    /// Sets the state of the adapter. In any state but on, links end, and scans and attempts fail.
    public func setAdapterState(_ adapter: AdapterState) {
        world.change { state in
            guard state.air.adapterState(of: number) != adapter else { return }
            state.air.setAdapterState(adapter, of: number)
            for tag in state.observers.keys.sorted() {
                guard let (central, observer) = state.observers[tag], central == number else {
                    continue
                }
                state.actions.append { observer(adapter) }
            }
        }
    }

    /// Observes the state of the adapter.
    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> BLECancellable {
        let tag = world.change { state in
            let tag = state.makeTag()
            state.observers[tag] = (number, change)
            return tag
        }
        return BLECancellable { [world] in
            _ = world.change { $0.observers.removeValue(forKey: tag) }
        }
    }

    /// Scans for advertisements. Only duplicates are filtered here; the caller applies the rest of
    /// the filter.
    public func startScan(
        _ filter: ScanFilter,
        _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> BLECancellable {
        let tag = world.change { state in
            let tag = state.makeTag()
            state.scans[tag] = report
            state.air.startScan(
                central: number, reportsDuplicates: filter.reportsDuplicates, tag: tag)
            return tag
        }
        return BLECancellable { [world] in
            _ = world.change { state in
                state.air.stopScan(tag: tag)
                return state.scans.removeValue(forKey: tag)
            }
        }
    }

    /// Connects at the device's next advertisement, without a timeout.
    public func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> BLECancellable {
        let tag = world.change { state in
            let tag = state.makeTag()
            state.completions[tag] = .link(events, completion)
            // An identity of no virtual device is treated as a device that does not exist.
            let device = DeviceNumber(identity) ?? DeviceNumber(-1)
            state.air.connect(central: number, to: device, tag: tag)
            return tag
        }
        return BLECancellable { [world] in world.change { $0.air.cancelConnect(tag: tag) } }
    }
}
