import Synchronization
import TestSupport
import Testing

@testable import HaloDBus

/// Many calls, many connections.
@Suite(.isAlone) struct LoadTests {
    @Test(arguments: TestBus.available)
    func thousandsOfCalls(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let client = try await bus.connect()
        for _ in 0..<1000 { _ = try await client.call(.bus("GetId")) }
        let answers = Collector<Bool>()
        for _ in 0..<4000 { client.call(.bus("GetId")) { answers.append($0.isSuccess) } }
        #expect(try await answers.wait(for: 4000) == [Bool](repeating: true, count: 4000))
    }

    @Test func aThousandConnectionsLeaveNothing() async throws {
        let bus = try PrivateBus()
        _ = try await bus.connect()
        let before = openDescriptorCount()
        for _ in 0..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let connection = try await bus.connect()
                        let ends = Collector<DBusError.Kind>()
                        connection.onEnd { ends.append($0.kind) }
                        connection.close()
                        _ = try await ends.wait(for: 1)
                    }
                }
                try await group.waitForAll()
            }
        }
        let last = try await bus.connect()
        try await eventually("nobody but the last one on the bus") {
            try await last.names().count <= 2
        }
        // Other suites open files, too.
        try await eventually("\(before) descriptors, not \(openDescriptorCount())") {
            openDescriptorCount() <= before + 10
        }
    }
}
