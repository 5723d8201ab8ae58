import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import FakeBlueZ

/// The daemon's life as a state machine, in its own time: every reply, signal and call, as
/// `Fixtures/Golden/Daemon` has them.
@Suite(.computes) struct DaemonStoryTests {
    /// A story, with the faults and delays that it is told with.
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var quirks = FakeQuirks()
        var timing = FakeTiming(fading: nil)
        var adapters = 1
        let tell: @Sendable (inout DaemonStory) -> Void

        init(
            _ name: String, timing: FakeTiming = FakeTiming(fading: nil), adapters: Int = 1,
            _ change: (inout FakeQuirks) -> Void = { _ in },
            tell: @escaping @Sendable (inout DaemonStory) -> Void
        ) {
            testDescription = name
            self.timing = timing
            self.adapters = adapters
            change(&quirks)
            self.tell = tell
        }
    }

    private static let adapter = Adapter1.interfaceName
    private static let device = Device1.interfaceName
    private static let characteristic = GattCharacteristic1.interfaceName
    private static let options = DBusValue.properties([:])

    private static func advertisement(
        name: String? = "R02", services: [UInt16] = [0xAA00], power: Int8? = nil,
        flags: AdvertisingFlags? = [.generalDiscoverable], data: [UInt8]? = nil,
        interval: Duration = .milliseconds(500)
    ) -> PeripheralAdvertisement {
        var contents: [AdvertisingStructure.Content] = []
        if let flags { contents.append(.flags(flags)) }
        if let name { contents.append(.name(AdvertisedName(name), isComplete: true)) }
        if !services.isEmpty { contents.append(.services(.short(services), isComplete: true)) }
        if let power { contents.append(.transmitPower(power)) }
        if let data { contents.append(.manufacturerData(company: 0xFFFF, data)) }
        let structures = contents.compactMap { try? AdvertisingStructure($0) }
        return PeripheralAdvertisement(
            (try? AdvertisingData(structures: structures)) ?? AdvertisingData(lenient: []),
            interval: interval)
    }

    private static let services = TestDevice().services

    /// The delays of 5.66, without changes of RSSI.
    private static var unfading: FakeTiming {
        var timing = FakeTiming.realistic
        timing.fading = nil
        return timing
    }

    /// The number of the only device object.
    private static func known(_ story: DaemonStory) -> Int { story.daemon.devices.keys.min() ?? 0 }

    private static func target(
        _ attribute: TestDevice.Attribute, _ story: DaemonStory
    ) -> FakeTarget {
        let number = known(story)
        return .characteristic(
            device: number, story.daemon.devices[number]?.gatt?.indices[attribute.id] ?? 99)
    }

    private static func descriptor(
        of attribute: TestDevice.Attribute, _ story: DaemonStory
    ) -> FakeTarget {
        guard case .characteristic(let device, let index) = target(attribute, story) else {
            return .noMethods
        }
        return .descriptor(device: device, index, 0)
    }

    /// Finds and connects the test's device; returns its peripheral.
    @discardableResult
    private static func connect(
        _ story: inout DaemonStory, _ services: [GATTService] = services
    ) -> Int {
        let peripheral = story.add("R02", services)
        story.call(Adapter1.startDiscovery, adapter, .adapter(0))
        story.call(Device1.connect, device, .device(known(story)))
        story.pass(.seconds(1))
        return peripheral
    }

    private static func read(
        _ attribute: TestDevice.Attribute, _ story: inout DaemonStory, offset: UInt16? = nil,
        by client: String = ":1.1"
    ) {
        let options = DBusValue.properties(
            offset.map { [AttributeOption.offset: .uint16($0)] } ?? [:])
        story.call(
            GattCharacteristic1.readValue, characteristic, target(attribute, story), options,
            by: client)
    }

    private static func write(
        _ value: [UInt8], _ attribute: TestDevice.Attribute, _ story: inout DaemonStory,
        _ options: [String: DBusValue] = [:]
    ) {
        story.call(
            GattCharacteristic1.writeValue, characteristic, target(attribute, story),
            .bytes(value), .properties(options))
    }

    private static func start(
        _ attribute: TestDevice.Attribute, _ story: inout DaemonStory, by client: String = ":1.1"
    ) {
        story.call(
            GattCharacteristic1.startNotify, characteristic, target(attribute, story), by: client)
    }

    private static func stop(
        _ attribute: TestDevice.Attribute, _ story: inout DaemonStory, by client: String = ":1.1"
    ) {
        story.call(
            GattCharacteristic1.stopNotify, characteristic, target(attribute, story), by: client)
    }

    private static func send(
        _ value: [UInt8], _ attribute: TestDevice.Attribute, _ story: inout DaemonStory
    ) {
        let number = story.daemon.peripherals.keys.min() ?? 0
        story.happens("\(attribute) sends \(value)") {
            $0.remoteDid(.notify(attribute.id, value), number)
        }
    }

    private static func disconnect(_ story: inout DaemonStory) {
        story.call(Device1.disconnect, device, .device(known(story)))
    }

    private static func filter(
        _ values: [String: DBusValue], _ story: inout DaemonStory, by client: String = ":1.1"
    ) {
        story.call(
            Adapter1.setDiscoveryFilter, adapter, .adapter(0), .properties(values), by: client)
    }

    // MARK: Discovery

    private static let found = [
        Story("Search", adapters: 2) { story in
            let near = story.add(
                "near", address: "C0:00:00:00:00:01", advertising: advertisement(power: 4))
            _ = story.add(
                "far", address: "C0:00:00:00:00:02", rssi: -90,
                advertising: advertisement(name: "FAR"))
            _ = story.add(
                "shy", address: nil, advertising: advertisement(name: nil, services: [], flags: nil)
            )
            story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Adapter1.startDiscovery, adapter, .adapter(1), by: ":1.2")
            // A change below the threshold is not announced, one at it is.
            for rssi: Int16 in [-67, -75, -68, -60] {
                story.happens("near is received with \(rssi)") { daemon in
                    daemon.peripherals[near]?.rssi = rssi
                    daemon.advertises(near)
                }
            }
            story.happens("near has another name and more services") {
                $0.remoteDid(
                    .advertise(advertisement(name: "NEW", services: [0xAA00, 0xAB00])), near)
            }
            story.happens("near says the same") {
                $0.remoteDid(
                    .advertise(advertisement(name: "NEW", services: [0xAA00, 0xAB00])), near)
            }
            story.happens("near is silent") { $0.remoteDid(.advertise(nil), near) }
            story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
            story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
            story.happens(":1.2 leaves the bus") { $0.clientDisconnected(":1.2") }
            story.pass(.seconds(29))
            story.happens("just before they are forgotten") { _ in }
            story.pass(.seconds(2))
        },
        Story("SearchAgain") { story in
            _ = story.add("R02", advertising: advertisement())
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
            story.pass(.seconds(20))
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.pass(.seconds(20))
            story.happens("it is received, and so not forgotten") { _ in }
            story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
            story.set(Device1.trusted, device, .device(known(story)), .boolean(true))
            story.pass(.seconds(60))
            story.happens("it is trusted, and so not forgotten") { _ in }
            let path = story.daemon.devices.values.first?.path ?? .root
            story.call(Adapter1.removeDevice, adapter, .adapter(0), .objectPath(.root))
            story.call(Adapter1.removeDevice, adapter, .adapter(0), .objectPath(path))
            story.call(Device1.connect, device, .device(99))
        },
        Story("Fading", timing: FakeTiming(finding: .milliseconds(26))) { story in
            _ = story.add("R02", rssi: .min, advertising: advertisement())
            _ = story.add("other", address: "C0:00:00:00:00:02", advertising: advertisement())
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.pass(.milliseconds(3500))
        },
        Story("Duplicates") { story in
            _ = story.add(
                "R02", advertising: advertisement(data: [1, 2], interval: .milliseconds(50)))
            _ = story.add(
                "hasty", address: "C0:00:00:00:00:02",
                advertising: advertisement(interval: .milliseconds(1)))
            filter([DiscoveryFilter.duplicateData: .boolean(true)], &story)
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.pass(.milliseconds(55))
            filter([:], &story)
            story.pass(.seconds(1))
            story.call(Adapter1.getDiscoveryFilters, adapter, .adapter(0))
        },
        Story("Filters") { story in
            let numbers = [
                story.add(
                    "near", address: "C0:00:00:00:00:01", advertising: advertisement(power: 4)),
                story.add(
                    "far", address: "C0:00:00:00:00:02", rssi: -90,
                    advertising: advertisement(name: "FAR", services: [0xAB00], power: 4)),
                story.add(
                    "odd", address: "C1:00:00:00:00:03", rssi: 127,
                    advertising: advertisement(name: nil, flags: nil)),
            ]
            let filters: [[String: DBusValue]] = [
                [DiscoveryFilter.rssi: .int16(-90)], [DiscoveryFilter.rssi: .int16(-89)],
                [DiscoveryFilter.pathloss: .uint16(64)],
                [DiscoveryFilter.pathloss: .uint16(63)],
                [DiscoveryFilter.uuids: .strings(["ab00"])],
                [DiscoveryFilter.uuids: .strings([])],
                [DiscoveryFilter.pattern: .string("FA")],
                [DiscoveryFilter.pattern: .string("C1:")],
                [DiscoveryFilter.transport: .string(DiscoveryFilter.transportClassic)],
                [DiscoveryFilter.transport: .string(DiscoveryFilter.transportAuto)],
                [DiscoveryFilter.discoverable: .boolean(true)],
            ]
            for values in filters {
                filter(values, &story)
                story.call(Adapter1.startDiscovery, adapter, .adapter(0))
                story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
                story.happens("all are forgotten") { daemon in
                    for number in daemon.devices.keys.sorted() { daemon.remove(number) }
                }
            }
            // Wrong ones, which change nothing.
            let wrong: [[String: DBusValue]] = [
                [DiscoveryFilter.rssi: .int16(-128)], [DiscoveryFilter.rssi: .int16(21)],
                [DiscoveryFilter.pathloss: .uint16(138)],
                [
                    DiscoveryFilter.pathloss: .uint16(137), DiscoveryFilter.rssi: .int16(20),
                ],
                [DiscoveryFilter.uuids: .strings(["ab00", "no UUID"])],
                [DiscoveryFilter.transport: .string("smoke")],
                [DiscoveryFilter.duplicateData: .byte(1)], ["Colour": .byte(1)],
            ]
            for values in wrong { filter(values, &story) }
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.happens("they go for good") { daemon in
                for number in numbers { daemon.removePeripheral(number) }
            }
        },
        Story("SearchFaults") { quirks in
            quirks.searchInProgress = 2
            quirks.forgetsWhenSearchEnds = true
        } tell: { story in
            _ = story.add("R02")
            for _ in 0..<3 { story.call(Adapter1.startDiscovery, adapter, .adapter(0)) }
            story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
        },
        Story("DiesOfServiceFilters") {
            $0.diesOfServiceFilters = true
        } tell: { story in
            _ = story.add("R02")
            filter([DiscoveryFilter.rssi: .int16(-90)], &story)
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            filter([DiscoveryFilter.uuids: .strings(["180d"])], &story)
        },
    ]

    // MARK: Links

    private static let links = [
        Story("Link", timing: unfading) { story in
            connect(&story, [])
            story.call(Device1.connect, device, .device(known(story)))
            story.call(Device1.connect, device, .device(known(story)), by: ":1.2")
            story.pass(.milliseconds(30))
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.milliseconds(160))
            story.call(Device1.connect, device, .device(known(story)))
            story.call("ConnectProfile", device, .device(known(story)), .string("180d"))
            disconnect(&story)
            disconnect(&story)
            story.pass(.milliseconds(2599))
            story.call(Device1.cancelPairing, device, .device(known(story)))
            story.pass(.milliseconds(1))
            disconnect(&story)
            story.pass(.seconds(60))
            story.happens("a client has connected to it, and so it is not forgotten") { _ in }
        },
        Story("AwayAndBack") { story in
            let peripheral = connect(&story, [])
            story.happens("out of reach") { $0.setAway(true, peripheral) }
            story.happens("out of reach") { $0.setAway(true, peripheral) }
            story.call(Device1.connect, device, .device(known(story)))
            story.call(Device1.connect, device, .device(known(story)), by: ":1.2")
            story.pass(.seconds(1))
            story.happens("back") { $0.setAway(false, peripheral) }
            story.happens("the device ends it") { $0.remoteDid(.disconnect, peripheral) }
            story.happens("no one can connect") { daemon in
                var advertisement = advertisement()
                advertisement.isConnectable = false
                daemon.remoteDid(.advertise(advertisement), peripheral)
            }
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.milliseconds(1999))
            story.happens("just before the timeout") { _ in }
            story.pass(.milliseconds(1))
            story.happens("blocked") { _ in }
            story.set(Device1.blocked, device, .device(known(story)), .boolean(true))
            story.happens("gone for good") { $0.removePeripheral(peripheral) }
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.seconds(60))
        },
        Story("LostWhileConnecting", timing: FakeTiming(fading: nil, connecting: .seconds(1))) {
            story in
            let peripheral = story.add("R02", services)
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.milliseconds(500))
            story.happens("out of reach") { $0.setAway(true, peripheral) }
            story.pass(.seconds(1))
            story.happens("back") { $0.setAway(false, peripheral) }
            story.pass(.milliseconds(500))
            story.call(Device1.connect, device, .device(known(story)), by: ":1.2")
            disconnect(&story)
            story.pass(.seconds(3))
        },
        Story(
            "ConnectsAfterAll", timing: FakeTiming(fading: nil, connecting: .milliseconds(10))
        ) { quirks in
            quirks.connectsAfterAll = true
            quirks.endsInTwoSignals = true
            quirks.tellsReasons = true
        } tell: { story in
            let peripheral = story.add("R02")
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Device1.connect, device, .device(known(story)))
            disconnect(&story)
            story.pass(.seconds(1))
            story.happens("lost") { $0.setAway(true, peripheral) }
            story.call(Device1.connect, device, .device(known(story)))
            disconnect(&story)
            story.pass(.seconds(3))
        },
        Story("Aborts") { quirks in
            quirks.abortsByLocal = 2
            quirks.dropsBeforeResolved = 1
            quirks.tellsReasons = true
        } tell: { story in
            _ = story.add("R02")
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            for _ in 0..<4 {
                story.call(Device1.connect, device, .device(known(story)))
                story.call(Device1.connect, device, .device(known(story)))
                story.pass(.milliseconds(5))
            }
        },
        Story("ConcealsConnected") { quirks in
            quirks.concealsConnected = true
            quirks.disconnectNeverReplies = true
        } tell: { story in
            connect(&story, [])
            disconnect(&story)
            story.pass(.seconds(1))
            story.kill()
        },
        Story("Hangs") {
            $0.connectHangs = true
        } tell: { story in
            connect(&story, [])
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.seconds(60))
            disconnect(&story)
        },
        Story("NeverResolves") {
            $0.neverResolves = true
        } tell: { story in
            let peripheral = connect(&story)
            story.happens("other services") { $0.remoteDid(.servicesChanged, peripheral) }
            read(.plain, &story)
            disconnect(&story)
        },
        Story("ByItself") { story in
            let peripheral = story.add("R02", services)
            story.happens("the adapter connects") { daemon in
                guard let adapter = daemon.adapters[0], let found = daemon.peripherals[peripheral]
                else { return }
                daemon.connectByItself(found, adapter)
                daemon.connectByItself(found, adapter)
            }
            story.happens("switched off") { $0.setPowered(false, 0) }
            story.happens("the adapter cannot connect") { daemon in
                guard let adapter = daemon.adapters[0], let found = daemon.peripherals[peripheral]
                else { return }
                daemon.connectByItself(found, adapter)
            }
            story.call(Device1.connect, device, .device(known(story)))
            story.call(Device1.pair, device, .device(known(story)))
        },
        Story("Classic") { quirks in
            quirks.tellsReasons = true
        } tell: { story in
            connect(&story, [])
            let number = known(story)
            story.happens("headphones") { $0.setClassicLink(true, number) }
            story.call(Device1.disconnect, BearerLE1.interfaceName, .device(number))
            story.pass(.seconds(3))
            story.call(Device1.connect, BearerLE1.interfaceName, .device(number))
            story.pass(.seconds(1))
            story.happens("no headphones") { $0.setClassicLink(false, number) }
            story.happens("headphones") { $0.setClassicLink(true, number) }
            disconnect(&story)
            story.pass(.seconds(3))
        },
        Story("RemovedWhileConnected") { story in
            connect(&story)
            start(.values, &story)
            let path = story.daemon.devices.values.first?.path ?? .root
            story.call(Adapter1.removeDevice, adapter, .adapter(0), .objectPath(path))
            story.pass(.seconds(3))
        },
        Story("Settings") { story in
            _ = story.add("R02")
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            let known = FakeTarget.device(known(story))
            story.set(Device1.alias, device, known, .string("Anna's"))
            story.set(Device1.alias, device, known, .string(""))
            story.set(Device1.trusted, device, known, .boolean(false))
            story.set(Device1.wakeAllowed, device, known, .boolean(true))
            story.call("Confirm", device, known)
            story.set(Adapter1.alias, adapter, .adapter(0), .string("Kitchen"))
            story.set(Adapter1.alias, adapter, .adapter(0), .string(""))
            story.set(Adapter1.pairable, adapter, .adapter(0), .boolean(true))
            story.call("Reset", adapter, .adapter(0))
            story.call("Reset", "org.example.Other", .adapter(0))
            story.call("RegisterAgent", AgentManager1.interfaceName, .daemon)
            story.call("RegisterProfile", "org.bluez.ProfileManager1", .daemon)
            story.call("Reset", "org.example.Other", .daemon)
            story.call("RegisterApplication", GattManager1.interfaceName, .adapter(0))
            story.call("Reset", adapter, .adapter(7))
            story.call("Reset", adapter, .noMethods)
        },
    ]

    // MARK: Attributes

    private static let attributes = [
        Story("Reading") { story in
            story.showsServices = true
            connect(&story)
            read(.plain, &story)
            read(.long, &story, offset: 510)
            read(.refusesReads, &story)
            read(.writeOnly, &story)
            story.call(
                GattCharacteristic1.readValue, characteristic, target(.plain, story),
                .properties([AttributeOption.offset: .string("1")]))
            for attribute in [TestDevice.Attribute.values, .confirmed] {
                for offset: UInt16 in [0, 1, 2, 3] {
                    story.call(
                        GattDescriptor1.readValue, GattDescriptor1.interfaceName,
                        descriptor(of: attribute, story),
                        .properties([AttributeOption.offset: .uint16(offset)]))
                }
                start(attribute, &story)
            }
            for attribute in [TestDevice.Attribute.values, .confirmed] {
                story.call(
                    GattDescriptor1.readValue, GattDescriptor1.interfaceName,
                    descriptor(of: attribute, story), options)
            }
            story.call(
                GattDescriptor1.writeValue, GattDescriptor1.interfaceName,
                descriptor(of: .values, story), .bytes([1, 0]), options)
            story.call("Confirm", characteristic, target(.plain, story))
            story.call(
                GattCharacteristic1.readValue, characteristic,
                .characteristic(device: known(story), 99), options)
            story.call(
                GattDescriptor1.readValue, GattDescriptor1.interfaceName,
                .descriptor(device: known(story), 0, 9), options)
            disconnect(&story)
            read(.plain, &story)
        },
        Story("Writing") {
            $0.operationInProgress = 0
        } tell: { story in
            connect(&story)
            write([1, 2], .plain, &story)
            write([1, 2], .refusesWrites, &story)
            write([1, 2], .values, &story)
            write(
                [1, 2], .values, &story, [AttributeOption.type: .string(AttributeOption.request)])
            write(
                [1, 2], .values, &story, [AttributeOption.type: .string(AttributeOption.command)])
            write(
                [1, 2], .plain, &story, [AttributeOption.type: .string(AttributeOption.reliable)])
            write([1, 2], .plain, &story, [AttributeOption.type: .string(AttributeOption.command)])
            write([1, 2], .plain, &story, [AttributeOption.type: .string("fast")])
            write([1, 2], .plain, &story, [AttributeOption.type: .byte(1)])
            write([1, 2], .plain, &story, [AttributeOption.offset: .uint16(510)])
            write([1, 2], .plain, &story, [AttributeOption.offset: .uint16(511)])
            let longest = [UInt8](repeating: 7, count: 515)
            for count in [512, 513] { write(Array(longest.prefix(count)), .plain, &story) }
            for count in [514, 515] {
                write(
                    Array(longest.prefix(count)), .commands, &story,
                    [AttributeOption.type: .string(AttributeOption.command)])
            }
            story.happens("two are refused") { $0.quirks.operationInProgress = 2 }
            write([1], .plain, &story)
            read(.plain, &story)
            write([1], .plain, &story)
        },
        Story("WritingWithDescriptors") { story in
            story.showsServices = true
            let plain = GATTCharacteristic(
                TestDevice.Attribute.plain.id, BluetoothUUID(0xAA02), [.read, .write, .indicate],
                descriptors: [
                    GATTDescriptor(TestDevice.Attribute.silent.id, BluetoothUUID(0x2901)),
                    GATTDescriptor(AttributeID(60), BluetoothUUID(0x2902)),
                    GATTDescriptor(TestDevice.Attribute.long.id, BluetoothUUID(0x2904)),
                ])
            connect(
                &story,
                [
                    GATTService(BluetoothUUID(0xAA00), characteristics: [plain]),
                    GATTService(BluetoothUUID(0x1800), characteristics: []),
                    GATTService(
                        BluetoothUUID(0xAB00), isPrimary: false, characteristics: []),
                ])
            guard case .characteristic(let device, let index) = target(.plain, story) else {
                return
            }
            let last = FakeTarget.descriptor(device: device, index, 2)
            let interface = GattDescriptor1.interfaceName
            story.call(GattDescriptor1.readValue, interface, last, options)
            for count in [512, 513] {
                story.call(
                    GattDescriptor1.writeValue, interface, last,
                    .bytes([UInt8](repeating: 1, count: count)), options)
            }
        },
        Story("Silent") { story in
            connect(&story)
            read(.silent, &story)
            write([1], .plain, &story)
            write([2], .plain, &story)
            read(.plain, &story, by: ":1.2")
            story.pass(.seconds(29))
            story.happens("not the first tick yet") { _ in }
            story.pass(.seconds(30))
            story.happens("not the second tick yet") { _ in }
            story.pass(.seconds(1))
            story.call(Device1.connect, device, .device(known(story)))
            write([3], .plain, &story)
            read(.silent, &story)
            story.pass(.seconds(40))
            disconnect(&story)
            story.pass(.seconds(60))
        },
        Story("SilentWhileEnding", timing: FakeTiming(fading: nil, disconnecting: .seconds(90))) {
            story in
            connect(&story)
            read(.silent, &story)
            disconnect(&story)
            story.pass(.seconds(61))
            read(.plain, &story)
            read(.silent, &story)
            story.pass(.seconds(61))
        },
        Story("Encrypted") { story in
            connect(&story)
            read(.encrypted, &story)
            read(.encrypted, &story)
            start(.encryptedValues, &story)
            stop(.encryptedValues, &story)
            read(.encryptedSilent, &story)
            story.pass(.seconds(61))
            story.call(Device1.connect, device, .device(known(story)))
            start(.encryptedValues, &story)
            story.call(Device1.pair, device, .device(known(story)))
        },
        Story("EncryptedWithoutAgent") { story in
            story.agent = false
            connect(&story)
            start(.encryptedValues, &story)
            story.call(Device1.connect, device, .device(known(story)))
            story.agent = nil
            read(.encrypted, &story)
            read(.plain, &story)
            story.pass(.seconds(100))
            story.kill()
        },
        Story("RefusesWhatPairs") { quirks in
            quirks.refusesWhatPairs = true
            quirks.addressAfterPairing = "C0:00:00:00:00:99"
        } tell: { story in
            story.agent = nil
            connect(&story)
            read(.encrypted, &story)
            read(.encrypted, &story)
            read(.plain, &story)
            let number = known(story)
            let id = FakeOperation.ID(
                device: number,
                number: story.daemon.devices[number]?.link?.pairingNumber ?? 0)
            story.happens("the agent agrees to something else") {
                $0.authorized(FakeOperation.ID(device: number, number: 1), true)
            }
            story.happens("the agent agrees") { $0.authorized(id, true) }
            story.happens("the agent agrees again") { $0.authorized(id, true) }
            read(.encrypted, &story)
        },
        Story("Pairing", timing: FakeTiming(fading: nil, connecting: .seconds(1))) { story in
            _ = story.add("R02", services)
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            let known = FakeTarget.device(known(story))
            story.agent = nil
            story.call(Device1.pair, device, known)
            story.call(Device1.pair, device, known, by: ":1.2")
            story.call(Device1.cancelPairing, device, known)
            story.pass(.seconds(2))
            story.call(Device1.pair, device, known, by: ":1.3")
            story.call(Device1.cancelPairing, device, known)
            story.pass(.seconds(3))
            story.agent = false
            story.call(Device1.pair, device, known)
            story.pass(.seconds(2))
            story.agent = true
            story.call(Device1.pair, device, known)
            story.pass(.seconds(2))
            story.call(Device1.pair, device, known)
        },
        Story("PairingEarly", timing: FakeTiming(fading: nil, resolving: .seconds(1))) { story in
            _ = story.add("R02", services)
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            let known = FakeTarget.device(known(story))
            story.call(Device1.connect, device, known)
            story.call(Device1.pair, device, known)
            story.pass(.seconds(2))
            story.kill()
        },
    ]

    // MARK: Values

    private static let values = [
        Story("Values") { story in
            connect(&story)
            stop(.values, &story)
            start(.values, &story)
            start(.values, &story)
            start(.plain, &story)
            send([1], .values, &story)
            start(.values, &story, by: ":1.2")
            send([2], .values, &story)
            stop(.values, &story)
            send([3], .values, &story)
            story.happens(":1.2 leaves the bus") { $0.clientDisconnected(":1.2") }
            send([4], .values, &story)
            start(.confirmed, &story)
            let peripheral = story.daemon.peripherals.keys.min() ?? 0
            story.happens("an indication") {
                $0.remoteDid(.indicate(TestDevice.Attribute.confirmed.id, [5]), peripheral)
            }
            send([6], .battery, &story)
            send([6], .battery, &story)
            start(.battery, &story)
            send([], .battery, &story)
            send([7], .battery, &story)
            stop(.battery, &story)
            send([8], .battery, &story)
            start(.values, &story)
            disconnect(&story)
            story.pass(.seconds(3))
            start(.values, &story)
            start(.values, &story, by: ":1.2")
            stop(.values, &story, by: ":1.2")
            send([9], .values, &story)
            story.call(Device1.connect, device, .device(known(story)))
            send([10], .values, &story)
            story.pass(.seconds(1))
            send([11], .values, &story)
        },
        Story("ValuesForgotten") { quirks in
            quirks.forgetsSubscriptions = true
            quirks.losesFirstValue = true
            quirks.doublesValues = true
            quirks.valuesAfterEnd = true
            quirks.announcesReads = false
        } tell: { story in
            connect(&story)
            start(.values, &story)
            for number: UInt8 in 1...3 { send([number], .values, &story) }
            read(.plain, &story)
            disconnect(&story)
            story.pass(.seconds(3))
            story.call(Device1.connect, device, .device(known(story)))
            send([4], .values, &story)
        },
        Story("ValuesSwapped") { quirks in
            quirks.swapsValues = true
            quirks.valuesBeforeAnswer = true
        } tell: { story in
            connect(&story)
            start(.values, &story)
            start(.values, &story, by: ":1.2")
            for number: UInt8 in 1...3 { send([number], .values, &story) }
            story.pass(.milliseconds(199))
            story.happens("not released yet") { _ in }
            story.pass(.milliseconds(1))
            start(.confirmed, &story)
            story.pass(.milliseconds(999))
            story.happens("not replied yet") { _ in }
            story.pass(.milliseconds(1))
            start(.tx, &story)
            send([4], .tx, &story)
            disconnect(&story)
            story.pass(.seconds(3))
        },
        Story("SecondStartHangs") {
            $0.secondStartNotifyHangs = true
        } tell: { story in
            connect(&story)
            start(.values, &story)
            stop(.values, &story)
            start(.values, &story)
            story.pass(.seconds(60))
            story.happens("the device is removed") { daemon in
                for number in daemon.devices.keys.sorted() { daemon.remove(number) }
            }
        },
        Story("Sockets") { story in
            connect(&story)
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.tx, story), options)
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.tx, story), options)
            start(.tx, &story)
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.confirmed, story),
                options)
            story.call(
                GattCharacteristic1.acquireWrite, characteristic, target(.plain, story), options)
            for _ in 0..<2 {
                story.call(
                    GattCharacteristic1.acquireWrite, characteristic, target(.commands, story),
                    options, by: ":1.2")
            }
            write([1], .commands, &story)
            send([1, 2], .tx, &story)
            let number = known(story)
            func place(_ attribute: TestDevice.Attribute) -> FakeCharacteristic.Socket? {
                guard let gatt = story.daemon.devices[number]?.gatt,
                    let index = gatt.indices[attribute.id]
                else { return nil }
                return gatt.characteristics[index].sockets.first
            }
            let writing = place(.commands)
            let notifying = place(.tx)
            story.happens("a packet") { if let writing { $0.socketWrote([3], writing) } }
            story.happens(":1.2 leaves the bus") { $0.clientDisconnected(":1.2") }
            story.happens("a packet") { if let writing { $0.socketWrote([4], writing) } }
            story.happens("the reader closes") { if let notifying { $0.socketEnded(notifying) } }
            story.happens("it is closed") { if let notifying { $0.socketEnded(notifying) } }
            send([5], .tx, &story)
            start(.tx, &story)
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.tx, story), options)
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.values, story), options)
            disconnect(&story)
            story.pass(.seconds(3))
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.values, story), options)
        },
        Story("SocketsRefused") { quirks in
            quirks.refusesSockets = true
            quirks.hidesBatteryService = true
        } tell: { story in
            connect(&story)
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.tx, story), options)
        },
        Story("SocketsHidden") { quirks in
            quirks.hidesSockets = true
            quirks.hidesMTU = true
        } tell: { story in
            story.showsServices = true
            connect(&story)
            story.call(
                GattCharacteristic1.acquireWrite, characteristic, target(.commands, story),
                options)
        },
        Story("FalseValues") { quirks in
            quirks.falseValues = [
                "org.bluez.Device1.RSSI": .string("loud"),
                "org.bluez.GattCharacteristic1.Value": .byte(1),
            ]
        } tell: { story in
            connect(&story)
            read(.plain, &story)
            story.call(Adapter1.stopDiscovery, adapter, .adapter(0))
        },
    ]

    // MARK: Services and adapters

    private static func change(
        _ words: String, _ services: [GATTService], _ peripheral: Int, _ story: inout DaemonStory
    ) {
        story.happens(words) { daemon in
            (daemon.peripherals[peripheral]?.remote as? DaemonStory.Remote)?.change(to: services)
            daemon.remoteDid(.servicesChanged, peripheral)
        }
    }

    private static let more = GATTService(
        BluetoothUUID(0xBB00),
        characteristics: [GATTCharacteristic(AttributeID(50), BluetoothUUID(0xBB01), .notify)])

    private static let product = GATTService(
        BluetoothUUID(0x180A),
        characteristics: [GATTCharacteristic(AttributeID(51), BluetoothUUID(0x2A50), .read)])

    private static let others = [
        Story("Services", timing: FakeTiming(fading: nil, resolving: .milliseconds(155))) {
            story in
            let peripheral = connect(&story)
            start(.values, &story)
            read(.silent, &story)
            read(.plain, &story)
            change("more of them", services + [more], peripheral, &story)
            change("the battery is gone", Array(services.dropFirst()) + [more], peripheral, &story)
            change("only one is left", [more], peripheral, &story)
            change("the others are back", services + [more, product], peripheral, &story)
            change("as before", services + [more, product], peripheral, &story)
            disconnect(&story)
            story.pass(.seconds(3))
            change("meanwhile others", [product], peripheral, &story)
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.milliseconds(200))
            story.happens("services of an old link") { daemon in
                daemon.found([more], daemon.devices.keys.min() ?? 0, 1)
            }
        },
        Story("ServicesLate") {
            $0.exportsLate = .milliseconds(100)
        } tell: { story in
            let peripheral = story.add("R02", [more])
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.milliseconds(99))
            story.happens("not yet exported") { _ in }
            story.pass(.milliseconds(1))
            story.happens("the device ends it") { $0.remoteDid(.disconnect, peripheral) }
            story.call(Device1.connect, device, .device(known(story)))
            story.happens("the device ends it") { $0.remoteDid(.disconnect, peripheral) }
            story.pass(.seconds(1))
        },
        Story("ServicesAgain") {
            $0.exportsAgain = 2
        } tell: { story in
            connect(&story, [more, services[0]])
        },
        Story("ServicesStale") {
            $0.keepsStaleServices = true
        } tell: { story in
            let peripheral = connect(&story, [more])
            disconnect(&story)
            story.pass(.seconds(3))
            change("others", [product], peripheral, &story)
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.seconds(1))
            change("and others", services, peripheral, &story)
        },
        Story(
            "ServicesForgotten",
            timing: FakeTiming(
                fading: nil, resolving: .milliseconds(100), disconnecting: .milliseconds(200))
        ) {
            $0.forgetsUUIDsOfShortLinks = true
        } tell: { story in
            _ = story.add("R02", [more])
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Device1.connect, device, .device(known(story)))
            disconnect(&story)
            story.pass(.seconds(1))
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.seconds(1))
        },
        Story("Power", adapters: 2) { story in
            connect(&story)
            let own = story.add(
                "program", address: "00:AA:01:00:00:00", ownAdapter: 0, advertising: advertisement()
            )
            story.call(Adapter1.startDiscovery, adapter, .adapter(1))
            read(.silent, &story)
            story.set(Adapter1.powered, adapter, .adapter(0), .boolean(true))
            story.set(Adapter1.powered, adapter, .adapter(0), .boolean(false))
            story.set(Adapter1.powered, adapter, .adapter(0), .boolean(false))
            for member in [Adapter1.startDiscovery, Adapter1.stopDiscovery] {
                story.call(member, adapter, .adapter(0))
            }
            story.happens("blocked") { $0.setBlocked(true, 0) }
            story.set(Adapter1.powered, adapter, .adapter(0), .boolean(true))
            story.happens("unblocked") { $0.setBlocked(false, 0) }
            story.set(Adapter1.powered, adapter, .adapter(0), .boolean(true))
            story.happens("blocked") { $0.setBlocked(true, 0) }
            story.happens("blocked") { $0.setBlocked(true, 0) }
            story.happens("unblocked") { $0.setBlocked(false, 0) }
            story.call(Device1.connect, device, .device(known(story)))
            story.happens("the program ends") { $0.removePeripheral(own) }
            story.happens("pulled out") { $0.removeAdapter(0) }
            story.happens("pulled out") { $0.removeAdapter(0) }
            story.happens("plugged in") { $0.addAdapter(0) }
            story.happens("plugged in") { $0.addAdapter(0) }
            story.happens("plugged in") { $0.addAdapter(300) }
        },
        Story("PowerWhileConnecting", timing: FakeTiming(fading: nil, connecting: .seconds(5))) {
            story in
            _ = story.add("R02", services)
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Device1.connect, device, .device(known(story)))
            story.happens("switched off") { $0.setPowered(false, 0) }
            story.pass(.seconds(90))
            story.kill()
        },
        Story("Discoverable") { story in
            func set(_ isOn: Bool) {
                story.set(Adapter1.discoverable, adapter, .adapter(0), .boolean(isOn))
            }
            func limit(_ seconds: UInt32) {
                story.set(Adapter1.discoverableTimeout, adapter, .adapter(0), .uint32(seconds))
            }
            set(true)
            set(true)
            limit(0)
            story.happens("switched off") { $0.setPowered(false, 0) }
            set(false)
            set(true)
            limit(1)
            set(false)
            story.happens("switched on") { $0.setPowered(true, 0) }
            story.pass(.seconds(1))
            set(true)
            story.happens("switched off") { $0.setPowered(false, 0) }
        },
        Story("Killed", timing: FakeTiming(fading: nil, disconnecting: .seconds(9))) { story in
            connect(&story)
            start(.values, &story)
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target(.tx, story), options)
            read(.silent, &story)
            read(.plain, &story)
            disconnect(&story)
            story.kill()
            read(.plain, &story)
            story.happens("started") { $0.start() }
            story.call(Adapter1.startDiscovery, adapter, .adapter(0))
            story.call(Device1.connect, device, .device(known(story)))
            read(.silent, &story)
            story.pass(.seconds(61))
        },
        Story("SameAddress") { story in
            let first = connect(&story, [more])
            let second = story.add("twin", [product])
            disconnect(&story)
            story.pass(.seconds(3))
            story.happens("gone for good") { $0.removePeripheral(first) }
            story.call(Device1.connect, device, .device(known(story)))
            story.pass(.seconds(3))
            story.happens("back") { $0.setAway(false, second) }
            let third = story.add("heir", [more])
            story.call(Device1.connect, device, .device(known(story)))
            story.happens("out of reach") { $0.setAway(true, second) }
            story.happens("back") { $0.setAway(false, third) }
            story.happens("back") { $0.setAway(false, second) }
            story.call(Device1.connect, device, .device(known(story)))
        },
        Story("ForPrograms", timing: FakeTiming(fading: nil, meeting: .milliseconds(150))) {
            $0.answersForPrograms = true
        } tell: { story in
            _ = story.add("program", services, address: "00:AA:01:00:00:00", ownAdapter: 0)
            connect(&story, [])
        },
    ]

    @Test(arguments: found + links + attributes + values + others)
    func aStoryGoesAsRecorded(_ told: Story) throws {
        var story = try DaemonStory(
            quirks: told.quirks, timing: told.timing, adapters: told.adapters)
        told.tell(&story)
        try GoldenText("Golden/Daemon/\(told.testDescription).txt").expect(story.lines)
    }

    // MARK: Any life

    /// Whatever happens, each request gets one reply, or is dropped with its device or the daemon.
    @Test(arguments: 0..<40)
    func eachRequestEndsOnce(seed: UInt64) throws {
        var life = SplitMix(seed: seed)
        var story = try DaemonStory(
            quirks: Self.quirks(of: &life),
            timing: life.chance(50) ? Self.unfading : FakeTiming(fading: nil))
        let peripherals = [
            story.add("R02", Self.services),
            story.add("other", Self.services, address: "C0:00:00:00:00:02"),
        ]
        story.call(Adapter1.startDiscovery, Self.adapter, .adapter(0))
        for _ in 0..<600 {
            story.agent = [true, false, nil].randomElement(using: &life) ?? nil
            if life.chance(65) {
                Self.call(&story, &life)
            } else {
                Self.happen(to: peripherals[life.chance(50) ? 0 : 1], &story, &life)
            }
        }
        story.kill()
        #expect(story.requestCount > 200)
        for number in 1...story.requestCount {
            let outcomes = story.outcomes[number] ?? []
            #expect(outcomes.count == 1, "#\(number): \(outcomes), in \(story.lines.suffix(30))")
        }
    }

    /// Some of the daemon's faults, each by chance.
    private static func quirks(of life: inout SplitMix) -> FakeQuirks {
        var quirks = FakeQuirks()
        quirks.exportsLate = life.chance(20) ? .milliseconds(100) : nil
        quirks.exportsAgain = life.chance(20) ? 2 : 0
        quirks.dropsBeforeResolved = life.chance(20) ? 3 : 0
        quirks.abortsByLocal = life.chance(20) ? 3 : 0
        quirks.connectsAfterAll = life.chance(20)
        quirks.disconnectNeverReplies = life.chance(10)
        quirks.refusesWhatPairs = life.chance(20)
        quirks.swapsValues = life.chance(20)
        quirks.valuesBeforeAnswer = life.chance(20)
        quirks.forgetsSubscriptions = life.chance(20)
        quirks.secondStartNotifyHangs = life.chance(10)
        quirks.keepsStaleServices = life.chance(10)
        return quirks
    }

    /// One of two clients asks the daemon for something.
    private static func call(_ story: inout DaemonStory, _ life: inout SplitMix) {
        let client = life.chance(50) ? ":1.1" : ":1.2"
        let number = story.daemon.devices.keys.sorted().randomElement(using: &life) ?? 0
        let object = story.daemon.devices[number]
        let attribute = TestDevice.Attribute.allCases.randomElement(using: &life) ?? .plain
        let target = FakeTarget.characteristic(
            device: number, object?.gatt?.indices[attribute.id] ?? 0)
        switch Int.random(in: 0..<26, using: &life) {
        case 0: story.call(Device1.disconnect, device, .device(number), by: client)
        case 1: story.call(Device1.pair, device, .device(number), by: client)
        case 2: story.call(Device1.cancelPairing, device, .device(number), by: client)
        case 3..<7:
            story.call(GattCharacteristic1.readValue, characteristic, target, options, by: client)
        case 7..<10:
            story.call(
                GattCharacteristic1.writeValue, characteristic, target, .bytes([1]), options,
                by: client)
        case 10..<13:
            story.call(GattCharacteristic1.startNotify, characteristic, target, by: client)
        case 13: story.call(GattCharacteristic1.stopNotify, characteristic, target, by: client)
        case 14:
            story.call(
                GattCharacteristic1.acquireNotify, characteristic, target, options, by: client)
        case 15:
            story.call(
                GattCharacteristic1.acquireWrite, characteristic, target, options, by: client)
        case 16:
            story.call(
                Adapter1.removeDevice, adapter, .adapter(0),
                .objectPath(object?.path ?? .root), by: client)
        case 17: story.call(Adapter1.startDiscovery, adapter, .adapter(0), by: client)
        default: story.call(Device1.connect, device, .device(number), by: client)
        }
    }

    /// Something happens to a peripheral, a client or the adapter, or time passes.
    private static func happen(
        to peripheral: Int, _ story: inout DaemonStory, _ life: inout SplitMix
    ) {
        let isOn = life.chance(50)
        switch Int.random(in: 0..<14, using: &life) {
        case 0: story.happens("a client leaves") { $0.clientDisconnected(":1.1") }
        case 1: story.happens("away") { $0.setAway(true, peripheral) }
        case 2: story.happens("back") { $0.setAway(false, peripheral) }
        case 3: story.happens("ends") { $0.remoteDid(.disconnect, peripheral) }
        case 4:
            let shown = isOn ? services : Array(services.dropFirst())
            change("services", shown, peripheral, &story)
        case 5: story.happens("power \(isOn)") { $0.setPowered(isOn, 0) }
        case 6..<10:
            let attribute = TestDevice.Attribute.allCases.randomElement(using: &life) ?? .plain
            story.happens("a value") { $0.remoteDid(.notify(attribute.id, [1]), peripheral) }
        case 10: story.pass(.seconds(40))
        default: story.pass(.milliseconds(Int.random(in: 0...3000, using: &life)))
        }
    }

    // MARK: What no story has

    private static let aborted =
        "refuse org.bluez.Error.Failed: Operation failed with ATT error: 0x0e"

    /// The identifier of the present operation.
    private static func current(_ story: DaemonStory) throws -> FakeOperation.ID {
        let number = known(story)
        let link = story.daemon.devices[number]?.link
        return FakeOperation.ID(
            device: number, number: try #require(link?.operations.current?.number))
    }

    private static func isNotifying(
        _ attribute: TestDevice.Attribute, _ story: DaemonStory
    ) -> Bool? {
        let gatt = story.daemon.devices[known(story)]?.gatt
        return gatt?.characteristics.first { $0.attribute == attribute.id }?.isNotifying
    }

    private static func reconnect(_ story: inout DaemonStory) {
        story.call(Device1.connect, device, .device(known(story)))
    }

    /// A refused subscription is none: the client gets the device's error, and can try again.
    @Test func aRefusedSubscriptionIsNone() throws {
        var story = try DaemonStory(timing: FakeTiming(fading: nil))
        Self.connect(&story)
        story.agent = nil
        for _ in 0..<2 {
            Self.start(.encryptedValues, &story)
            let id = try Self.current(story)
            let device = try #require(story.daemon.devices[id.device])
            story.happens("the device refuses") {
                $0.remoteDid(.refuse(.insufficientAuthorization, id.token), device.peripheral)
            }
            #expect(
                story.outcomes[story.requestCount]
                    == ["refuse org.bluez.Error.NotAuthorized: Operation Not Authorized"])
        }
    }

    /// A subscription that begins when its client has left already is ended again.
    @Test func aSubscriptionWithoutAClientIsEnded() throws {
        var story = try DaemonStory(timing: FakeTiming(fading: nil))
        Self.connect(&story)
        story.agent = nil
        Self.start(.encryptedValues, &story, by: ":1.2")
        let id = try Self.current(story)
        story.happens(":1.2 leaves the bus") { $0.clientDisconnected(":1.2") }
        story.happens("the agent agrees") { $0.authorized(id, true) }
        #expect(story.lines.contains { $0.hasSuffix("subscribe 15 off") })
        #expect(Self.isNotifying(.encryptedValues, story) == false)
    }

    /// A subscription that is made before the services are resolved begins with them.
    @Test func anEarlySubscriptionBeginsWithTheServices() throws {
        var story = try DaemonStory(
            timing: FakeTiming(fading: nil, resolving: .milliseconds(155)))
        Self.connect(&story)
        Self.disconnect(&story)
        Self.reconnect(&story)
        Self.start(.values, &story)
        #expect(story.outcomes[story.requestCount] == ["reply"])
        #expect(Self.isNotifying(.values, story) == false)
        story.pass(.milliseconds(155))
        #expect(Self.isNotifying(.values, story) == true)
    }

    /// Operations on earlier services end when the device turns out to have others.
    @Test func anEarlyOperationEndsWithTheServices() throws {
        var story = try DaemonStory(
            timing: FakeTiming(fading: nil, resolving: .milliseconds(155)))
        let peripheral = Self.connect(&story)
        Self.disconnect(&story)
        Self.change("meanwhile others", [Self.more], peripheral, &story)
        Self.reconnect(&story)
        Self.read(.silent, &story)
        #expect(story.outcomes[story.requestCount] == nil)
        story.pass(.milliseconds(155))
        #expect(story.outcomes[story.requestCount] == [Self.aborted])
    }

    /// Operations on services that are gone are refused, and leave nothing; the others go on.
    @Test func operationsEndWithTheirServices() throws {
        let plain = GATTCharacteristic(
            TestDevice.Attribute.plain.id, BluetoothUUID(0xAA02), [.read, .write],
            descriptors: [GATTDescriptor(AttributeID(60), BluetoothUUID(0x2901))])
        let silent = GATTCharacteristic(
            TestDevice.Attribute.silent.id, BluetoothUUID(0xAA03), .read)
        let service = GATTService(BluetoothUUID(0xAA00), characteristics: [plain, silent])
        var story = try DaemonStory(timing: FakeTiming(fading: nil))
        let peripheral = Self.connect(&story, [service, Self.more])
        let number = Self.known(story)
        Self.read(.silent, &story)
        Self.write([1], .plain, &story)
        story.call(
            GattDescriptor1.writeValue, GattDescriptor1.interfaceName,
            Self.descriptor(of: .plain, story), .bytes([1]), Self.options)
        let index = try #require(story.daemon.devices[number]?.gatt?.indices[AttributeID(50)])
        story.call(
            GattCharacteristic1.startNotify, Self.characteristic,
            .characteristic(device: number, index))
        Self.change("one is gone", [Self.more], peripheral, &story)
        let last = story.requestCount
        for request in (last - 3)..<last {
            #expect(
                story.outcomes[request]
                    == ["refuse org.bluez.Error.NotSupported: Operation is not supported"])
        }
        #expect(story.outcomes[last] == ["reply"])
        Self.change("it is back", [service, Self.more], peripheral, &story)
        Self.write([2], .plain, &story)
        #expect(story.outcomes[story.requestCount] == ["reply"])
        // The daemon knows the latest services when the device comes back with them.
        Self.change("one is gone", [Self.more], peripheral, &story)
        Self.disconnect(&story)
        let count = story.lines.count
        Self.reconnect(&story)
        story.pass(.seconds(1))
        #expect(story.daemon.devices[number]?.isResolved == true)
        #expect(!story.lines.dropFirst(count).contains { $0.contains("/service") })
    }

    /// The daemon ignores values of a battery whose service is gone.
    @Test func aBatteryEndsWithItsService() throws {
        var story = try DaemonStory(timing: FakeTiming(fading: nil))
        let peripheral = Self.connect(&story)
        Self.send([8], .battery, &story)
        Self.change("no battery", Array(Self.services.dropFirst()), peripheral, &story)
        Self.send([9], .battery, &story)
        #expect(story.lines.contains { $0.hasSuffix("Percentage=8") })
        #expect(!story.lines.contains { $0.hasSuffix("Percentage=9") })
    }

    /// The timer for answers starts again with an operation that waited for pairing.
    @Test func anOperationAfterPairingIsWatched() throws {
        var story = try DaemonStory(timing: FakeTiming(fading: nil))
        Self.connect(&story)
        // Until the timer for the operations after connecting has ended.
        story.pass(.seconds(31))
        Self.read(.encryptedSilent, &story)
        story.pass(.seconds(61))
        #expect(story.outcomes[story.requestCount] == [Self.aborted])
    }

    /// A value that is held back is signalled once, and not after its link.
    @Test func aValueThatIsHeldBackEndsWithItsLink() throws {
        var quirks = FakeQuirks()
        quirks.swapsValues = true
        var story = try DaemonStory(quirks: quirks, timing: FakeTiming(fading: nil))
        Self.connect(&story)
        Self.start(.values, &story)
        Self.send([1], .values, &story)
        story.pass(.milliseconds(200))
        Self.send([2], .values, &story)
        Self.disconnect(&story)
        Self.reconnect(&story)
        Self.send([3], .values, &story)
        story.pass(.milliseconds(200))
        let values = story.lines.filter { $0.contains(" value ") }.map { $0.suffix(3) }
        #expect(values == ["[1]", "[3]"])
    }

    /// A client's filter ends with the client, and with the daemon.
    @Test func filtersEnd() throws {
        let ends: [(inout DaemonStory) -> Void] = [
            { story in story.happens(":1.1 leaves the bus") { $0.clientDisconnected(":1.1") } },
            { $0.kill() },
        ]
        for end in ends {
            var story = try DaemonStory()
            Self.filter([DiscoveryFilter.uuids: .strings(["180d"])], &story)
            #expect(story.daemon.adapters[0]?.filters.isEmpty == false)
            end(&story)
            #expect(story.daemon.adapters[0]?.filters.isEmpty == true)
        }
    }

    /// The limits are those of the daemon's source.
    @Test(
        arguments: [
            (DiscoveryFilter.rssi, DBusValue.int16(-128), false),
            (DiscoveryFilter.rssi, .int16(-127), true), (DiscoveryFilter.rssi, .int16(20), true),
            (DiscoveryFilter.rssi, .int16(21), false),
            (DiscoveryFilter.pathloss, .uint16(137), true),
            (DiscoveryFilter.pathloss, .uint16(138), false),
        ] as [(String, DBusValue, Bool)])
    func filtersHaveLimits(_ key: String, _ value: DBusValue, _ isValid: Bool) {
        #expect((FakeFilter(.properties([key: value])) != nil) == isValid)
    }

    /// A device that was only connected over Bluetooth Classic is not forgotten. Its low-energy
    /// bearer follows a link that breaks while it is established.
    @Test func headphonesStay() throws {
        var quirks = FakeQuirks()
        quirks.abortsByLocal = 1
        var story = try DaemonStory(quirks: quirks, timing: FakeTiming(fading: nil))
        _ = story.add("R02")
        story.call(Adapter1.startDiscovery, Self.adapter, .adapter(0))
        let number = Self.known(story)
        story.happens("headphones") { $0.setClassicLink(true, number) }
        story.call(Adapter1.stopDiscovery, Self.adapter, .adapter(0))
        story.pass(.seconds(60))
        #expect(Self.known(story) == number)
        Self.reconnect(&story)
        story.pass(.milliseconds(5))
        let ends = story.lines.filter { $0.contains("Bearer.LE1 Connected=") }
        #expect(ends.map { $0.hasSuffix("true") } == [true, false])
    }

    /// The name and the service data of an advertisement and its scan response.
    @Test func advertisedDataIsMerged() throws {
        let long = try BluetoothUUID(parsing: "6e40fff0-b5a3-f393-e0a9-e50e24dcca9e")
        let contents: [[AdvertisingStructure.Content]] = [
            [
                .name(AdvertisedName("R\u{0}02"), isComplete: true),
                .shortServiceData(0x180D, [1]), .mediumServiceData(0x1_2345, [2]),
            ],
            [.longServiceData(long, [3])],
        ]
        let data = try contents.map { contents in
            try AdvertisingData(structures: try contents.map { try AdvertisingStructure($0) })
        }
        let heard = FakeHeard(data, rssi: -60)
        // D-Bus strings cannot contain NUL.
        #expect(heard.name == "R02")
        #expect(
            heard.serviceData == [
                BluetoothUUID(0x180D): [1], BluetoothUUID(0x1_2345): [2], long: [3],
            ])
    }

    /// A bus that takes nothing: values are dropped, and counted, beyond the limit.
    @Test func valuesBeyondTheBacklogAreLost() throws {
        var story = try DaemonStory(timing: FakeTiming(fading: nil))
        let peripheral = Self.connect(&story)
        Self.start(.values, &story)
        let limit = 65_536
        for _ in 0..<(limit + 7) {
            story.daemon.remoteDid(.notify(TestDevice.Attribute.values.id, [1]), peripheral)
        }
        #expect(story.daemon.effects.count == limit)
        #expect(story.daemon.lostValues == 7)
    }

    @Test func addressesAreWrittenInFull() {
        #expect(FakePeripheral.address(0x12_3456) == "C0:DE:00:12:34:56")
        #expect(FakePeripheral.address(7) == "C0:DE:00:00:00:07")
    }

    /// A header of three bytes leaves the rest of a packet to the value.
    @Test(arguments: [(23, 20), (4, 1), (3, 0), (2, 0)])
    func valuesFitIntoAPacket(_ mtu: Int, _ length: Int) {
        let link = FakeRemoteCall.Link(
            centralAddress: "00:AA:01:00:00:00", mtu: mtu, answersForPrograms: false,
            meeting: .zero, number: 1)
        #expect(link.maximumLength == length)
    }

    @Test func delaysAreNoneByDefaultExceptForTimeouts() {
        let timing = FakeTiming()
        #expect(timing.forgetting == .seconds(30))
        #expect(timing.answering == .seconds(30))
        #expect(timing.unreachable == .seconds(2))
        #expect(timing.fading == .seconds(1))
        #expect(FakeTiming.realistic.unreachable == .milliseconds(40_460))
        for delay in [
            timing.finding, timing.connecting, timing.meeting, timing.resolving,
            timing.disconnecting,
        ] { #expect(delay == .zero) }
    }
}

extension SplitMix {
    /// Whether something of a probability in percent is the case.
    fileprivate mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}
