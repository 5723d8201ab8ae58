#if os(Linux)
import HaloBlueZ
import HaloCapture
import HaloDBus
import HaloDevices
import HaloProtocol
import HaloTransport

/// A device that BlueZ finds: on the air, or on a bus of one's own.
struct BlueZSource: RecordSource {
    private enum Choice {
        case ring, strap
        case known(PeripheralIdentity)
    }

    private let choice: Choice
    private let options: BlueZOptions

    /// How many days of a ring's history are read.
    private static let days = 2
    /// How long an address is listened for.
    private static let patience: Duration = .seconds(30)

    init(device: String?, adapter: String?, bus: String?) throws(UsageError) {
        choice =
            switch device {
            case nil, SimulatedDeviceOptions.ring: .ring
            case SimulatedDeviceOptions.strap: .strap
            case let address?: .known(try Self.identity(address))
            }
        var options = BlueZOptions(adapter: adapter)
        if let bus {
            do throws(DBusAddressError) {
                options.bus = try DBusAddress.list(bus)
            } catch {
                throw UsageError(
                    reason: "'\(bus)' is no address of a bus, as unix:path=FILE is one: \(error)")
            }
        }
        self.options = options
    }

    private static func identity(_ text: String) throws(UsageError) -> PeripheralIdentity {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.count == 2 && UInt8($0, radix: 16) != nil })
        else {
            throw UsageError(
                reason: "--device needs ring, strap or an address like 30:33:47:AA:BB:CC, "
                    + "not '\(text)'")
        }
        return PeripheralIdentity(text.uppercased())
    }

    var device: CaptureText? { nil }

    nonisolated(nonsending) func prepare() async throws(DeviceError) {
        do throws(BLEError) {
            _ = try await BlueZTransport(options)
        } catch {
            throw DeviceError(error)
        }
    }

    nonisolated(nonsending) func record(
        to recorder: CaptureRecorder, for duration: Duration
    ) async throws(DeviceError) -> Duration {
        let time = SystemTime()
        let begun = time.now()
        let work = Task { await outcome(recorder, duration) }
        // Asked to end, it leaves the device as it found it: not connected.
        let isAsked = Locked(false)
        _ = ProgramEnding.watch(watchesReader: false) { _ in
            isAsked.withLock { $0 = true }
            work.cancel()
        }
        if let error = await work.value {
            guard error.kind == .cancelled, isAsked.withLock({ $0 }) else { throw error }
        }
        return time.now().duration(since: begun)
    }

    /// Records; the error if there was one.
    private func outcome(_ recorder: CaptureRecorder, _ duration: Duration) async -> DeviceError? {
        do throws(BLEError) {
            let bluetooth = try await BlueZTransport(options)
            return await use(RecordingTransport(bluetooth, to: recorder), duration)
        } catch {
            return DeviceError(error)
        }
    }

    private func use(_ transport: some BLETransport, _ duration: Duration) async -> DeviceError? {
        do throws(DeviceError) {
            switch choice {
            case .ring: try await RecordedUse.ring(over: transport, days: Self.days, for: duration)
            case .strap: try await RecordedUse.strap(over: transport, for: duration)
            case .known(let identity):
                if try await isRing(identity, over: transport) {
                    try await RecordedUse.ring(
                        identity, over: transport, days: Self.days, for: duration)
                } else {
                    try await RecordedUse.strap(identity, over: transport, for: duration)
                }
            }
            return nil
        } catch {
            return error
        }
    }

    /// What a device is, by what is heard of it.
    private func isRing(
        _ identity: PeripheralIdentity, over transport: some BLETransport
    ) async throws(DeviceError) -> Bool {
        do throws(BLEError) {
            let heard = try await transport.find(
                ScanFilter(identities: [identity]), timeout: Self.patience)
            return heard.recognition.verdict == .ring
        } catch {
            throw DeviceError(error)
        }
    }
}
#endif
