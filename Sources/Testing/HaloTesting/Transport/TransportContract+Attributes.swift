import HaloTransport

extension TransportContract {
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
                try await bench.order(.addService)
                while let received = try await events.next() {
                    if received.event == .servicesChanged { break }
                }
                let after = try await link.services
                try bench.check(
                    after.contains { $0.uuid == ContractAttribute.extraService }, "not found")
            },
        ]
    }
}
