import HaloTransport

extension TransportContract {
    /// Discovery, reading and writing of attributes, and the signal strength.
    static var attributes: [Check] {
        [
            Check("discovery finds every characteristic, with its properties, in order") {
                bench, link in
                let services = try await link.services
                guard let service = services.first(where: { $0.uuid == ContractAttribute.service })
                else { throw bench.violation("the service is missing") }
                try bench.equal(
                    service.characteristics.map(\.uuid), ContractAttribute.allCases.map(\.uuid),
                    "the characteristics")
                let seen: GATTProperties = [
                    .read, .write, .writeWithoutResponse, .notify, .indicate,
                ]
                try bench.equal(
                    service.characteristics.map { $0.properties.intersection(seen) },
                    ContractAttribute.allCases.map(\.properties), "the properties")
                let ids = Set(service.characteristics.map(\.id))
                try bench.equal(ids.count, service.characteristics.count, "different attributes")
                try bench.equal(try await link.services, services, "asked again")
            },
            Check("a missing service or characteristic is reported as missing") { bench, link in
                try await bench.fails(.noSuchAttribute, "another service") {
                    try await link.characteristic(
                        ContractAttribute.text.uuid, of: ContractAttribute.extraService)
                }
                try await bench.fails(.noSuchAttribute, "another characteristic") {
                    try await link.characteristic(
                        ContractAttribute.extraService, of: ContractAttribute.service)
                }
            },
            Check("a value is read whole, however long", of: .text) { bench, link, text in
                try bench.equal(try await link.read(text), ContractPeripheral.text, "text")
                let long = try await bench.characteristic(.longText, of: link)
                try bench.equal(
                    try await link.read(long), ContractPeripheral.longText, "a long text")
            },
            Check("a descriptor can be read", of: .text) { bench, link, text in
                guard
                    let descriptor = text.descriptors.first(where: {
                        $0.uuid == ContractAttribute.descriptorUUID
                    })
                else { throw bench.violation("the descriptor is missing") }
                try bench.equal(
                    try await link.read(descriptor), ContractPeripheral.description, "it")
            },
            Check(
                "a device's refusal arrives with its code, and the link stays open", of: .refusing
            ) { bench, link, refusing in
                let onReading = try await bench.fails(.refused, "reading") {
                    try await link.read(refusing)
                }
                try bench.equal(onReading.attError, ContractPeripheral.refusal, "its code")
                try bench.equal(onReading.uuid, refusing.uuid, "the characteristic")
                let onWriting = try await bench.fails(.refused, "writing") {
                    try await link.write([1], to: refusing)
                }
                try bench.equal(onWriting.attError, ContractPeripheral.refusal, "its code")
                let text = try await bench.characteristic(.text, of: link)
                try bench.equal(try await link.read(text), ContractPeripheral.text, "text")
            },
            Check("what the properties do not allow is not even requested", of: .record) {
                bench, link, record in
                let text = try await bench.characteristic(.text, of: link)
                let echo = try await bench.characteristic(.echo, of: link)
                try await bench.fails(.notPermitted, "reading what can only be written") {
                    try await link.read(record)
                }
                try await bench.fails(.notPermitted, "writing what can only be read") {
                    try await link.write([1], to: text)
                }
                try await bench.fails(.notPermitted, "writing without the response it wants") {
                    try await link.write([1], to: echo, .withoutResponse)
                }
                try await bench.fails(.notPermitted, "subscribing to what sends nothing") {
                    try await link.notifications(of: text)
                }
            },
            Check("a connected device's signal strength can be read, where it can") { bench, link in
                if bench.transport.features.contains(.connectedRSSI) {
                    let rssi = try await link.readRSSI()
                    try bench.check((-127...20).contains(rssi), "\(rssi) dBm")
                } else {
                    try await bench.fails(.notSupported, "reading it") {
                        try await link.readRSSI()
                    }
                }
            },
            Check("new services are found after the device has said so", needs: .changingServices) {
                bench, link in
                let before = try await link.services
                try bench.check(
                    !before.contains { $0.uuid == ContractAttribute.extraService }, "too early")
                var events = link.events().makeAsyncIterator()
                try await bench.order([.addService])
                while let received = try await events.next() {
                    if received.event == .servicesChanged { break }
                }
                let after = try await link.services
                try bench.check(
                    after.contains { $0.uuid == ContractAttribute.extraService }, "not found")
            },
            Check("writes with a response arrive before they are complete, in order", of: .record) {
                bench, link, record in
                for byte in 0..<10 as Range<UInt8> {
                    try await link.write([byte], to: record)
                    let written = try await bench.device().written
                    try bench.equal(written.last, [byte], "the last one")
                }
            },
            Check("writes without a response all arrive, in order", of: .record) {
                bench, link, record in
                let values = (0..<60).map { [UInt8($0)] }
                for value in values { try await link.write(value, to: record, .withoutResponse) }
                try await bench.device("they arrive", until: { $0.written.count >= 60 })
                try bench.equal(try await bench.device().written, values, "what arrived")
            },
            Check("writes of both kinds keep their order among each other", of: .record) {
                bench, link, record in
                for byte in 0..<20 as Range<UInt8> {
                    try await link.write(
                        [byte], to: record,
                        byte.isMultiple(of: 3) ? .withResponse : .withoutResponse)
                }
                try await bench.device("they arrive", until: { $0.written.count >= 20 })
                try bench.equal(
                    try await bench.device().written, (0..<20).map { [$0] }, "what arrived")
            },
            Check("what is asked for at once is carried out in the order of asking", of: .record) {
                bench, link, record in
                let modes: [WriteMode] = [.withoutResponse, .withResponse]
                for byte in 0..<30 as Range<UInt8> {
                    link.submitWrite([byte], to: record, modes[Int(byte) / 3 % 2]) { _ in }
                }
                try await bench.device("they arrive", until: { $0.written.count >= 30 })
                try bench.equal(
                    try await bench.device().written, (0..<30).map { [$0] }, "what arrived")
            },
            Check("the longest value can be written, and no longer one", of: .record) {
                bench, link, record in
                for (count, mode) in zip(1..., WriteMode.allCases) {
                    let maximum = link.maximumWriteLength(for: mode)
                    // With a response, a value longer than a packet is written in pieces.
                    let (least, length) =
                        switch mode {
                        case .withResponse: (512, min(maximum, bench.harness.maximumWriteLength))
                        case .withoutResponse: (20, maximum)
                        }
                    try bench.check(maximum >= least, "\(maximum) bytes \(mode)")
                    let longest = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
                    try await link.write(longest, to: record, mode)
                    try await bench.device("it arrives", until: { $0.written.count == count })
                    try bench.equal(try await bench.device().written.last, longest, "the last")
                    try await bench.fails(.tooLong, "one more byte \(mode)") {
                        let tooLong = [UInt8](repeating: 0, count: maximum + 1)
                        try await link.write(tooLong, to: record, mode)
                    }
                }
                try bench.equal(try await bench.device().written.count, 2, "what arrived")
            },
            Check("an empty value can be written", of: .record) { bench, link, record in
                try await link.write([], to: record)
                try bench.equal(try await bench.device().written, [[]], "what arrived")
            },
        ]
    }
}
