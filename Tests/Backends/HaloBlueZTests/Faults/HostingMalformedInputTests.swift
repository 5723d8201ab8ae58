import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A daemon that sends a hosted device requests that no real daemon sends.
@Suite("Hosting for a hostile daemon", .takesTurns)
struct HostingMalformedInputTests {
    private static let oddities: [DBusValue] = [
        .boolean(true), .uint16(0), .uint16(.max), .int64(.min), .uint64(.max), .double(-1),
        .string(""), .string("\u{1B}[2J"), .objectPath(HostingDaemon.central), .bytes([]),
        .strings([]),
        .properties([AttributeOption.mtu: .string("deep")]),
    ]

    private static let names = [
        AttributeOption.device, AttributeOption.mtu, AttributeOption.link, AttributeOption.offset,
        AttributeOption.type, AttributeOption.prepareAuthorize,
    ]

    /// Valid options with one invalid one each, and all invalid ones together.
    private static var options: [[String: DBusValue]] {
        let single = names.flatMap { name in
            oddities.map { HostingDaemon.options([name: $0]) }
        }
        let all = oddities.map { value in
            Dictionary(uniqueKeysWithValues: names.map { ($0, value) })
        }
        return single + all + [[:]]
    }

    private static let values: [[UInt8]] = [
        [], [1], [UInt8](repeating: 2, count: 513), [UInt8](repeating: 3, count: 100_000),
    ]

    /// Requests to an object with odd arguments and options.
    private func calls(
        _ entry: DBusEntry, _ program: String, _ options: [String: DBusValue], _ value: [UInt8]
    ) -> [DBusCall] {
        guard let path = entry.key.objectPath else { return [] }
        func call(_ member: String, _ interface: String, _ values: [DBusValue]) -> DBusCall {
            DBusCall(member, of: interface, at: path, on: program, values)
        }
        let characteristic = GattCharacteristic1.interfaceName
        return [
            call(GattCharacteristic1.readValue, characteristic, [.properties(options)]),
            call(
                GattCharacteristic1.writeValue, characteristic,
                [.bytes(value), .properties(options)]),
            call(GattCharacteristic1.startNotify, characteristic, []),
            call(GattCharacteristic1.stopNotify, characteristic, []),
            call(GattCharacteristic1.acquireNotify, characteristic, [.properties(options)]),
            call(GattCharacteristic1.acquireWrite, characteristic, [.properties(options)]),
            call(
                GattDescriptor1.readValue, GattDescriptor1.interfaceName, [.properties(options)]),
            call(
                GattDescriptor1.writeValue, GattDescriptor1.interfaceName,
                [.bytes(value), .properties(options)]),
            call(
                DBusProperties.set, DBusProperties.interfaceName,
                [
                    .string(characteristic), .string(GattCharacteristic1.value),
                    .variant(.bytes(value)),
                ]),
            call(DBusProperties.getAll, DBusProperties.interfaceName, [.string("")]),
            call("Odd", "com.example.Odd", [.bytes(value)]),
        ]
    }

    @Test("every request gets a reply, and the device works as before")
    func answersEverything() async throws {
        let bench = try await HostingBench()
        let program = try #require(bench.daemon.state.withLock { $0.program })
        let silent = ContractAttribute.silent.uuid.busText
        let objects = try await bench.daemon.objects().filter { entry in
            entry.value[GattCharacteristic1.interfaceName]?[GattCharacteristic1.uuid]?.string
                != silent
        }
        #expect(objects.count > 5)
        let (answers, asked) = (Locked(0), Locked(0))
        for (number, options) in Self.options.enumerated() {
            let value = Self.values[number % Self.values.count]
            // Each meets a quarter of them, in turn.
            for (place, entry) in objects.enumerated() where (place + number) % 4 == 0 {
                for call in calls(entry, program, options, value) {
                    asked.withLock { $0 += 1 }
                    bench.daemon.connection.call(call, timeout: .seconds(20)) { answer in
                        if case .failure(let error) = answer, error.kind != .remote {
                            Issue.record("\(call.member): \(error)")
                        }
                        answers.withLock { $0 += 1 }
                    }
                }
            }
            let isAnswered = try await eventually {
                answers.withLock { $0 } == asked.withLock { $0 }
            }
            #expect(isAnswered)
        }
        let reply = try await bench.daemon.ask(
            "ReadValue", of: ContractAttribute.text.uuid, options: HostingDaemon.options())
        #expect(reply.values.first?.bytes == ContractPeripheral.text)
        #expect(await isRemoved(bench.hosted))
    }

    private func isRemoved(_ hosted: Hosted<ContractPeripheral>) async -> Bool {
        await hosted.remove()
        return await hosted.waitUntilEnded() == nil
    }

    @Test("requests beyond the limit are refused, the others get a reply")
    func refusesFloods() async throws {
        let bench = try await HostingBench()
        let program = try #require(bench.daemon.state.withLock { $0.program })
        let path = try #require(
            try await bench.daemon.place(
                of: ContractAttribute.silent.uuid, in: GattCharacteristic1.interfaceName))
        let refused = Locked(0)
        let count = 2000
        for _ in 0..<count {
            let call = DBusCall(
                GattCharacteristic1.readValue, of: GattCharacteristic1.interfaceName, at: path,
                on: program, [.properties(HostingDaemon.options())])
            bench.daemon.connection.call(call, timeout: .seconds(20)) { answer in
                if case .failure = answer { refused.withLock { $0 += 1 } }
            }
        }
        #expect(
            try await eventually {
                refused.withLock { $0 } >= count - HostedCentrals.maximumPending
            })
        await bench.hosted.remove()
        #expect(try await eventually { refused.withLock { $0 } == count })
    }
}
