import CoreBluetooth
import FourDevicesAir
import HaloCoreBluetooth

/// The phone on which the programs run, one after the other.
@main
struct World {
    static func main() async throws {
        try await Phone.$current.withValue(Phone(air: try makeAir())) {
            let bluetooth = CoreBluetoothTransport()
            try await readRing(over: bluetooth)
            try await readStrap(over: bluetooth)
            try await lightStrip(over: bluetooth)
            try await findBeacon(over: bluetooth)
        }
    }
}
