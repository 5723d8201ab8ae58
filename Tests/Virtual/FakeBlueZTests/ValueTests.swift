import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// Values and their receivers.
@Suite("Values", .takesTurns) struct ValueTests {
    @Test func subscriptionsAreCounted() async throws {
        let bench = try await FakeBench.connected()
        let other = try await FakeClient(bench.fake)
        #expect(await bench.start(.values) == "OK")
        #expect(await bench.start(.values, by: other) == "OK")
        #expect(await bench.stop(.values) == "OK")
        #expect(await bench.property(GattCharacteristic1.notifying, .values) == .boolean(true))
        #expect(await bench.stop(.values, by: other) == "OK")
        #expect(await bench.property(GattCharacteristic1.notifying, .values) == .boolean(false))
        #expect(bench.hosted.state.subscriptions == ["battery on", "values on", "values off"])
    }

    @Test func theDeviceGetsConfirmations() async throws {
        let bench = try await FakeBench.connected()
        #expect(await bench.start(.confirmed) == "OK")
        bench.send(.confirmed, [1], [2])
        try await bench.client.wait { _ in bench.values(.confirmed) == ["[1]", "[2]"] }
        try await bench.client.wait { _ in bench.hosted.state.confirmations == 2 }
    }

    @Test func theBatteryIsLookedAfter() async throws {
        let bench = try await FakeBench.connected()
        let level = await bench.client.property(
            Battery1.percentage, Battery1.interfaceName, FakeBench.device)
        #expect(level == .byte(64))
        bench.send(.battery, [63])
        try await bench.client.hears("Percentage=63")
        // Nobody asked for the characteristic's own values.
        #expect(bench.values(.battery) == [])
        #expect(await bench.property(GattCharacteristic1.notifying, .battery) == .boolean(false))
    }

    @Test func theSwitchOfNotificationsCanBeRead() async throws {
        let bench = try await FakeBench.connected()
        let path = FakeBench.path(.values) + "/desc0015"
        func read() async throws -> DBusValue {
            try await bench.client.call(
                GattDescriptor1.readValue, GattDescriptor1.interfaceName, path, FakeBench.options
            ).get().first()
        }
        #expect(try await read() == .bytes([0, 0]))
        #expect(await bench.start(.values) == "OK")
        #expect(try await read() == .bytes([1, 0]))
        #expect(
            await bench.client.say(
                GattDescriptor1.writeValue, GattDescriptor1.interfaceName, path, .bytes([0, 0]),
                FakeBench.options) == "org.bluez.Error.NotPermitted: Write not permitted")
    }

    /// Up to its end a descriptor can be read, and gives nothing there; beyond it is an error.
    @Test func aDescriptorIsReadFromAnOffset() async throws {
        let bench = try await FakeBench.connected()
        let path = FakeBench.path(.values) + "/desc0015"
        func read(_ offset: UInt16) async throws -> DBusValue {
            try await bench.client.call(
                GattDescriptor1.readValue, GattDescriptor1.interfaceName, path,
                .properties([AttributeOption.offset: .uint16(offset)])
            ).get().first()
        }
        #expect(await bench.start(.values) == "OK")
        #expect(try await read(0) == .bytes([1, 0]))
        #expect(try await read(1) == .bytes([0]))
        #expect(try await read(2) == .bytes([]))
        let error = await #expect(throws: FakeClient.Refusal.self) { _ = try await read(3) }
        #expect(error?.text == "org.bluez.Error.InvalidArguments: Invalid offset")
    }

    /// A value has at most 512 bytes, though the device has more.
    @Test func longValuesAreCut() async throws {
        let bench = try await FakeBench.connected()
        let reply = try await bench.client.call(
            GattCharacteristic1.readValue, GattCharacteristic1.interfaceName,
            FakeBench.path(.long), FakeBench.options
        ).get()
        #expect(try reply.first() == .bytes(TestDevice.long))
    }

    @Test func aDeviceThatDoesNotAnswerIsDisconnected() async throws {
        let bench = try await FakeBench.connected(
            timing: FakeTiming(answering: .milliseconds(50)))
        #expect(
            await bench.read(.silent)
                == "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e")
        try await bench.client.hears("Connected=false")
    }

    /// A second answer to a request is not that of the next one.
    @Test func aSecondAnswerIsIgnored() async throws {
        let bench = try await FakeBench.connected()
        let (read, options) = (GattCharacteristic1.readValue, FakeBench.options)
        let first = try await bench.begin(.silent, read, options)
        let next = try await bench.begin(.plain, read, options)
        // The daemon has both requests when it replies to a later one.
        _ = await bench.ask(Adapter1.getDiscoveryFilters)
        try await eventually("the device has the request") {
            bench.hosted.state.unanswered != nil
        }
        bench.hosted.modify { $0.mustAnswerTwice = true }
        #expect(try await first.value() == "OK")
        #expect(try await next.value() == "OK")
    }

    /// The operation is refused at once; the link ends after the time of a `Disconnect`.
    @Test func theRefusalComesBeforeTheEnd() async throws {
        let timing = FakeTiming(disconnecting: .seconds(600), answering: .milliseconds(50))
        let bench = try await FakeBench.connected(timing: timing)
        #expect(
            await bench.read(.silent)
                == "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e")
        #expect(!bench.life.contains { $0.contains("Connected=false") })
    }

    /// After `Disconnect`, requests still get replies, but no subscription begins.
    @Test func noSubscriptionBeginsWhileTheLinkEnds() async throws {
        let timing = FakeTiming(disconnecting: .seconds(600))
        let bench = try await FakeBench.connected(timing: timing)
        _ = try await bench.begin(Device1.disconnect)
        #expect(await bench.start(.values) == "org.bluez.Error.NotConnected: Not Connected")
        #expect(await bench.read(.plain) == "OK")
    }

    @Test func theDeviceGetsNoForbiddenRequests() async throws {
        let bench = try await FakeBench.connected()
        func write(_ type: String) async -> String {
            await bench.write(
                .values, [1], .properties([AttributeOption.type: .string(type)]))
        }
        #expect(
            await write(AttributeOption.request)
                == "org.bluez.Error.NotPermitted: Write not permitted")
        // A dropped write without response has no error.
        #expect(await write(AttributeOption.command) == "OK")
        #expect(await bench.read(.plain) == "OK")
        #expect(bench.hosted.state.written.isEmpty)
    }

    @Test func aliasesAndTrust() async throws {
        let bench = try await FakeBench.found()
        func set(_ name: String, _ value: DBusValue) async -> String {
            await bench.client.set(name, Device1.interfaceName, FakeBench.device, value)
        }
        // A signal comes before the reply, and none for the value that the property has.
        for _ in 0..<2 { #expect(await set(Device1.alias, .string("mine")) == "OK") }
        for _ in 0..<2 { #expect(await set(Device1.trusted, .boolean(true)) == "OK") }
        for _ in 0..<2 { #expect(await set(Device1.alias, .string("")) == "OK") }
        #expect(
            bench.life == ["+Device1", "Alias=mine", "Trusted=true", "Alias=\(TestDevice.name)"])
        #expect(
            await set(Device1.wakeAllowed, .boolean(true))
                == "org.freedesktop.DBus.Error.UnknownProperty: No such property 'WakeAllowed'")
    }

    @Test func blockingADeviceEndsItsLink() async throws {
        let bench = try await FakeBench.connected()
        let reply = await bench.client.set(
            Device1.blocked, Device1.interfaceName, FakeBench.device, .boolean(true))
        #expect(reply == "OK")
        try await bench.client.hears("Connected=false")
        #expect(bench.life.contains("Blocked=true"))
    }

    /// Many devices, each with values for all clients.
    @Test func manyDevices() async throws {
        let (count, each) = (20, 50)
        let fake = try await FakeBlueZ()
        let hosted = (1...count).map { number in
            fake.add(TestDevice(), address: "C0:00:00:00:01:\(number + 10)")
        }
        let client = try await FakeClient(fake)
        _ = await client.say(
            Adapter1.startDiscovery, Adapter1.interfaceName, FakeBench.adapter)
        try await client.wait { $0.count { $0.hasSuffix(" Device1") } == count }
        let device = GattCharacteristic1.interfaceName
        for hosted in hosted {
            let name = (hosted.identity?.rawValue ?? "").replacing(":", with: "_")
            let path = "/org/bluez/hci0/dev_\(name)"
            #expect(await client.say(Device1.connect, Device1.interfaceName, path) == "OK")
            try await client.hears("dev_\(name) Battery1")
            let own = FakeBench.path(.values).replacing(FakeBench.device, with: path)
            #expect(await client.say(GattCharacteristic1.startNotify, device, own) == "OK")
        }
        client.forget()
        for number in 0..<each {
            for hosted in hosted {
                hosted.modify { $0.outbox = [(.values, [UInt8(number)])] }
            }
        }
        try await client.wait { $0.count { $0.contains("Value=") } == count * each }
        #expect(fake.lostValues == 0)
    }
}
