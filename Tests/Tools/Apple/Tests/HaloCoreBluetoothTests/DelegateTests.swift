import CoreBluetooth
import HaloCoreBluetooth
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

/// On Apple's systems the functions of a delegate are optional, and a misspelt one is never called.
/// Here each has a default, which is noted when it is called.
@Suite(.timeLimit(.minutes(20))) struct DelegateTests {
    /// The functions that the backend leaves out, and why.
    static let leftOut: [String: String] = [
        "peripheralDidUpdateName(_:)": "a discovery has the advertised name",
        "peripheral(_:didDiscoverIncludedServicesFor:error:) service":
            "included services are not asked for",
        "peripheralManager(_:willRestoreState:)": "the app hosts again when it is launched",
    ]

    /// Everything that an app can do with a link.
    @Test func aLinkCallsFunctionsThatExist() async throws {
        let bench = PhoneBench(restoring: "delegates")
        let (link, device) = try await bench.connected()
        let text = try await link.characteristic(.text)
        #expect(try await link.read(text) == ContractPeripheral.text)
        let descriptor = try #require(text.descriptors.first)
        #expect(try await !link.read(descriptor).isEmpty)
        _ = await error { try await link.write([1], to: descriptor) }
        let record = try await link.characteristic(.record)
        try await link.write([1], to: record, .withResponse)
        for number in UInt8(0)..<100 {
            try await link.write([number], to: record, .withoutResponse)
        }
        let second = try await link.characteristic(.second)
        var values = try await link.notifications(of: second).makeAsyncIterator()
        device.modify { $0.instructions.append(.send(.second, [9])) }
        #expect(try await values.next()?.value == [9])
        #expect(try await link.readRSSI() < 0)
        bench.phone.rename(device.identity, to: "another name")
        var events = link.events().makeAsyncIterator()
        device.modify { $0.instructions.append(.addService) }
        while let received = try await events.next(), received.event != .servicesChanged {}
        #expect(try await link.services.count == 2)
        await link.disconnect()
        bench.phone.traps = [.connectFails]
        _ = await error {
            try await bench.transport.connect(to: bench.identity(of: device))
        }
        bench.phone.traps = []
        let last = try await bench.transport.connect(to: bench.identity(of: device))
        bench.phone.terminateApp()
        withExtendedLifetime(last) {}
        let again = PhoneBench.launch(on: bench.phone, restoring: "delegates")
        #expect(await again.restoredDevices() == [bench.identity(of: device)])
        #expect(bench.phone.ignoredCalls.subtracting(Self.leftOut.keys) == [])
        #expect(bench.phone.ignoredCalls.contains("peripheralDidUpdateName(_:)"))
        #expect(!bench.phone.log.contains { $0.contains("MISUSE") || $0.contains("WARNING") })
    }

    @Test func aHostedDeviceCallsFunctionsThatExist() async throws {
        let bench = PhoneBench(speed: 4)
        let (hosted, link) = try await bench.hosting()
        #expect(try await link.read(link.characteristic(.text)) == ContractPeripheral.text)
        try await link.write([1], to: link.characteristic(.record), .withResponse)
        var values: Notifications? = try await link.notifications(of: link.characteristic(.second))
        let sent = (UInt8(0)..<60).map { ContractPeripheral.Instruction.send(.second, [$0]) }
        hosted.modify { $0.instructions += sent }
        var iterator = values?.makeAsyncIterator()
        for number in UInt8(0)..<60 { #expect(try await iterator?.next()?.value == [number]) }
        (iterator, values) = (nil, nil)
        #expect(await eventually { hosted.state.subscriptions.last?.isOn == false })
        await link.disconnect()
        await hosted.remove()
        #expect(bench.phone.ignoredCalls.subtracting(Self.leftOut.keys) == [])
        #expect(!bench.phone.log.contains { $0.contains("MISUSE") })
    }
}
