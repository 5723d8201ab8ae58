import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

@Suite("A device that the daemon hosts", .takesTurns) struct HostingTests {
    private let bench: HostingBench

    init() async throws { bench = try await HostingBench() }

    @Test("the application has every service, characteristic and descriptor, in order")
    func tellsOfAll() async throws {
        #expect(
            bench.daemon.calls == [
                GattManager1.registerApplication, LEAdvertisingManager1.registerAdvertisement,
            ])
        let objects = try await bench.daemon.objects()
        let found = objects.compactMap {
            $0.value[GattCharacteristic1.interfaceName]?["UUID"]?.string
        }
        #expect(found == ContractAttribute.allCases.map(\.uuid.busText))
        for entry in objects {
            guard let service = entry.value[GattCharacteristic1.interfaceName]?["Service"] else {
                continue
            }
            #expect(objects.contains { $0.key == service })
        }
        let path = try await bench.daemon.place(
            of: ContractAttribute.record.uuid, in: GattCharacteristic1.interfaceName)
        let record = objects.first { $0.key.objectPath == path }?.value
        #expect(
            record?[GattCharacteristic1.interfaceName]?["Flags"]
                == .strings(["write-without-response", "write"]))
        #expect(bench.hosted.identity?.rawValue == "00:AA:01:01:00:01")
        await bench.hosted.remove()
    }

    @Test("the advertisement says what the device does, with its scan response")
    func advertises() async throws {
        let values = try #require(try await bench.daemon.advertised())
        #expect(values[LEAdvertisement1.type]?.string == LEAdvertisement1.peripheral)
        #expect(values[LEAdvertisement1.localName]?.string == ContractPeripheral.name)
        #expect(
            values[LEAdvertisement1.serviceUUIDs] == .strings([ContractAttribute.service.busText]))
        #expect(values[LEAdvertisement1.discoverable]?.boolean == true)
        #expect(values[LEAdvertisement1.minInterval] == .uint32(100))
        let company = values[LEAdvertisement1.manufacturerData]?.entries?.first
        #expect(company?.key == .uint16(ContractPeripheral.company))
        #expect(company?.value.bytes == ContractPeripheral.companyData)
        await bench.hosted.remove()
    }

    @Test("a device that stops advertising is unregistered, and registered when it goes on")
    func followsTheDevice() async throws {
        bench.tell(.advertise(false))
        #expect(try await eventually { bench.daemon.state.withLock { $0.advertisement } == nil })
        bench.tell(.advertise(true))
        #expect(try await eventually { try await bench.daemon.advertised() != nil })
        await bench.hosted.remove()
    }

    @Test("values are read from the offset on, and refusals keep their code")
    func reads() async throws {
        let options = HostingDaemon.options(["offset": .uint16(3)])
        let reply = try await bench.daemon.ask(
            "ReadValue", of: ContractAttribute.text.uuid, options: options)
        #expect(reply.values.first?.bytes == Array(ContractPeripheral.text.dropFirst(3)))
        let error = await #expect(throws: DBusError.self) {
            try await bench.daemon.ask(
                "ReadValue", of: ContractAttribute.refusing.uuid, options: HostingDaemon.options())
        }
        #expect(error?.name == BlueZErrorName.failed)
        #expect(error?.details == "0x81")
        let description = try await bench.daemon.ask(
            "ReadValue", of: ContractAttribute.descriptorUUID, options: HostingDaemon.options(),
            in: GattDescriptor1.interfaceName)
        #expect(description.values.first?.bytes == ContractPeripheral.description)
        await bench.hosted.remove()
    }

    @Test("unreadable values are refused, though the daemon asks")
    func refusesReads() async throws {
        let error = await #expect(throws: DBusError.self) {
            try await bench.daemon.ask(
                "ReadValue", of: ContractAttribute.first.uuid, options: HostingDaemon.options())
        }
        #expect(error?.name == BlueZErrorName.notPermitted)
        await bench.hosted.remove()
    }

    @Test("values are written with and without response; pieces are refused")
    func writes() async throws {
        let record = ContractAttribute.record.uuid
        _ = try await bench.daemon.ask(
            "WriteValue", of: record, [.bytes([1])], options: HostingDaemon.options())
        #expect(bench.hosted.state.written == [[1]])
        let command: [String: DBusValue] = ["type": .string("command")]
        _ = try await bench.daemon.ask(
            "WriteValue", of: record, [.bytes([2])], options: HostingDaemon.options(command))
        #expect(try await eventually { bench.hosted.state.written == [[1], [2]] })
        let error = await #expect(throws: DBusError.self) {
            try await bench.daemon.ask(
                "WriteValue", of: record, [.bytes([3])],
                options: HostingDaemon.options(["offset": .uint16(1)]))
        }
        #expect(error?.name == BlueZErrorName.invalidOffset)
        await bench.hosted.remove()
    }

    @Test("notifications reach the daemon while there is a subscription, cut to the MTU")
    func sends() async throws {
        let heard = Locked<[[UInt8]]>([])
        let rule = DBusMatchRule(
            interface: DBusProperties.interfaceName, member: DBusProperties.propertiesChanged)
        let subscription = try await bench.daemon.connection.subscription(rule) { signal in
            guard signal.sender != bench.daemon.connection.uniqueName,
                let value = signal.values.dropFirst().first?[GattCharacteristic1.value]?.bytes
            else { return }
            heard.withLock { $0.append(value) }
        }
        let second = ContractAttribute.second.uuid
        bench.tell(.send(.second, [1]))
        _ = try await bench.daemon.ask(
            "ReadValue", of: ContractAttribute.text.uuid,
            options: HostingDaemon.options(["mtu": .uint16(23)]))
        _ = try await bench.daemon.ask("StartNotify", of: second)
        bench.tell(.send(.second, [2]))
        bench.tell(.send(.second, [2]))
        bench.tell(.send(.second, Array(0..<30)))
        #expect(try await eventually { heard.withLock { $0.count } == 3 })
        #expect(heard.withLock { $0 } == [[2], [2], Array(0..<20)])
        _ = try await bench.daemon.ask("StopNotify", of: second)
        #expect(
            try await eventually {
                bench.hosted.state.subscriptions.map(\.isOn) == [true, false]
            })
        bench.tell(.send(.second, [4]))
        _ = try await bench.daemon.ask(
            "ReadValue", of: ContractAttribute.text.uuid, options: HostingDaemon.options())
        #expect(heard.withLock { $0.count } == 3)
        subscription.cancel()
        await bench.hosted.remove()
    }

    @Test("only the daemon's requests are accepted")
    func refusesOthers() async throws {
        let stranger = try await bench.daemon.bus.connect()
        let path = try await bench.daemon.place(
            of: ContractAttribute.text.uuid, in: GattCharacteristic1.interfaceName)
        let call = DBusCall(
            "ReadValue", of: GattCharacteristic1.interfaceName, at: path ?? .root,
            on: bench.connection.uniqueName ?? "", [.properties([:])])
        let error = await #expect(throws: DBusError.self) { try await stranger.call(call) }
        #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied")
        await bench.hosted.remove()
    }
}
