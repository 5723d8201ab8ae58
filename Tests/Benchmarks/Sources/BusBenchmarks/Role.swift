#if os(Linux)
import FakeBlueZ
import Glibc
import HaloBlueZ
import HaloDBus
import HaloTransport

/// What this program can be for the one that compares.
enum Role: String {
    /// The daemon with so many devices; prints the bus's address, and ends with its input.
    case daemon
    /// Connects to the first device, and prints the paths of its characteristics.
    case prepare
    /// Disconnects it.
    case release
    /// Reads so often; prints the median of what it took, and what each took of the processor,
    /// in microseconds.
    case read
    /// Hears so many values, as `signals` or through `sockets`, at so many a second; prints what
    /// each took of time and of the processor.
    case hear
    /// So many links hear so many values each; prints the same, and memory and descriptors before
    /// and after.
    case many
    /// So many links hear five hundred values a second each, which nobody takes, while one task
    /// writes so often over another; prints the 99th percentile of what a write took, in
    /// microseconds, memory before and after, and how many links have ended.
    case flood

    func run(_ arguments: [String]) async throws {
        func number(_ index: Int) -> Int {
            arguments.indices.contains(index) ? Int(arguments[index]) ?? 0 : 0
        }
        if self == .daemon { return try await Self.serve(number(0)) }
        guard let first = arguments.first else { throw BenchmarkFault("an address is missing") }
        let mode = arguments.contains("sockets") ? "sockets" : "signals"
        let addresses = try DBusAddress.list(first)
        switch self {
        case .daemon: break
        case .prepare: try await Preparation(addresses).connect()
        case .release: try await Preparation(addresses).disconnect()
        case .read: try await LinkClient(addresses, mode).read(number(1))
        case .hear: try await LinkClient(addresses, mode).hear(number(1), rate: number(3))
        case .many: try await LinkClient(addresses, mode).hear(number(2), links: number(1))
        case .flood: try await LinkClient(addresses, mode).write(number(2), links: number(1))
        }
    }

    private static func serve(_ count: Int) async throws {
        let fake = try await FakeBlueZ()
        var devices: [Hosted<Streamer>] = []
        for number in 0..<count {
            devices.append(
                fake.add(Streamer(name: "bench \(number)"), address: Streamer.address(number)))
        }
        print(try fake.listen())
        flushOutput()
        while getchar() != EOF {}
        if fake.lostValues > 0 { throw BenchmarkFault("\(fake.lostValues) values were lost") }
        withExtendedLifetime(devices) {}
    }
}
#endif
