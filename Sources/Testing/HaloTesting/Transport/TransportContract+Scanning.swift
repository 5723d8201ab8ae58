import HaloTransport

extension TransportContract {
    static var scanning: [Check] {
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
                let scan = bench.transport.scan(ContractBench<Harness>.filter)
                try await bench.pause(.seconds(3))
                let heard = try await bench.waiting(in: scan)
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
                var filter = ContractBench<Harness>.filter
                filter.reportsDuplicates = true
                let scan = bench.transport.scan(filter)
                try await bench.pause(.seconds(3))
                let heard = try await bench.waiting(in: scan)
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
                var filter = ContractBench<Harness>.filter
                filter.reportsDuplicates = true
                let scan = bench.transport.scan(filter, bufferLimit: 2)
                try await bench.pause(.seconds(6))
                let heard = try await bench.waiting(in: scan)
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
        ]
    }
}

extension ContractBench {
    /// Returns the buffered elements of a scan: all that come within a short time.
    func waiting(in scan: Scan) async throws -> [Discovery] {
        let heard = Locked<[Discovery]>([])
        _ = try await cancelling(after: 0, pause: .milliseconds(10)) {
            for try await discovery in scan { heard.withLock { $0.append(discovery) } }
        }
        return heard.withLock { $0 }
    }
}
