import HaloProtocol
import HaloTransport

/// A device of this program: it counts seconds, from a number that can be written.
struct Counter: GATTPeripheral {
    private static let described: (database: GATTDatabase, count: AttributeID) = {
        var database = GATTDatabase()
        let count = database.add(BluetoothUUID(0x1234)) { service in
            service.add(BluetoothUUID(0x1235), [.read, .write, .notify])
        }
        return (database, count)
    }()
    static var countID: AttributeID { described.count }

    var count: UInt8 = 0
    private var isSubscribed = false

    var services: [GATTService] { Self.described.database.services }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started, .disconnected:
            isSubscribed = false
            let data = AdvertisingData.connectable(name: "Counter", services: [])
            effects.append(.advertise(PeripheralAdvertisement(data)))
        case .woken:
            count &+= 1
            if isSubscribed { effects.notify(Self.countID, [count]) }
            effects.wake(at: now + .seconds(1))
        case .read(Self.countID, let offset, let token):
            effects.respond([count], from: offset, to: token)
        case .write(Self.countID, let value, let token):
            guard value.count == 1 else { return effects.refuse(.invalidLength, token) }
            count = value[0]
            effects.accept(token)
        case .subscription(Self.countID, let isOn):
            isSubscribed = isOn
            effects.wake(at: isOn ? now + .seconds(1) : nil)
        case .read(_, _, let token): effects.refuse(.invalidHandle, token)
        case .write(_, _, let token): effects.refuse(.invalidHandle, token)
        case .connected, .changed, .maximumLength, .subscription, .confirmed: break
        }
    }
}

/// A program with a host of its own: it runs a device, and the device does what its events ask for.
@main struct HostConsumer {
    struct Broken: Error {
        let expected: [PeripheralEffect]
        let found: [PeripheralEffect]
    }

    static func main() async throws {
        let host = ScriptHost(Counter())
        func expect(_ expected: PeripheralEffect...) throws {
            let found = host.log.drain()
            guard found == expected else { throw Broken(expected: expected, found: found) }
        }
        let advertisement = PeripheralAdvertisement(
            AdvertisingData.connectable(name: "Counter", services: []))
        try expect(.advertise(advertisement))
        host.connect()
        host.read(Counter.countID, token: 1)
        try expect(.value([0], ResponseToken(1)))
        host.write([41], to: Counter.countID, token: 2)
        host.write([1, 2], to: Counter.countID, token: 3)
        try expect(.done(ResponseToken(2)), .refuse(.invalidLength, ResponseToken(3)))
        host.subscribe(to: Counter.countID)
        host.time.pass(.seconds(1))
        try expect(.notify(Counter.countID, [42]))
        host.hosted.modify { $0.count = 9 }
        host.time.pass(.seconds(1))
        try expect(.notify(Counter.countID, [10]))
        guard host.hosted.isConnected, host.hosted.state.count == 10 else {
            return try expect(.disconnect)
        }
        await host.hosted.remove()
        try expect(.advertise(advertisement))
        host.time.pass(.seconds(5))
        host.read(Counter.countID, token: 4)
        try expect()
        print("a host of its own runs a device, and ends it")
    }
}
