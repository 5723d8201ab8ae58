internal import HaloProtocol
public import HaloTransport

/// One central in a virtual air: a phone or a computer with an adapter of its own.
public struct VirtualCentral: BLETransport {
    /// What it is called in diagnostics.
    public let name: String
    let number: CentralNumber
    let world: VirtualWorld

    /// The time that passes in the air.
    public var time: any TransportTime { VirtualTime(world: world) }

    /// All that a backend can do.
    public var features: TransportFeatures {
        [.connectedRSSI, .duplicateReports, .rawAdvertisements]
    }

    /// Whether its adapter can be used.
    public var adapterState: AdapterState { world.read { $0.air.adapterState(of: number) } }

    /// Switches its adapter. Unless it is on, links end and scans and attempts fail.
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

    /// Tells of each change of the adapter.
    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> Registration {
        let tag = world.change { state in
            let tag = state.makeTag()
            state.observers[tag] = (number, change)
            return tag
        }
        return Registration { [world] in
            _ = world.change { $0.observers.removeValue(forKey: tag) }
        }
    }

    /// Listens for advertisements. Everything that is heard is told; only what repeats is left
    /// out here, unless it is asked for.
    public func startScan(
        _ filter: ScanFilter,
        _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> Registration {
        let tag = world.change { state in
            let tag = state.makeTag()
            state.scans[tag] = report
            state.air.startScan(
                central: number, reportsDuplicates: filter.reportsDuplicates, tag: tag)
            return tag
        }
        return Registration { [world] in
            _ = world.change { state in
                state.air.stopScan(tag: tag)
                return state.scans.removeValue(forKey: tag)
            }
        }
    }

    /// Connects when the device is heard next, however long that takes.
    public func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> Registration {
        let tag = world.change { state in
            let tag = state.makeTag()
            state.completions[tag] = .link(events, completion)
            // A device that cannot be is one that is not there.
            let device = DeviceNumber(identity) ?? DeviceNumber(-1)
            state.air.connect(central: number, to: device, tag: tag)
            return tag
        }
        return Registration { [world] in world.change { $0.air.cancelConnect(tag: tag) } }
    }
}
