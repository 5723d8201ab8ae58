import BlueZVocabulary
import FakeBlueZ
import HaloDBus
import HaloTransport

/// A daemon, the test's device, and a client that knows its paths.
struct FakeBench {
    let fake: FakeBlueZ
    let hosted: Hosted<TestDevice>
    let client: FakeClient

    static let adapter = "/org/bluez/hci0"
    static let address = "C0:00:00:00:00:01"
    static let device = "/org/bluez/hci0/dev_C0_00_00_00_00_01"
    static let short = "dev_C0_00_00_00_00_01"
    static let options = DBusValue.properties([:])

    /// The device's RSSI is constant, so that there are no signals without a cause.
    init(
        quirks: FakeQuirks = FakeQuirks(), timing: FakeTiming = FakeTiming(),
        on bus: PrivateBus? = nil
    ) async throws {
        var timing = timing
        timing.fading = nil
        fake = try await FakeBlueZ(quirks: quirks, timing: timing, on: bus)
        hosted = fake.add(TestDevice(), address: Self.address)
        client = try await FakeClient(fake)
    }

    /// Creates a bench whose device is known.
    static func found(
        quirks: FakeQuirks = FakeQuirks(), timing: FakeTiming = FakeTiming(),
        on bus: PrivateBus? = nil
    ) async throws -> FakeBench {
        let bench = try await FakeBench(quirks: quirks, timing: timing, on: bus)
        _ = await bench.ask(Adapter1.startDiscovery)
        try await bench.client.hears("+\(short) Device1")
        return bench
    }

    /// Creates a bench whose device is connected, with its services.
    static func connected(
        quirks: FakeQuirks = FakeQuirks(), timing: FakeTiming = FakeTiming(),
        on bus: PrivateBus? = nil
    ) async throws -> FakeBench {
        let bench = try await found(quirks: quirks, timing: timing, on: bus)
        _ = await bench.tell(Device1.connect)
        try await bench.client.hears("ServicesResolved=true")
        try await bench.client.hears("+\(short) Battery1")
        return bench
    }

    /// Calls a method of the adapter.
    func ask(_ member: String, _ argument: DBusValue? = nil, by client: FakeClient? = nil) async
        -> String
    {
        let client = client ?? self.client
        let (interface, adapter) = (Adapter1.interfaceName, Self.adapter)
        guard let argument else {
            let answer = await client.say(member, interface, adapter)
            // Signals just after a reply are received, too.
            _ = await client.say(Adapter1.getDiscoveryFilters, interface, adapter)
            return answer
        }
        return await client.say(member, interface, adapter, argument)
    }

    /// Calls a method of the device.
    func tell(_ member: String, by client: FakeClient? = nil) async -> String {
        await (client ?? self.client).say(member, Device1.interfaceName, Self.device)
    }

    /// Calls a method of the device, and does not wait for the reply.
    func begin(_ member: String) async throws -> Promise<String, BLEError> {
        try await client.begin(member, Device1.interfaceName, Self.device)
    }

    /// Calls a method of a characteristic, and does not wait for the reply.
    func begin(
        _ attribute: TestDevice.Attribute, _ member: String, _ arguments: DBusValue...
    ) async throws -> Promise<String, BLEError> {
        let (interface, path) = (GattCharacteristic1.interfaceName, Self.path(attribute))
        guard let first = arguments.first else {
            return try await client.begin(member, interface, path)
        }
        return try await client.begin(member, interface, path, first)
    }

    /// The path of a characteristic, by the handles of the test's device.
    static func path(_ attribute: TestDevice.Attribute) -> String {
        var handle = 8 + 4
        for other in TestDevice.Attribute.allCases {
            if other == .battery || other == .plain { handle += 1 }
            if other == attribute { break }
            handle += other.properties.canSubscribe ? 3 : 2
        }
        let service = attribute == .battery ? "service000c" : "service0010"
        return "\(device)/\(service)/char\(hexadecimal(handle))"
    }

    private static func hexadecimal(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Calls a method of a characteristic.
    func use(
        _ attribute: TestDevice.Attribute, _ member: String, _ arguments: DBusValue...,
        by client: FakeClient? = nil
    ) async -> String {
        let client = client ?? self.client
        let (interface, path) = (GattCharacteristic1.interfaceName, Self.path(attribute))
        return switch arguments.count {
        case 0: await client.say(member, interface, path)
        case 1: await client.say(member, interface, path, arguments[0])
        default: await client.say(member, interface, path, arguments[0], arguments[1])
        }
    }

    func read(_ attribute: TestDevice.Attribute, _ options: DBusValue = options) async -> String {
        await use(attribute, GattCharacteristic1.readValue, options)
    }

    func write(
        _ attribute: TestDevice.Attribute, _ value: [UInt8], _ options: DBusValue = options
    ) async -> String {
        await use(attribute, GattCharacteristic1.writeValue, .bytes(value), options)
    }

    func start(_ attribute: TestDevice.Attribute, by client: FakeClient? = nil) async -> String {
        await use(attribute, GattCharacteristic1.startNotify, by: client)
    }

    func stop(_ attribute: TestDevice.Attribute, by client: FakeClient? = nil) async -> String {
        await use(attribute, GattCharacteristic1.stopNotify, by: client)
    }

    /// Sends values of the device.
    func send(_ attribute: TestDevice.Attribute, _ values: [UInt8]...) {
        hosted.modify { $0.outbox += values.map { (attribute, $0) } }
    }

    /// The value of a characteristic's property.
    func property(_ name: String, _ attribute: TestDevice.Attribute) async -> DBusValue? {
        await client.property(name, GattCharacteristic1.interfaceName, Self.path(attribute))
    }

    /// The signalled values of a characteristic, in order.
    func values(_ attribute: TestDevice.Attribute) -> [String] {
        let path = Self.path(attribute).replacing("/org/bluez/hci0/", with: "")
        return client.signals.filter { $0.hasPrefix("\(path) Value=") }
            .map { String($0.dropFirst("\(path) Value=".count)) }
    }

    /// The signals about the device itself.
    var life: [String] {
        client.signals.compactMap { line in
            let object = line.drop { "+-".contains($0) }
            guard object.hasPrefix("\(Self.short) ") else { return nil }
            return line.replacing("\(Self.short) ", with: "")
        }
    }
}
