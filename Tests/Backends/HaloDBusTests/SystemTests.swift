import Foundation
import Glibc
import HaloTesting
import TestSupport
import Testing

@testable import HaloDBus

/// System calls.
@Suite(.takesTurns) struct SystemTests {
    @Test(
        arguments: [
            (.zero, 0), (.microseconds(1), 1), (.nanoseconds(1999), 1), (.nanoseconds(999), 0),
            (.seconds(1), 1_000_000), (.milliseconds(1500), 1_500_000), (.seconds(-1), 0),
            (.nanoseconds(-1), 0), (.seconds(1 << 40), 1 << 40 * 1_000_000),
            (.seconds(Int64.max), 1 << 40 * 1_000_000),
            (.seconds(Int64.max) * 10, 1 << 40 * 1_000_000), (.seconds(Int64.min) * 10, 0),
        ] as [(Duration, Int64)])
    func timeIsCountedInMicroseconds(_ duration: Duration, _ microseconds: Int64) {
        #expect(duration.microseconds == microseconds)
    }

    /// No thread wakes before its time.
    @Test(
        arguments: [
            (0, 0), (1, 1), (999, 1), (1000, 1), (1001, 2), (2000, 2), (-1, 0), (.min, 0),
            (Int64(Int32.max) * 1000, .max), (.max, .max),
        ] as [(Int64, Int32)])
    func waitsAreRoundedUp(_ microseconds: Int64, _ milliseconds: Int32) {
        #expect(SystemPoll.milliseconds(microseconds) == milliseconds)
    }

    /// The clock is the monotonic one.
    @Test func timeIsMonotonic() {
        for _ in 0..<100 {
            let before = SystemSocket.now()
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let between = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
            #expect(before <= between && between <= SystemSocket.now())
        }
    }

    @Test func theComputerHasAnIdentifier() throws {
        let file = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
        guard let file, file.utf8.count >= 32 else { return }
        #expect(SystemSocket.machineID == String(file.prefix(32)))
    }

    /// The duration of a function in microseconds.
    private static func time(_ body: () -> Void) -> Int64 {
        let begin = SystemSocket.now()
        body()
        return SystemSocket.now() - begin
    }

    /// A delay lasts as long as asked, less until the deadline, and ends by a wake-up.
    @Test func aDelayEndsInTime() throws {
        let alarm = try SystemSocket.pair()
        defer { for socket in [alarm.0, alarm.1] { SystemSocket.close(socket) } }
        var sleep = DBusHubSleep(alarm.0)
        var isCalled = true
        for length in [300, 999, 1000, 3000] as [Int64] {
            #expect(Self.time { isCalled = sleep.delay(length) } >= length)
            #expect(!isCalled)
        }
        sleep.plan.deadline = SystemSocket.now() + 2000
        #expect(Self.time { isCalled = sleep.delay(600_000_000) } >= 1000)
        #expect(!isCalled)
        sleep.plan.deadline = 0
        #expect(!sleep.delay(600_000_000))
        sleep.plan.deadline = .max
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(alarm.1, $0, []) }
        #expect(sleep.delay(600_000_000))
    }

    /// A poll lasts until the deadline or for a given time, and ends when a socket is ready.
    @Test func aPollEndsInTime() throws {
        let (alarm, bus) = (try SystemSocket.pair(), try SystemSocket.pair())
        let sockets = [alarm.0, alarm.1, bus.0, bus.1]
        defer { for socket in sockets { SystemSocket.close(socket) } }
        var sleep = DBusHubSleep(alarm.0)
        func state(_ sleep: DBusHubSleep) -> [Bool] { [sleep.isWoken, sleep.isReadable] }
        sleep.plan = DBusHubSleep.Plan(socket: bus.0, deadline: SystemSocket.now() + 3000)
        #expect(Self.time { sleep.wait(nil) } >= 2000)
        #expect(state(sleep) == [false, false])
        sleep.plan.deadline = .max
        #expect(Self.time { sleep.wait(2000) } >= 2000)
        sleep.plan.deadline = 0
        sleep.wait(nil)
        #expect(state(sleep) == [false, false])
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(bus.1, $0, []) }
        sleep.plan.deadline = .max
        sleep.wait(nil)
        #expect(state(sleep) == [false, true])
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(alarm.1, $0, []) }
        sleep.wait(0)
        #expect(state(sleep) == [true, true])
        // Without the bus's socket nothing of it is readable.
        sleep.plan.socket = nil
        sleep.wait(0)
        #expect(state(sleep) == [true, false])
        sleep.plan = DBusHubSleep.Plan(socket: bus.0, writesOutput: true)
        sleep.wait(nil)
        #expect(state(sleep) == [true, true])
    }

    /// Only the awaited events of a socket are reported, unless it is closed.
    @Test func onlyAwaitedEventsAreReported() throws {
        let (one, other) = try SystemSocket.pair()
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(other, $0, []) }
        var poll = SystemPoll()
        for (reads, writes) in [(true, true), (true, false), (false, true), (false, false)] {
            poll.append(one, reads: reads, writes: writes)
        }
        poll.append(-1)
        func told(_ what: (Int) -> Bool) -> [Bool] { (0..<6).map(what) }
        poll.wait(for: 0)
        #expect(told(poll.isReadable) == [true, true, false, false, false, false])
        #expect(told(poll.isWritable) == [true, false, true, false, false, false])
        #expect(poll.count == 5 && !SystemPoll.hasHungUp(one))
        SystemSocket.close(other)
        poll.wait(for: 0)
        #expect(told(poll.isReadable) == [true, true, true, true, false, false])
        #expect(told(poll.isWritable) == [true, true, true, true, false, false])
        #expect(SystemPoll.hasHungUp(one))
        // Former events are not reported again.
        var empty = SystemPoll()
        empty.append(-1)
        empty.wait(for: 0)
        #expect(!empty.isReadable(0) && !empty.isReadable(-1) && !empty.isReadable(1))
        poll.removeAll()
        #expect(poll.count == 0 && !poll.isReadable(0))
        SystemSocket.close(one)
    }

    /// `true` if a descriptor is closed on `exec`, and does not block.
    private static func habits(_ descriptor: Int32) -> [Bool] {
        [
            fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0,
            fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0,
        ]
    }

    @Test func descriptorsCloseOnExecAndDoNotBlock() throws {
        let place = DBusAddress.Socket.abstract("halo-system-\(SystemSocket.now())")
        let listener = try SystemSocket.listen(at: place)
        #expect(SystemSocket.accept(listener) == .nobody)
        let client = try #require(try SystemSocket.connect(to: place))
        guard case .socket(let server) = SystemSocket.accept(listener) else {
            Issue.record("nobody has come")
            return
        }
        let (stream, packets) = (
            try SystemSocket.pair(), try SystemSocket.pair(keepingPackets: true)
        )
        let all = [listener, client, server, stream.0, stream.1, packets.0, packets.1]
        for descriptor in all { #expect(Self.habits(descriptor) == [true, true]) }
        let peer = try #require(SystemSocket.peer(server))
        #expect(peer == (UInt32(getpid()), geteuid()))
        #expect(SystemSocket.processID == UInt32(getpid()) && SystemSocket.userID == geteuid())
        // A blocking one is changed.
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        #expect(Self.habits(ends[0]) == [false, false])
        try SystemSocket.stopWaiting(ends[0])
        #expect(Self.habits(ends[0]) == [false, true])
        for descriptor in all + ends {
            SystemSocket.close(descriptor)
            #expect(fcntl(descriptor, F_GETFD) < 0)
        }
        #expect(throws: DBusError(.unreachable, details: "Bad file descriptor")) {
            try SystemSocket.stopWaiting(-1)
        }
        #expect(throws: DBusError(.unreachable, details: "Connection refused")) {
            try SystemSocket.connect(to: place)
        }
    }

    /// A socket's name has at most 107 bytes: with NUL the system takes 108.
    @Test func aSocketsNameIsBounded() throws {
        let folder = TestFolder()
        let before = openDescriptorCount()
        for (length, isUsable) in [(107, true), (108, false)] {
            let file = "\(folder.path)/".padding(toLength: length, withPad: "a", startingAt: 0)
            let name = "halo-\(SystemSocket.now())".padding(
                toLength: length, withPad: "a", startingAt: 0)
            for place in [DBusAddress.Socket.path(file), .abstract(name)] {
                guard isUsable else {
                    let error = DBusError(.unreachable, details: "no usable name of a socket")
                    #expect(throws: error) { try SystemSocket.listen(at: place) }
                    #expect(throws: error) { try SystemSocket.connect(to: place) }
                    continue
                }
                let listener = try SystemSocket.listen(at: place)
                let client = try #require(try SystemSocket.connect(to: place))
                #expect(throws: DBusError(.unreachable, details: "Address already in use")) {
                    try SystemSocket.listen(at: place)
                }
                for socket in [listener, client] { SystemSocket.close(socket) }
            }
            #expect(FileManager.default.fileExists(atPath: file) == isUsable)
            SystemSocket.remove(file)
            #expect(!FileManager.default.fileExists(atPath: file))
        }
        #expect(openDescriptorCount() <= before + 16, "others open files, too")
    }

    /// Control messages of a system with words of eight bytes.
    @Test func descriptorsAreInControlMessages() {
        let record = AncillaryDescriptors.encode([3, 4, 5], level: 1, type: 2)
        #expect(
            record
                == bytes("1C00000000000000 01000000 02000000 03000000 04000000 05000000 00000000"))
        #expect(AncillaryDescriptors.length(3) == 32)
        #expect([0, 1, 2, 3, 253].map(AncillaryDescriptors.length) == [16, 24, 24, 32, 1032])
        func read(_ bytes: [UInt8]) -> [Int32] {
            bytes.withUnsafeBytes { AncillaryDescriptors.decode($0, level: 1, type: 2) }
        }
        for count in 0...5 {
            let numbers = (0..<count).map { Int32($0 + 7) }
            let record = AncillaryDescriptors.encode(numbers, level: 1, type: 2)
            #expect(record.count == AncillaryDescriptors.length(count))
            #expect(read(record) == numbers)
            // Other control messages are skipped, wherever they stand.
            let others =
                AncillaryDescriptors.encode([1], level: 1, type: 3)
                + AncillaryDescriptors.encode([2, 3], level: 2, type: 2)
            #expect(read(others + record + others + record) == numbers + numbers)
        }
        // A control message without descriptors, a truncated one, and impossible lengths.
        #expect(read(bytes("1000000000000000 01000000 02000000")) == [])
        #expect(read(Array(record.prefix(28))) == [3, 4, 5])
        #expect(read(Array(record.prefix(27))) == [])
        #expect(read(Array(record.prefix(15))) == [])
        for length in ["0F00000000000000", "0000000000000000", "FFFFFFFFFFFFFFFF"] {
            #expect(read(bytes(length) + record.dropFirst(8) + record) == [])
        }
    }

    /// Descriptors keep their index, and each is taken once.
    @Test func eachDescriptorIsTakenOnce() throws {
        let ends = try SystemSocket.pair()
        let all = DBusDescriptors(owning: [ends.0, ends.1])
        #expect(all.count == 2)
        let others = try DBusDescriptor.socketPair()
        let numbers = others.withNumbers { $0 }
        #expect(all.take(1)?.release() == ends.1)
        #expect(all.take(1)?.release() == nil)
        #expect(all.take(-1)?.release() == nil && all.take(2)?.release() == nil)
        #expect(all.count == 2)
        #expect(all.removeFirst(3) == nil)
        let first = try #require(all.removeFirst(1))
        #expect(first.withNumbers { $0 } == [ends.0])
        #expect(all.count == 1)
        first.append(contentsOf: others)
        #expect(others.count == 0)
        #expect(first.withNumbers { $0 } == [ends.0] + numbers)
        SystemSocket.close(ends.1)
    }

    @Test func untakenDescriptorsAreClosed() throws {
        var files: [String?] = []
        do {
            let ends = try DBusDescriptor.socketPair()
            let numbers = ends.withNumbers { $0 }
            let all = openFiles()
            files = numbers.map { all[Int($0)] }
            guard let taken = ends.take(0) else { throw TestBus.Missing() }
            let number = taken.number
            #expect(number == numbers[0])
            withExtendedLifetime(ends) {}
        }
        let left = openFiles().values
        #expect(files.allSatisfy { $0 != nil && !left.contains($0 ?? "") })
    }
}
