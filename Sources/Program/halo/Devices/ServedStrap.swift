import HaloDevices
import HaloTransport

#if os(Linux)
import HaloBlueZ
#endif

/// The strap as which `halo live hr` serves the heart rate of a ring: `--as-strap` and
/// `--strap-adapter`.
struct StrapRequest: Sendable {
    private let strap: HeartRateBroadcast
    /// The adapter; `nil` for that of the ring.
    private let adapter: String?

    /// The bytes that an advertisement has for the name, beside its flags and its service.
    private static let longestName = 22

    private static let strapOption = Option<HeartRateBroadcast>(
        "as-strap", .optional("NAME", beginnings: []),
        """
        also serves the heart rate of a ring as a strap of this name (default: Halo HR), to any \
        program on another device, or on another adapter of this computer
        """
    ) { (argument) throws(Failure) in
        let name = argument.text
        guard name != "" else { return HeartRateBroadcast() }
        guard name.utf8.count <= longestName, name.printable == name else {
            throw .wrongUsage("--as-strap takes a name of at most \(longestName) bytes")
        }
        return HeartRateBroadcast(name: name)
    }
    private static let adapterOption = Option.text(
        "strap-adapter", "NAME",
        "the adapter of the strap, by name (hci1) or address; by default, that of the ring")

    static let options: [any VerbOption] = [strapOption, adapterOption]

    /// The request of a verb that measures; `nil` without one.
    init?(_ arguments: ParsedArguments, measuring kind: LiveKind) throws(Failure) {
        adapter = try arguments.value(of: Self.adapterOption)
        guard let strap = try arguments.value(of: Self.strapOption) else {
            if adapter != nil { throw .wrongUsage("--strap-adapter needs --as-strap") }
            return nil
        }
        guard kind == .heartRate else {
            throw .wrongUsage("--as-strap serves a heart rate: 'halo live hr'")
        }
        self.strap = strap
    }

    /// Begins to advertise the strap, and says so.
    func serve(
        through access: DeviceAccess, _ console: inout Console
    ) async throws(Failure) -> ServedStrap {
        #if os(Linux)
        let served = ServedStrap(
            hosted: try await access.host(strap, adapter: adapter), name: strap.name)
        let place = served.hosted.identity.map { " at \($0.rawValue)" } ?? ""
        let bus = access.fakeBus.map { "; DBUS_SYSTEM_BUS_ADDRESS=\($0)" } ?? ""
        console.remark("the heart rate is served as the strap '\(strap.name)'\(place)\(bus)")
        console.flush()
        return served
        #else
        throw Failure(.unusable, "a device for other programs needs Linux")
        #endif
    }
}

/// A strap that other programs find while its ring measures.
struct ServedStrap: Sendable {
    fileprivate let hosted: Hosted<HeartRateBroadcast>
    fileprivate let name: String

    /// `true` while a program gets the heart rate.
    var isUsed: Bool { hosted.state.isSubscribed }

    /// The strap for the picture of its ring.
    var words: String { "as strap \(name)\(isUsed ? ", in use" : "")" }

    func receive(_ reading: LiveReading) { hosted.modify { $0.receive(reading) } }

    /// Calls a function with the error if the strap ends by itself, when its adapter is unplugged
    /// for example.
    func onFailure(_ report: @escaping @Sendable (Failure) -> Void) -> Task<Void, Never> {
        Task {
            if let error = await hosted.waitUntilEnded() { report(Failure(DeviceError(error))) }
        }
    }

    /// Withdraws the strap, also in a cancelled task.
    func end() async { await hosted.remove() }
}

extension HeartRateBroadcast {
    fileprivate mutating func receive(_ reading: LiveReading) {
        switch reading.content {
        case .value(let value, _):
            receive(
                HeartRateReading(
                    beatsPerMinute: Int(value),
                    beatInterval: reading.beats.first.map { .milliseconds($0) }))
        case .notWorn: loseContact()
        // As for a report of the ring itself.
        case .warmingUp, .linkLost, .other, .missed: break
        }
    }
}
