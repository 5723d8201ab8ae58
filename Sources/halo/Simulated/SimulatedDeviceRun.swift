#if os(Linux)
import FakeBlueZ
import HaloBlueZ
import HaloCapture
import HaloDBus
import HaloProtocol
import HaloTransport

/// A device that other programs meet, and those beside it, from their beginning to their end.
struct SimulatedDeviceRun {
    private let options: SimulatedDeviceOptions
    private let name: String
    private let others: [(device: any GATTPeripheral, name: String)]
    private let words: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation

    /// What is told faster than it can be written is left out, the oldest first.
    private static let mostWords = 256

    init(
        _ options: SimulatedDeviceOptions, name: String,
        others: [(device: any GATTPeripheral, name: String)] = []
    ) {
        self.options = options
        self.name = name
        self.others = others
        (words, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWords))
    }

    func run(_ device: some GATTPeripheral, _ console: inout Console) async -> ExitStatus {
        let watched = watched(device, name)
        do {
            return switch options.place {
            case .fakeBlueZ(let place, let isForEveryone):
                try await onBus(watched, place, isForEveryone ? .everyone : .user, &console)
            case .adapter(let adapter): try await onAir(watched, adapter, &console)
            }
        } catch {
            let reason = (error as? UsageError)?.reason ?? "\(error)"
            console.complain("halo simulate: \(console.safe(reason))")
            if error is BLEError { console.complain(DoctorVerb.advice) }
            return .foundFault
        }
    }

    /// A device that says what programs do with it, and which one it is if there are several.
    private func watched<Device: GATTPeripheral>(
        _ device: Device, _ name: String
    ) -> WatchedPeripheral<Device> {
        let start = others.isEmpty ? "" : "\(name): "
        return WatchedPeripheral(device: device) { [tell] in tell.yield(start + $0) }
    }

    private func onBus(
        _ device: some GATTPeripheral, _ place: String?, _ access: PrivateBus.Access,
        _ console: inout Console
    ) async throws -> ExitStatus {
        let bus = try PrivateBus()
        defer { bus.close() }
        let daemon = try await FakeBlueZ(
            adapters: options.adapterCount, timing: .realistic, on: bus)
        let hosted = daemon.add(device)
        var places: [String] = []
        for (other, name) in others { places.append(add(other, name, to: daemon)) }
        let address = try Self.listen(daemon, at: place, for: access)
        let variable = (name: "DBUS_SYSTEM_BUS_ADDRESS", value: "\(address)")
        var program: Int32?
        if options.command.isEmpty {
            console.write("\(variable.name)=\(variable.value)\n")
            console.flush()
        } else {
            program = try ProgramEnding.start(
                options.command, with: [variable, SimulatedDevice.version])
        }
        sayWhatIsThere(hosted, "on a bus of its own", &console)
        for (other, place) in zip(others, places) {
            console.complain(console.safe("\(other.name)\(place) is there, too"))
        }
        let reason = await end(of: hosted, program, &console)
        await hosted.remove()
        withExtendedLifetime(daemon) {}
        guard case .done(let status)? = reason else {
            return reason == nil ? .foundFault : .success
        }
        bus.close()
        console.finish(withNumber: status)
    }

    /// Has one more device within reach, and says where.
    private func add(
        _ device: some GATTPeripheral, _ name: String, to daemon: FakeBlueZ
    ) -> String {
        daemon.add(watched(device, name)).identity.map { " at \($0)" } ?? ""
    }

    private static func listen(
        _ daemon: FakeBlueZ, at place: String?, for access: PrivateBus.Access
    ) throws(UsageError) -> DBusAddress {
        let socket = try place.map(Self.socket)
        do throws(DBusError) {
            return try daemon.listen(at: socket, for: access)
        } catch {
            let place = place.map { "'\($0)'" } ?? "a place of its own"
            throw UsageError(
                reason: "no bus can listen at \(place): \(error.details ?? "\(error)")")
        }
    }

    private func onAir(
        _ device: some GATTPeripheral, _ adapter: String, _ console: inout Console
    ) async throws -> ExitStatus {
        let transport = try await BlueZTransport(BlueZOptions(adapter: adapter))
        let hosted = try await transport.host(device)
        sayWhatIsThere(hosted, "on the air, by \(adapter)", &console)
        let reason = await end(of: hosted, nil, &console)
        await hosted.remove()
        withExtendedLifetime(transport) {}
        return reason == nil ? .foundFault : .success
    }

    private func sayWhatIsThere(
        _ hosted: Hosted<some GATTPeripheral>, _ place: String, _ console: inout Console
    ) {
        let address = hosted.identity.map { " at \($0)" } ?? ""
        let ends = options.command.isEmpty ? "; Ctrl-C ends it" : ""
        console.complain(console.safe("\(name)\(address) is there, \(place)\(ends)"))
    }

    /// Tells what happens until the device is to end; nothing if it has ended by itself.
    private func end(
        of hosted: Hosted<some GATTPeripheral>, _ program: Int32?, _ console: inout Console
    ) async -> ProgramEnding.Reason? {
        let reason = Locked<ProgramEnding.Reason?>(nil)
        let isWatched = ProgramEnding.watch(program: program) { [tell] why in
            reason.withLock { $0 = why }
            tell.finish()
        }
        guard isWatched else { return nil }
        let loss = Task { [tell] in
            guard let error = await hosted.ended() else { return }
            tell.yield("the device is gone: \(error)")
            tell.finish()
        }
        for await line in words { console.complain(console.safe(line)) }
        loss.cancel()
        return reason.withLock { $0 }
    }

    /// A file, @ and a name, or an address as programs are told it.
    private static func socket(_ place: String) throws(UsageError) -> DBusAddress.Socket {
        guard place.hasPrefix("unix:") else {
            return place.first == "@" ? .abstract(String(place.dropFirst())) : .path(place)
        }
        guard let addresses = try? DBusAddress.list(place), addresses.count == 1,
            let socket = addresses[0].socket
        else { throw UsageError(reason: "--bus: '\(place)' is no place for a bus") }
        return socket
    }
}
#endif
