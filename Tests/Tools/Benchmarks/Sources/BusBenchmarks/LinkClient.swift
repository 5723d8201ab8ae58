#if os(Linux)
import Glibc
import HaloBlueZ
import HaloTransport

/// This package's side of the comparison.
struct LinkClient {
    private let bus: String
    /// The number of values of one request when many links share a program. The next request
    /// follows when they have arrived.
    private static let batch = 250

    /// Creates a client of the daemon on a bus.
    init(_ bus: String) { self.bus = bus }

    private func transport() async throws -> BlueZTransport {
        try await BlueZTransport(BlueZOptions(bus: bus))
    }

    private static func connect(
        _ transport: BlueZTransport, _ number: Int
    ) async throws -> BLELink {
        try await transport.connect(to: PeripheralIdentity(Streamer.address(number)))
    }

    /// Connects the first device, prints the path of its readable characteristic, and disconnects
    /// at the end of the input. So a peer needs only the path.
    func hold() async throws {
        let link = try await Self.connect(try await transport(), 0)
        // Waits for the services.
        _ = try await link.characteristic(Streamer.readable, of: Streamer.service)
        print(Streamer.readablePath)
        flushOutput()
        while getchar() != EOF {}
        await link.disconnect()
    }

    func read(_ count: Int) async throws {
        let link = try await Self.connect(try await transport(), 0)
        let readable = try await link.characteristic(Streamer.readable, of: Streamer.service)
        for _ in 0..<100 { _ = try await link.read(readable) }
        var latencies: [Double] = []
        let cpu = Clock.cpu()
        for _ in 0..<count {
            let begun = Clock.now()
            guard try await link.read(readable) == Streamer.value else {
                throw BenchmarkFault("another value was read")
            }
            latencies.append(Clock.now() - begun)
        }
        let used = (Clock.cpu() - cpu) / Double(count)
        print(latencies.sorted()[count / 2], used)
        await link.disconnect()
    }

    func hear(_ count: Int, rate: Int) async throws {
        let link = try await Self.connect(try await transport(), 0)
        let stream = try await Stream(link, .max)
        try await stream.hear(Self.batch)
        let (begun, cpu) = (Clock.now(), Clock.cpu())
        try await stream.hear(count, rate: rate)
        let (time, used) = (Clock.now() - begun, Clock.cpu() - cpu)
        print(time / Double(count), used / Double(count))
        await link.disconnect()
    }

    func hear(_ count: Int, links: Int) async throws {
        let transport = try await transport()
        var streams: [Stream] = []
        for number in 0..<links {
            streams.append(try await Stream(try await Self.connect(transport, number), Self.batch))
        }
        // The first round allocates the buffers.
        try await Self.hear(count / 10, streams)
        let before = Self.resources()
        let (begun, cpu) = (Clock.now(), Clock.cpu())
        try await Self.hear(count - count / 10, streams)
        let total = Double((count - count / 10) * links)
        let (time, used) = ((Clock.now() - begun) / total, (Clock.cpu() - cpu) / total)
        let after = Self.resources()
        print(time, used, before.kilobytes, after.kilobytes, before.descriptors, after.descriptors)
    }

    /// The values per second of each device in a flood: more than one of a hundred links on the air
    /// has. If devices sent without a pause, a fake daemon would read no request.
    private static let floodRate: UInt32 = 500

    /// Writes to one device while others send.
    func write(_ count: Int, links: Int) async throws {
        let transport = try await transport()
        let target = try await Self.connect(transport, links)
        let control = try await target.characteristic(Streamer.control, of: Streamer.service)
        var streams: [Stream] = []
        for number in 0..<links {
            streams.append(try await Stream(try await Self.connect(transport, number), 64))
        }
        for stream in streams { try await stream.ask(.max, rate: Self.floodRate) }
        for stream in streams { try await stream.skip(Int(Self.floodRate)) }
        let before = Self.resources()
        var latencies: [Double] = []
        for _ in 0..<count {
            let begun = Clock.now()
            try await target.write([0, 0, 0, 0], to: control)
            latencies.append(Clock.now() - begun)
        }
        let ended = streams.count { $0.link.disconnectReason != nil }
        print(
            latencies.sorted()[count * 99 / 100], before.kilobytes, Self.resources().kilobytes,
            ended)
    }

    private static func hear(_ count: Int, _ streams: [Stream]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for stream in streams {
                group.addTask { try await stream.hear(count) }
            }
            try await group.waitForAll()
        }
    }

    /// The present memory and open descriptors of this program.
    private static func resources() -> (kilobytes: Int, descriptors: Int) {
        var pages = 0
        if let file = fopen("/proc/self/statm", "r") {
            var line = [CChar](repeating: 0, count: 128)
            if fgets(&line, 128, file) != nil {
                let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
                pages = words.count > 1 ? Int(words[1]) ?? 0 : 0
            }
            fclose(file)
        }
        var descriptors = 0
        if let folder = opendir("/proc/self/fd") {
            while readdir(folder) != nil { descriptors += 1 }
            closedir(folder)
        }
        return (pages * Int(getpagesize()) / 1024, descriptors)
    }
}

/// The values of one device.
private struct Stream {
    let link: BLELink
    let control: GATTCharacteristic
    let values: Notifications
    private let batch: Int

    init(_ link: BLELink, _ batch: Int) async throws {
        self.batch = batch
        self.link = link
        control = try await link.characteristic(Streamer.control, of: Streamer.service)
        let stream = try await link.characteristic(Streamer.stream, of: Streamer.service)
        values = try await link.notifications(of: stream, bufferLimit: 1 << 14)
    }

    /// Requests values, with a rate per second.
    func ask(_ count: UInt32, rate: UInt32 = 0) async throws {
        let bytes = [count, rate].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        try await link.write(bytes, to: control)
    }

    /// Waits for values that were requested before.
    func skip(_ count: Int) async throws {
        var left = count
        for try await notification in values {
            left -= 1 + Int(notification.lostBefore)
            if left <= 0 { return }
        }
        throw BenchmarkFault("the values have ended")
    }

    /// Requests values and receives them, all and in order; with a rate, all in one request.
    func hear(_ count: Int, rate: Int = 0) async throws {
        var left = count
        var last: UInt32?
        while left > 0 {
            var wanted = rate > 0 ? left : min(left, batch)
            left -= wanted
            try await ask(UInt32(wanted), rate: UInt32(rate))
            for try await notification in values {
                let value = notification.value
                guard value.count == 16, notification.lostBefore == 0 else {
                    throw BenchmarkFault("values were lost")
                }
                let number = value[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                guard last.map({ $0 &+ 1 == number }) ?? true else {
                    throw BenchmarkFault("\(number) comes after \(last ?? 0)")
                }
                last = number
                wanted -= 1
                if wanted == 0 { break }
            }
            guard wanted == 0 else { throw BenchmarkFault("the values have ended") }
        }
    }
}
#endif
