import HaloProtocol
import HaloTransport

extension TransportContract {
    /// Scanning, the adapter's state, and connecting, cancelled or not.
    static var connecting: [Check] {
        [
            Check("a scan finds a device by a service that it advertises") { bench in
                let found = try await bench.find()
                try bench.check(
                    found.services.contains(ContractAttribute.service), "\(found.services)")
            },
            Check("a scan finds a device by the beginning of its name, in either case") { bench in
                var filter = ContractBench<Harness>.filter
                filter.namePrefix = String(ContractPeripheral.name.uppercased().dropLast(3))
                let found = try await bench.transport.find(filter)
                try bench.equal(found.name, ContractPeripheral.name, "the name")
            },
            Check("a scan finds a device by the company whose data it advertises") { bench in
                var filter = ContractBench<Harness>.filter
                filter.company = ContractPeripheral.company
                let found = try await bench.transport.find(filter)
                let data = ManufacturerData(
                    company: ContractPeripheral.company, bytes: ContractPeripheral.companyData)
                try bench.check(
                    found.manufacturerData.contains(data), "\(found.manufacturerData)")
            },
            Check("a scan finds a device by its identity, which stays the same") { bench in
                let identity = try await bench.find().identity
                let again = try await bench.transport.find(ScanFilter(identities: [identity]))
                try bench.equal(again.identity, identity, "the identity")
            },
            Check("a scan reports no devices that do not match") { bench in
                let impossible = [
                    ScanFilter(services: [ContractAttribute.extraService]),
                    ScanFilter(namePrefix: "No device is called so"),
                    ScanFilter(minimumRSSI: 100),
                    ScanFilter(identities: [bench.harness.absentDevice]),
                    ScanFilter(
                        services: [ContractAttribute.service],
                        namePrefix: "No device is called so"),
                ]
                for filter in impossible {
                    try await bench.fails(.timedOut, "\(filter)") {
                        try await bench.transport.find(filter, timeout: .seconds(1))
                    }
                }
            },
            Check("a scan reports a device once, unless there is something new") { bench in
                let heard = try await bench.heard(in: .seconds(3), withDuplicates: false)
                try bench.check((1...3).contains(heard.count), "told \(heard.count) times")
                for (one, next) in zip(heard, heard.dropFirst()) {
                    let isNew =
                        one.name != next.name || one.services != next.services
                        || one.manufacturerData != next.manufacturerData
                        || one.isConnectable != next.isConnectable
                    try bench.check(isNew, "told twice: \(next)")
                }
            },
            Check("a scan for duplicates reports each advertisement, where it can") { bench in
                guard bench.transport.features.contains(.duplicateReports) else { return }
                let heard = try await bench.heard(in: .seconds(3), withDuplicates: true)
                try bench.check(heard.count >= 5, "told \(heard.count) times in three seconds")
            },
            Check("two scans at once both find the device, and the end of one is its own") {
                bench in
                var first: Scan? = bench.transport.scan(ContractBench<Harness>.filter)
                var second = bench.transport.scan(ContractBench<Harness>.filter)
                    .makeAsyncIterator()
                var iterator = first?.makeAsyncIterator()
                let one = try await iterator?.next()
                first = nil
                iterator = nil
                let other = try await second.next()
                try bench.check(one != nil && one?.identity == other?.identity, "one found none")
            },
            Check("what a scan has too much of is dropped, and counted") { bench in
                guard bench.transport.features.contains(.duplicateReports) else { return }
                let heard = try await bench.heard(
                    in: .seconds(6), withDuplicates: true, bufferLimit: 2)
                let lost = heard.reduce(0) { $0 + $1.lostBefore }
                try bench.check(lost > 0, "nothing was counted")
                // On a busy computer more advertisements come while the first ones are read.
                try bench.check(
                    heard.count <= 3 || heard.count < lost,
                    "\(heard.count) were kept, \(lost) dropped")
            },
            Check("the adapter's state is reported at once") { bench in
                var states = bench.transport.adapterStates().makeAsyncIterator()
                try bench.equal(try await states.next(), .poweredOn, "the first state")
            },
            Check("a link is to the device that was meant, and open") { bench in
                let discovery = try await bench.find()
                let link = try await bench.transport.connect(to: discovery)
                try bench.equal(link.identity, discovery.identity, "the identity")
                try bench.equal(link.disconnectReason, nil, "the reason of an end")
                try await bench.device("the device knows", until: \.isConnected)
                await link.disconnect()
            },
            Check("the transport and its links have one loop") { bench in
                let loop = bench.transport.time.loop
                let link = try await bench.connect()
                try bench.check(link.time.loop === loop, "the link has another loop")
                try bench.check(bench.transport.time.loop === loop, "the time has a new loop")
                await link.disconnect()
            },
            Check("a device that is not there is not connected to") { bench in
                do throws(BLEError) {
                    _ = try await bench.transport.connect(
                        to: bench.harness.absentDevice, timeout: .seconds(2))
                } catch {
                    try bench.check(error.kind == .notFound || error.kind == .timedOut, "\(error)")
                    return
                }
                throw bench.violation("there is a link to nobody")
            },
            Check("connecting takes no longer than allowed", needs: .deviceControl) { bench in
                let discovery = try await bench.find()
                try await bench.order([.advertise(false)])
                let before = bench.transport.time.now()
                try await bench.fails(.timedOut, "connecting to a silent device") {
                    try await bench.transport.connect(to: discovery, timeout: .seconds(2))
                }
                let taken = bench.transport.time.now().duration(since: before)
                try bench.check(taken >= .seconds(2), "it gave up after \(taken)")
                try await bench.order([.advertise(true)])
                try await bench.connect().disconnect()
            },
            Check("a device that is connected cannot be connected again") { bench, link in
                try await bench.fails(.alreadyConnected, "connecting twice") {
                    try await bench.transport.connect(to: link.identity, timeout: .seconds(5))
                }
                let text = try await bench.characteristic(.text, of: link)
                try bench.equal(
                    try await link.read(text), ContractPeripheral.text, "the first link reads")
            },
            Check("a disconnected device can be connected again") { bench in
                for _ in 0..<3 {
                    let link = try await bench.connect()
                    await link.disconnect()
                    try await bench.device("the device knows", until: { !$0.isConnected })
                }
            },
            Check("a link that is no longer referenced is closed") { bench in
                _ = try await bench.connect()
                try await bench.device("the device knows", until: { !$0.isConnected })
                try await bench.connect().disconnect()
            },
            Check("cancelled before it begins, connecting leaves nothing behind") { bench in
                let discovery = try await bench.find()
                let result = try await bench.cancelling(after: 0) {
                    try await bench.transport.connect(to: discovery)
                }
                try await bench.leavesNothing(result)
            },
            Check("cancelled at any time, connecting leaves nothing behind") { bench in
                let discovery = try await bench.find()
                for turns in [1, 2, 3, 5, 8, 13, 21] {
                    let result = try await bench.cancelling(after: turns) {
                        try await bench.transport.connect(to: discovery)
                    }
                    try await bench.leavesNothing(result)
                }
            },
            Check("cancelled while the device is silent, connecting ends", needs: .deviceControl) {
                bench in
                let discovery = try await bench.find()
                try await bench.order([.advertise(false)])
                let result = try await bench.cancelling(after: 0, pause: .seconds(1)) {
                    try await bench.transport.connect(to: discovery)
                }
                try bench.isOver(result, orElse: .timedOut)
                try await bench.order([.advertise(true)])
                try await bench.connect().disconnect()
            },
        ]
    }
}

extension ContractBench {
    /// Returns the elements that a scan has buffered after a while.
    func heard(
        in duration: Duration, withDuplicates: Bool, bufferLimit: Int = 256
    ) async throws -> [Discovery] {
        var filter = Self.filter
        filter.reportsDuplicates = withDuplicates
        let scan = transport.scan(filter, bufferLimit: bufferLimit)
        try await pause(duration)
        let heard = Locked<[Discovery]>([])
        _ = try await cancelling(after: 0, pause: .milliseconds(10)) {
            for try await discovery in scan { heard.withLock { $0.append(discovery) } }
        }
        return heard.withLock { $0 }
    }

    func wasCancelled<Value>(_ result: Result<Value, any Error>) throws {
        switch result {
        case .success(let value): throw violation("it went on, and gave \(value)")
        case .failure(let error):
            let kind = (error as? BLEError)?.kind
            try check(kind == .cancelled || error is CancellationError, "\(error)")
        }
    }

    func leavesNothing(_ result: Result<BLELink, any Error>) async throws {
        switch result {
        case .success(let link): await link.disconnect()
        case .failure: try wasCancelled(result)
        }
        try await device("the device is left alone", until: { !$0.isConnected })
        let link = try await connect()
        await link.disconnect()
        try await device("the device is left again", until: { !$0.isConnected })
    }
}
