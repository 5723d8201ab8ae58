import HaloCoreBluetooth
import HaloDevices
import Observation
import UIKit

@MainActor @Observable
final class RingModel {
    private(set) var isReady = false
    private(set) var accessory: Accessory?
    private(set) var isConnected = false
    private(set) var batteryPercent: Int?
    private(set) var beatsPerMinute: Int?
    private(set) var problem: String?

    @ObservationIgnored private let setup = AccessorySetup()
    @ObservationIgnored private var bluetooth: CoreBluetoothTransport?
    @ObservationIgnored private var ring: Ring?
    @ObservationIgnored private var connection: Task<Void, Never>?

    /// Creates the model, at launch.
    ///
    /// - Parameter hasRing: `true` if the app had a ring when it ran before. Then the transport is
    ///   created at once: otherwise the system does not restore the link.
    init(hasRing: Bool = false) {
        if hasRing { bluetooth = CoreBluetoothTransport(restoring: "ring") }
    }

    /// Connects to the ring that was added earlier, if there is one, and follows the accessories.
    /// Call it once, at launch.
    func start() async {
        // The user may remove the ring in Settings, too.
        let events = setup.events()
        await report {
            try await setup.activate()
            isReady = true
            if let known = setup.accessories.first { use(known) }
        }
        for await event in events {
            if case .removed = event { await stop() }
        }
    }

    /// Shows the picker, and connects to the chosen ring.
    func addRing(image: UIImage) async {
        await report { use(try await setup.pick([.rings(image: image)])) }
    }

    /// Removes the ring from the phone.
    func removeRing() async {
        guard let accessory else { return }
        await report { try await setup.remove(accessory) }
    }

    /// Shows the heart rate until the task is cancelled, also over lost links.
    func measure() async {
        guard let ring else { return }
        await report {
            for try await beat in ring.measure(.heartRate, repeating: true) {
                beatsPerMinute = beat.beatsPerMinute
            }
        }
        beatsPerMinute = nil
    }

    private func use(_ accessory: Accessory) {
        self.accessory = accessory
        // A transport that is used before there is an accessory finds Bluetooth switched off.
        let bluetooth = bluetooth ?? CoreBluetoothTransport(restoring: "ring")
        self.bluetooth = bluetooth
        connection = Task {
            while !Task.isCancelled, !(await connect(to: accessory, over: bluetooth)) {
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }

    /// Connects, and follows the connection until it is closed. Returns `false` if another attempt
    /// may succeed.
    private func connect(
        to accessory: Accessory, over bluetooth: CoreBluetoothTransport
    ) async -> Bool {
        let options = RingOptions(reconnect: .whenInReach)
        do {
            let ring = try await Ring.connect(
                to: accessory.identity, over: bluetooth, options: options)
            if Task.isCancelled { return true }
            self.ring = ring
            for try await state in ring.connectionStates {
                isConnected = state.isConnected
                if isConnected { batteryPercent = try? await ring.battery().percent }
                if case .disconnected(let error) = state { problem = "\(error)" }
            }
            return true
        } catch {
            // The accessory was removed while the app connected.
            if error.kind != .cancelled { problem = "\(error)" }
            return !error.isTransient
        }
    }

    private func stop() async {
        connection?.cancel()
        await ring?.disconnect()
        (ring, connection, accessory) = (nil, nil, nil)
        (isConnected, batteryPercent, beatsPerMinute, problem) = (false, nil, nil, nil)
    }

    private func report(_ body: () async throws -> Void) async {
        do {
            problem = nil
            try await body()
        } catch {
            problem = "\(error)"
        }
    }
}
