#if os(Linux)
import FakeBlueZ
import HaloBlueZ
import HaloCapture
import HaloDBus
import HaloProtocol
import HaloTransport

/// One device that other programs meet, from its beginning to its end.
struct SimulatedDeviceRun {
    private let options: SimulatedDeviceOptions
    private let name: String
    private let words: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation

    /// What is told faster than it can be written is left out, the oldest first.
    private static let mostWords = 256

    init(_ options: SimulatedDeviceOptions, name: String) {
        self.options = options
        self.name = name
        (words, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWords))
    }

    func run(_ device: some GATTPeripheral, _ console: inout Console) async -> ExitStatus {
        let watched = WatchedPeripheral(device: device) { [tell] in tell.yield($0) }
        do {
            return switch options.place {
            case .fakeBlueZ(let place): try await onBus(watched, place, &console)
            case .adapter(let adapter): try await onAir(watched, adapter, &console)
            }
        } catch {
            let reason = (error as? UsageError)?.reason ?? "\(error)"
            console.complain("halo simulate: \(console.safe(reason))")
            if error is BLEError { console.complain(DoctorVerb.advice) }
            return .foundFault
        }
    }

    private func onBus(
        _ device: some GATTPeripheral, _ place: String?, _ console: inout Console
    ) async throws -> ExitStatus {
        let bus = try PrivateBus()
        defer { bus.close() }
        let daemon = try await FakeBlueZ(timing: .realistic, on: bus)
        let hosted = daemon.add(device)
        let address = try Self.listen(daemon, at: place)
        let variable = (name: "DBUS_SYSTEM_BUS_ADDRESS", value: "\(address)")
        var program: Int32?
        if options.command.isEmpty {
            console.write("\(variable.name)=\(variable.value)\n")
            console.flush()
        } else {
            program = try ProgramEnding.start(options.command, with: variable)
        }
        sayWhatIsThere(hosted, "on a bus of its own", &console)
        let reason = await end(of: hosted, program, &console)
        await hosted.remove()
        withExtendedLifetime(daemon) {}
        guard case .done(let status)? = reason else {
            return reason == nil ? .foundFault : .success
        }
        bus.close()
        console.finish(withNumber: status)
    }

    private static func listen(
        _ daemon: FakeBlueZ, at place: String?
    ) throws(UsageError) -> DBusAddress {
        let socket = try place.map(Self.socket)
        do throws(DBusError) {
            return try daemon.listen(at: socket)
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
