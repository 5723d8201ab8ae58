import FakeBlueZ
import Foundation
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A program's connection to the bus is cut after each byte of a whole conversation, in both
/// directions. Each operation ends with an error, and the next attempt works.
@Suite("Messages cut at every byte", .takesTurns)
struct CutTests {
    /// The step from one cut to the next: 1 for every byte, on request of the environment.
    private static let stride =
        ProcessInfo.processInfo.environment["HALO_CUT_STRIDE"].flatMap { Int($0) } ?? 151

    private static let workers = 8

    /// A bus with a daemon, behind a proxy.
    private struct Place: Sendable {
        let fake: FakeBlueZ
        let device: Hosted<ContractPeripheral>
        let proxy: CutProxy
        let options: BlueZOptions

        init() async throws {
            fake = try await FakeBlueZ()
            device = fake.add(ContractPeripheral(), address: FaultBench.identity.rawValue)
            let addresses = try DBusAddress.list(try fake.listen())
            let socket = try #require(addresses.first?.socket)
            proxy = try CutProxy(to: socket, at: "halo-cut-\(fake.bus.id)")
            options = BlueZOptions(bus: proxy.address.description)
        }

        /// A whole conversation.
        func talk(_ transport: BlueZTransport) async throws(BLEError) -> Bool {
            let filter = ScanFilter(identities: [FaultBench.identity])
            let found = try await transport.find(filter, timeout: .seconds(60))
            let link = try await transport.connect(to: found, timeout: .seconds(60))
            func find(_ attribute: ContractAttribute) async throws(BLEError) -> GATTCharacteristic {
                try await link.characteristic(attribute.uuid, of: ContractAttribute.service)
            }
            let isRead = try await link.read(try await find(.text)) == ContractPeripheral.text
            let record = try await find(.record)
            for byte in 0..<10 as Range<UInt8> {
                try await link.write([byte], to: record, .withoutResponse)
            }
            let values = try await link.notifications(of: try await find(.second))
            device.modify { $0.instructions.append(.send(.second, [9, 9])) }
            var iterator = values.makeAsyncIterator()
            let isHeard = try await iterator.next()?.value == [9, 9]
            await link.disconnect()
            return isRead && isHeard
        }

        /// Runs a conversation that is cut. Checks its error, and that the next attempt works.
        func talkAndCut(_ way: CutProxy.Way, after count: Int) async throws {
            proxy.cut(way, after: count)
            var transport: BlueZTransport?
            do throws(BLEError) {
                let first = try await BlueZTransport(options)
                transport = first
                #expect(try await talk(first), "cut after \(count) bytes \(way)")
                // It was shorter than that: this connection is still to be cut.
                transport = nil
            } catch {
                let isTold =
                    error.kind == .backend
                    || error.kind == .disconnected && error.disconnectReason?.kind == .backendGone
                #expect(isTold, "cut after \(count) bytes \(way): \(error)")
            }
            do throws(BLEError) {
                let next: BlueZTransport
                if let transport {
                    next = transport
                } else {
                    next = try await BlueZTransport(options)
                }
                #expect(try await talk(next), "after \(count) bytes \(way)")
            } catch {
                Issue.record("after \(count) bytes \(way): \(error)")
            }
        }
    }

    @Test(arguments: CutProxy.Way.allCases)
    func everyPlaceIsSurvived(_ way: CutProxy.Way) async throws {
        let first = try await Place()
        #expect(try await first.talk(try await BlueZTransport(first.options)))
        let length = first.proxy.takeCount().bytes(way)
        #expect(length > 1000)
        // From another place in each step, so that all kinds of places come up; and each byte of
        // the beginning, where the bus lets the program in.
        var generator = SplitMix(seed: UInt64(length))
        let later = Swift.stride(from: 0, through: length, by: Self.stride).map {
            $0 + Int.random(in: 0..<Self.stride, using: &generator)
        }
        let places = Locked((0..<40).filter { $0 % 7 == 0 } + later)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.workers {
                group.addTask {
                    let place = try await Place()
                    while let count = places.withLock({ $0.popLast() }) {
                        let hasEnded = Locked(false)
                        let talk = Task {
                            defer { hasEnded.withLock { $0 = true } }
                            try await place.talkAndCut(way, after: count)
                        }
                        let isInTime = try await eventually(within: .seconds(15)) {
                            hasEnded.withLock { $0 }
                        }
                        #expect(isInTime, "after \(count) bytes")
                        try await talk.value
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
