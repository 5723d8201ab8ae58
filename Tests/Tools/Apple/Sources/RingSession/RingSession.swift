import HaloCoreBluetooth
import HaloDevices
import UIKit

/// Adds a COLMI ring with the system's picker, connects, prints its battery level and three live
/// heart rates, and removes it.
@MainActor
func runRingSession() async throws {
    let setup = AccessorySetup()
    try await setup.activate()
    let known = setup.accessories.first
    let accessory = if let known { known } else { try await setup.pick([.rings(image: UIImage())]) }
    let ring = try await Ring.connect(
        to: accessory.identity, over: CoreBluetoothTransport(), options: RingOptions(clock: .leave))
    print("connected")
    print("battery", try await ring.battery())
    var count = 0
    for try await beat in ring.measure(.heartRate) {
        print("heart rate", beat)
        count += 1
        if count == 3 { break }
    }
    await ring.disconnect()
    print("disconnected")
    try await setup.remove(accessory)
    print("removed")
}
