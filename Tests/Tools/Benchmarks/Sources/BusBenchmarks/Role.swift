#if os(Linux)
import FakeBlueZ
import Glibc
import HaloProtocol
import HaloSimulator
import HaloTransport

/// The roles of this program in the comparison.
enum Role: String {
    /// Runs a daemon with a number of devices. Prints the bus's address, and ends with its input.
    case daemon
    /// Runs a daemon with a ring. Prints the addresses of the bus and the ring, and ends with its
    /// input.
    case ring
    /// Connects to the first device, and prints the path of its readable characteristic.
    /// Disconnects when its input ends.
    case hold
    /// Reads a number of times. Prints the median duration of a read and its processor time, in
    /// microseconds.
    case read
    /// Receives a number of values, at a rate per second. Prints the duration and the processor
    /// time of a value.
    case hear
    /// Receives a number of values on each of several links. Prints the same, and memory and
    /// descriptors before and after.
    case many
    /// Receives five hundred values a second, which no task reads, on each of several links, while
    /// one task writes a number of times over another link. Prints the 99th percentile of a write's
    /// duration in microseconds, memory before and after, and the number of ended links.
    case flood

    func run(_ arguments: [String]) async throws {
        func number(_ index: Int) -> Int {
            arguments.indices.contains(index) ? Int(arguments[index]) ?? 0 : 0
        }
        if self == .daemon { return try await Self.serve(number(0)) }
        if self == .ring { return try await Self.serveRing() }
        guard let bus = arguments.first else { throw BenchmarkFault("an address is missing") }
        switch self {
        case .daemon, .ring: break
        case .hold: try await LinkClient(bus).hold()
        case .read: try await LinkClient(bus).read(number(1))
        case .hear: try await LinkClient(bus).hear(number(1), rate: number(2))
        case .many: try await LinkClient(bus).hear(number(2), links: number(1))
        case .flood: try await LinkClient(bus).write(number(2), links: number(1))
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

    private static func serveRing() async throws {
        let fake = try await FakeBlueZ(
            timing: FakeTiming(fading: .milliseconds(200), disconnecting: .milliseconds(300)))
        let address = Streamer.address(0)
        let ring = fake.add(
            HastyRing(VirtualRing(.r02, wearer: Wearer(seed: 5), days: 7)), address: address)
        print(try fake.listen(), address, separator: "\n")
        flushOutput()
        while getchar() != EOF {}
        withExtendedLifetime(ring) {}
    }
}
#endif
