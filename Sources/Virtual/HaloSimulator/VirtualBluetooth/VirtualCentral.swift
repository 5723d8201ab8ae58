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
        world.state.run { state in
            guard state.air.adapterState(of: number) != adapter else { return }
            state.air.setAdapterState(adapter, of: number)
            for (_, (central, observer)) in state.observers.sortedByKey where central == number {
                state.actions.append { observer(adapter) }
            }
        }
    }

    /// Observes the state of the adapter.
    public func observeAdapter(
        _ change: @escaping @Sendable (AdapterState) -> Void
    ) -> BLECancellable {
        world.begin { state, tag in
            state.observers[tag] = (number, change)
        } end: { state, tag in
            state.observers.removeValue(forKey: tag)
        }
    }

    /// Scans for advertisements. Only duplicates are filtered here; the caller applies the rest of
    /// the filter.
    public func startScan(
        _ filter: ScanFilter,
        _ report: @escaping @Sendable (Result<Discovery, BLEError>) -> Void
    ) -> BLECancellable {
        world.begin { state, tag in
            state.requests[tag] = VirtualWorld.Request { output, _ in
                if case .heard(_, let discovery, _) = output { report(.success(discovery)) }
                if case .failed(let error, _) = output { report(.failure(error)) }
            }
            state.air.startScan(
                central: number, reportsDuplicates: filter.reportsDuplicates, tag: tag)
        } end: { state, tag in
            state.air.stopScan(tag: tag)
            return state.requests.removeValue(forKey: tag)
        }
    }

    /// Connects at the device's next advertisement, without a timeout.
    public func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping @Sendable (Result<any LinkDriver, BLEError>) -> Void
    ) -> BLECancellable {
        world.begin { state, tag in
            state.requests[tag] = VirtualWorld.Request(events: events) { output, world in
                if case .failed(let error, _) = output { completion(.failure(error)) }
                if case .connected(let number, _) = output {
                    completion(.success(VirtualLink(number, world)))
                }
            }
            // An identity of no virtual device is treated as a device that does not exist.
            let device = DeviceNumber(identity) ?? DeviceNumber(-1)
            state.air.connect(central: number, to: device, tag: tag)
        } end: { state, tag in
            state.air.cancelConnect(tag: tag)
        }
    }
}
