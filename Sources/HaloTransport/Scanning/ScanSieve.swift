internal import HaloProtocol

/// Which of the advertisements that a backend reports are worth telling.
///
/// What is known of a device grows with what is heard of it, as a name may come later than the
/// services. Of at most ``maximumDevices`` is it known what was told; the oldest is forgotten
/// first, and told again if it is heard again.
struct ScanSieve {
    /// Of how many devices it is remembered what was told.
    static let maximumDevices = 1024
    /// How many services, and companies, of one device are remembered.
    static let maximumServices = 64

    private struct Known {
        var discovery: Discovery
        var wasTold = false
    }

    private let filter: ScanFilter
    private var known: [PeripheralIdentity: Known] = [:]
    private var order = FIFO<PeripheralIdentity>()

    /// A sieve that knows no device.
    init(_ filter: ScanFilter) {
        self.filter = filter
    }

    /// Takes in what was heard; gives what is to be told, if anything.
    mutating func sift(_ heard: Discovery) -> Discovery? {
        let before = known[heard.identity]
        var now = before ?? Known(discovery: heard)
        now.discovery = Self.merge(heard, into: now.discovery)
        let matches = filter.matches(now.discovery)
        let isNew = before.map { !$0.wasTold || Self.differs($0.discovery, now.discovery) } ?? true
        now.wasTold = now.wasTold || matches
        if before == nil { makeRoom(for: heard.identity) }
        known[heard.identity] = now
        return matches && (isNew || filter.reportsDuplicates) ? now.discovery : nil
    }

    private mutating func makeRoom(for identity: PeripheralIdentity) {
        order.append(identity)
        if order.count > Self.maximumDevices, let oldest = order.popFirst() {
            known[oldest] = nil
        }
    }

    private static func merge(_ heard: Discovery, into known: Discovery) -> Discovery {
        var all = heard
        all.name = heard.name ?? known.name
        all.rssi = heard.rssi ?? known.rssi
        all.isConnectable = heard.isConnectable ?? known.isConnectable
        let services = known.services.filter { !heard.services.contains($0) }
        if services.count + heard.services.count <= maximumServices {
            all.services = services + heard.services
        }
        let companies = known.manufacturerData.filter { old in
            !heard.manufacturerData.contains { $0.company == old.company }
        }
        if companies.count + heard.manufacturerData.count <= maximumServices {
            all.manufacturerData = companies + heard.manufacturerData
        }
        return all
    }

    private static func differs(_ one: Discovery, _ other: Discovery) -> Bool {
        one.name != other.name || one.isConnectable != other.isConnectable
            || Set(one.services) != Set(other.services)
            || Set(one.manufacturerData) != Set(other.manufacturerData)
    }
}
