import Foundation
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import CoreBluetooth
@testable import HaloCoreBluetooth

/// The polls of a link, and the writes that wait for room.
@Suite(.timeLimit(.minutes(20))) struct PollingTests {
    /// Requests follow each other: while one poll is due, no other one is scheduled.
    @Test func pollsDoNotMultiply() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let text = try link.characteristic(.text)
        for _ in 0..<50 {
            #expect(try await link.read(text).count == ContractPeripheral.text.count)
        }
        #expect(link.polls.all.count == 1)
        // The first one has the time that a reply may take.
        #expect(try #require(link.polls.all.first) > PeripheralLink.replyLimit - .seconds(9))
        // A poll without a request under way schedules none.
        await link.on { $0.poll() }
        #expect(link.polls.all.count == 1)
    }

    /// An RSSI is not waited for as long as other replies, and not polled for before.
    @Test func theWaitForAnRSSIIsPolledForAtItsEnd() async throws {
        let link = try await LoneLink.open(PhoneBench(traps: [.rssiNeverComes]))
        let before = link.polls.all.count
        // A request that waits for its turn needs no poll of its own.
        await link.on { link in for _ in 0..<2 { link.request(.readRSSI { _ in }) } }
        #expect(link.polls.all.count == before + 1)
        let delay = try #require(link.polls.all.last)
        #expect(delay > PeripheralLink.rssiLimit / 2 && delay <= PeripheralLink.rssiLimit)
    }

    /// A system that does not reply at all costs the link, and no more than a minute.
    @Test func aRequestWithoutAReplyClosesTheLink() async throws {
        let bench = PhoneBench()
        let link = try await LoneLink.open(bench, polls: .inTime)
        bench.phone.traps = [.discoveryNeverAnswers]
        let start = ContinuousClock.now
        await link.on { $0.request(.discover { _ in }) }
        #expect(await eventually { start.duration(to: .now) > .seconds(30) })
        #expect(link.closed.all == [])
        #expect(await eventually { !link.closed.all.isEmpty })
        #expect(link.closed.all.map(\.kind) == [.noResponse])
        #expect(start.duration(to: .now) >= PeripheralLink.replyLimit)
    }

    private typealias Make = @Sendable (AttributeID, Calls<BLEError>) -> LinkRequest

    /// Requests of an attribute.
    private static let ofAttributes: [(BLEError.Operation, Make)] = [
        (.read, { id, calls in .read(id) { calls.note($0) } }),
        (.write, { id, calls in .write([1], id, .withResponse) { calls.note($0) } }),
        (.subscribe, { id, calls in .setNotify(true, id) { calls.note($0) } }),
        (.unsubscribe, { id, calls in .setNotify(false, id) { calls.note($0) } }),
    ]

    /// The end fails the request under way with its attribute, and the one that waits for its
    /// turn without.
    @Test func requestsFailWithTheirLink() async throws {
        let others: [(BLEError.Operation, Make)] = [
            (.write, { id, calls in .write([1], id, .withoutResponse) { calls.note($0) } }),
            (.discover, { _, calls in .discover { calls.note($0) } }),
            (.readRSSI, { _, calls in .readRSSI { calls.note($0) } }),
        ]
        let reason = DisconnectReason(.outOfReach)
        for (operation, make) in Self.ofAttributes + others {
            let link = try await LoneLink.open(PhoneBench(traps: [.readyFirstFalse]))
            let id = try link.characteristic(.silent)
            let errors = Calls<BLEError>()
            let failed = await link.on { link in
                for _ in 0..<2 { link.request(make(id, errors)) }
                link.end(reason)
                return errors.all
            }
            let hasAttribute = ![.discover, .readRSSI].contains(operation)
            let uuid = hasAttribute ? ContractAttribute.silent.uuid : nil
            #expect(
                failed
                    == [uuid, nil].map {
                        BLEError(.disconnected, operation, uuid: $0, disconnectReason: reason)
                    })
            #expect(link.events.all.contains(.disconnected(reason)))
        }
    }

    /// Replies with an error, or with a value that the app cannot have.
    @Test func repliesWithoutAValueAreErrors() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let text = try #require(
            link.characteristics.first { $0.uuid == ContractAttribute.text.uuid })
        let descriptor = try #require(text.descriptors.first)
        let errors = Calls<BLEError>()
        await link.on { link in
            let replies: [(any Error)?] = [nil, CBError(.invalidHandle)]
            let objects = (link.peripheral.services ?? []).flatMap { $0.characteristics ?? [] }
                .flatMap { $0.descriptors ?? [] }
            for error in replies {
                link.request(.read(descriptor.id) { errors.note($0) })
                for object in objects {
                    object.value = nil
                    link.peripheral(link.peripheral, didUpdateValueFor: object, error: error)
                }
                link.request(.readRSSI { errors.note($0) })
                link.peripheral(link.peripheral, didReadRSSI: 127, error: error)
            }
            link.request(.discover { errors.note($0) })
            link.peripheral(
                link.peripheral, didDiscoverServices: CBError(.operationNotSupported))
        }
        #expect(
            errors.all.map(\.operation) == [.read, .readRSSI, .read, .readRSSI, .discover])
        #expect(
            errors.all.map(\.kind) == [
                .backend, .backend, .noSuchAttribute, .noSuchAttribute, .notSupported,
            ])
        #expect(
            errors.all.prefix(2).map(\.details) == [
                "the descriptor has a value of an unknown type", "the system has no RSSI",
            ])
        #expect(
            errors.all.map(\.uuid) == [descriptor.uuid, nil, descriptor.uuid, nil, nil])
    }

    /// An app that only receives values learns of a length that grows, too.
    @Test func aLengthThatGrowsIsReportedWithAValue() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let id = try link.characteristic(.second)
        await link.on { link in
            link.peripheral.current.withLock { $0.packetLength += 1 }
            for characteristic in (link.peripheral.services ?? []).flatMap({
                $0.characteristics ?? []
            }) where BluetoothUUID(characteristic.uuid) == ContractAttribute.second.uuid {
                link.peripheral(link.peripheral, didUpdateValueFor: characteristic, error: nil)
            }
        }
        #expect(link.events.all.suffix(2) == [.maximumLengthChanged, .value(id, [])])
    }

    /// A request fails as soon as the service of its attribute is gone, and not with another one.
    @Test func requestsFailWithTheirService() async throws {
        for (operation, make) in Self.ofAttributes {
            let link = try await LoneLink.open(PhoneBench())
            let id = try link.characteristic(.silent)
            let errors = Calls<BLEError>()
            let counts = Calls<Int>()
            await link.on { link in
                link.request(make(id, errors))
                for gone in [[], link.peripheral.services ?? []] {
                    counts.note(errors.all.count)
                    link.peripheral(link.peripheral, didModifyServices: gone)
                }
            }
            #expect(counts.all == [0, 0])
            #expect(errors.all.map(\.kind) == [.noSuchAttribute])
            #expect(errors.all.map(\.operation) == [operation])
            #expect(errors.all.map(\.uuid) == [ContractAttribute.silent.uuid])
        }
    }

    /// A reply for another device is none; one for another object of the same device is.
    @Test func repliesAreThoseOfTheDevice() async throws {
        let bench = PhoneBench(traps: [.rssiNeverComes])
        let link = try await LoneLink.open(bench)
        let values = Calls<Int>()
        let counts = Calls<Int>()
        let system = bench.phone.system
        await link.on { link in
            link.request(.readRSSI { if case .success(let value) = $0 { values.note(value) } })
            for identifier in [UUID(), link.peripheral.identifier] {
                counts.note(values.all.count)
                let other = CBPeripheral(identifier, name: nil, manager: nil, system: system)
                link.peripheral(other, didReadRSSI: -50, error: nil)
            }
        }
        #expect(counts.all == [0, 0])
        #expect(values.all == [-50])
    }

    /// The system ends a link without a reply after 30 s, and does not say so: the age of the
    /// request tells it apart from a device that is out of reach, and from an end after that.
    @Test func theAgeOfARequestTellsSilence() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let silent = try link.characteristic(.silent)
        // The age is that of the request, and not of an earlier reply.
        try await pass(.milliseconds(100))
        let earliest = ContinuousClock.now
        await link.on { $0.request(.read(silent) { _ in }) }
        let latest = ContinuousClock.now
        var isSeen = [false, false, false]
        let hasEnded = await eventually {
            let least = latest.duration(to: .now)
            let kinds = await link.on { link in
                [
                    nil, CBError(.unknown), CBError(.connectionTimeout),
                    CBError(.peripheralDisconnected),
                ]
                .map { link.reason($0).kind }
            }
            let most = earliest.duration(to: .now)
            let usual = [DisconnectReason.Kind.remote, .remote, .outOfReach, .remote]
            if most < .seconds(29) {
                isSeen[0] = true
                #expect(kinds == usual)
            } else if least >= .seconds(29), most < .seconds(40) {
                isSeen[1] = true
                #expect(kinds == [.noResponse, .noResponse, .noResponse, .remote])
            } else if least >= .seconds(40) {
                isSeen[2] = true
                #expect(kinds == usual)
            }
            return least > .seconds(41)
        }
        #expect(hasEnded)
        #expect(isSeen == [true, true, true])
    }

    /// The age of a discovery is that of its last reply, or of the last change of the services.
    @Test func aDiscoveryThatGoesOnIsNotSilent() async throws {
        let steps: [@Sendable (PeripheralLink, PhoneSystem) -> Void] = [
            { link, _ in link.peripheral(link.peripheral, didModifyServices: []) },
            { link, system in
                let empty = CBPeripheral(
                    link.peripheral.identifier, name: nil, manager: nil, system: system)
                link.peripheral(empty, didDiscoverServices: nil)
            },
        ]
        let benches = steps.map { _ in PhoneBench() }
        var links: [LoneLink] = []
        for bench in benches {
            let link = try await LoneLink.open(bench)
            bench.phone.traps = [.discoveryNeverAnswers]
            await link.on { $0.request(.discover { _ in }) }
            links.append(link)
        }
        try await pass(.seconds(25))
        for (index, step) in steps.enumerated() {
            let system = benches[index].phone.system
            await links[index].on { step($0, system) }
        }
        try await pass(.seconds(5))
        for link in links { #expect(await link.on { $0.reason(nil).kind } == .remote) }
    }

    /// The services change faster than they are discovered: that ends, too.
    @Test func aDiscoveryBeginsAgainUpToALimit() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let failures = Calls<BLEError.Kind>()
        let counts = Calls<Int>()
        await link.on { link in
            link.request(
                .discover { if case .failure(let error) = $0 { failures.note(error.kind) } })
            for _ in 0..<8 {
                link.peripheral(link.peripheral, didModifyServices: [])
            }
            counts.note(failures.all.count)
            link.peripheral(link.peripheral, didModifyServices: [])
        }
        #expect(counts.all == [0])
        #expect(failures.all == [.backend])
    }

    /// The report of room is enough.
    @Test func aWriterWakesWhenThereIsRoom() async throws {
        let link = try await LoneLink.open(PhoneBench())
        let record = try link.characteristic(.record)
        let done = Calls<Int>()
        for number in 0..<60 { link.write([UInt8(number)], to: record) { done.note(number) } }
        #expect(await eventually { done.all.count == 60 })
        #expect(done.all == Array(0..<60))
    }

    /// Without the report, a poll is.
    @Test func aWriterWakesAtAPoll() async throws {
        let link = try await LoneLink.open(
            PhoneBench(traps: [.readyWithoutCallback]), polls: .inTime)
        let record = try link.characteristic(.record)
        let done = Calls<Int>()
        for number in 0..<60 { link.write([UInt8(number)], to: record) { done.note(number) } }
        #expect(await eventually { done.all.count == 60 })
        #expect(link.polls.all.contains { $0 <= PeripheralLink.roomInterval })
    }

    /// A system that never has room gets the first value after two seconds, and the next ones soon.
    @Test func aSystemWithoutRoomGetsTheValues() async throws {
        let link = try await LoneLink.open(PhoneBench(traps: [.readyStuckFalse]), polls: .inTime)
        let record = try link.characteristic(.record)
        let done = Calls<ContinuousClock.Instant>()
        let start = ContinuousClock.now
        for number in UInt8(0)..<11 { link.write([number], to: record) { done.note(.now) } }
        #expect(await eventually { done.all.count == 11 })
        let times = done.all.map { start.duration(to: $0) }
        #expect(times[1] >= PeripheralLink.roomLimit)
        for (earlier, later) in zip(times.dropFirst(), times.dropFirst(2)) {
            #expect(later - earlier >= PeripheralLink.laterRoomLimit)
        }
        // Nine values that waited for the first limit would take longer.
        #expect(times[10] < PeripheralLink.roomLimit * 5)
    }

    /// While the app is suspended no replies come, so that the wait begins again with its first
    /// poll.
    @Test func aSuspensionBeginsTheWaitAgain() async throws {
        let late = PeripheralLink.suspensionLimit + .milliseconds(50)
        let link = try await LoneLink.open(
            PhoneBench(traps: [.readyFirstFalse]), polls: .firstIsLate(late))
        let record = try link.characteristic(.record)
        let done = Calls<ContinuousClock.Instant>()
        let start = ContinuousClock.now
        link.write([1], to: record) { done.note(.now) }
        #expect(await eventually { done.all.count == 1 })
        let time = try #require(done.all.first)
        #expect(start.duration(to: time) >= PeripheralLink.roomLimit + late)
    }
}

extension Calls<BLEError> {
    /// Notes the error of a result.
    func note<Success>(_ result: Result<Success, BLEError>) {
        if case .failure(let error) = result { note(error) }
    }
}
