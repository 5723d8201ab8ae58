import CoreBluetooth
import HaloSimulator
import HaloTransport

/// Two phones in one room: the beacon runs on the first, the app that finds it on the second.
@main
struct World {
    static func main() async throws {
        let air = VirtualBluetooth(mode: .realTime(speed: 10))
        let first = Phone(air: air, named: "first")
        let second = Phone(air: air, named: "second")
        let beacon = try await Phone.$current.withValue(first) { try await startBeacon() }
        try await Phone.$current.withValue(second) { try await findBeacon() }
        await beacon.remove()
    }
}
