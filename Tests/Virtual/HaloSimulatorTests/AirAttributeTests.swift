import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Reads, writes and subscriptions of a central, and misuse of them.
@Suite(.passesTime) struct AirAttributeTests {
    private let bench = AirBench()

    @Test func discoveryTakesRoundTripsOnceAndThenNone() {
        let link = bench.connect()
        bench.run(.seconds(1))
        let asked = bench.air.now
        let found = bench.result { bench.air.discover(link, tag: $0) }
        #expect(found == .services(AirGadget().services, tag: 2))
        #expect(bench.air.now.microseconds(since: asked) > 10 * 48_000)
        let again = bench.air.now
        _ = bench.result { bench.air.discover(link, tag: $0) }
        #expect(bench.air.now == again)
    }

    @Test func aLongValueIsReadOnUntilItsEnd() {
        var gadget = AirGadget()
        gadget.value = (0..<246).map { UInt8($0) } + (0..<246).map { UInt8($0) }
        let bench = AirBench(gadget)
        let link = bench.connect()
        bench.run(.seconds(1))
        let value = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }?.value
        #expect(value == gadget.value)
        let offsets = bench.gadget.events.compactMap {
            if case .read(_, let offset, _) = $0.event { offset } else { nil }
        }
        #expect(offsets == [0, 246, 492])
    }

    /// A device whose value fills whole replies, and that refuses reads beyond its end.
    private static func refusing(_ error: ATTError, count: Int, from first: Int) -> AirGadget {
        var gadget = AirGadget()
        gadget.value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        gadget.answersReads = false
        let value = gadget.value
        gadget.reaction = { event, _, effects in
            guard case .read(_, let offset, let token) = event else { return }
            if offset >= first {
                effects.refuse(error, token)
            } else {
                effects.respond(Array(value.dropFirst(offset)), to: token)
            }
        }
        return gadget
    }

    @Test(arguments: [0x07, 0x0B] as [UInt8], [246, 492])
    func aLongReadMayEndWithARefusal(code: UInt8, count: Int) {
        let bench = AirBench(Self.refusing(ATTError(code: code), count: count, from: count))
        let link = bench.connect()
        bench.run(.seconds(1))
        for _ in 0..<2 {
            let read = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
            #expect(read?.value == bench.gadget.value)
        }
    }

    @Test(arguments: [0x07, 0x0B, 0x0E, 0x05] as [UInt8])
    func aRefusalThatEndsNothingIsOne(code: UInt8) {
        let error = ATTError(code: code)
        let first = AirBench(Self.refusing(error, count: 3, from: 0))
        let second = AirBench(Self.refusing(error, count: 300, from: 246))
        for bench in [first, second] {
            let endsRead = bench === second && (code == 0x07 || code == 0x0B)
            let link = bench.connect()
            bench.run(.seconds(1))
            let read = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
            #expect(read?.error?.attError == (endsRead ? nil : error), "\(code)")
            #expect((read?.value?.count == 246) == endsRead, "\(code)")
        }
    }

    @Test func aValueThatNeverEndsIsCutAtWhatAnAttributeHolds() {
        var gadget = AirGadget()
        gadget.value = Array(repeating: 7, count: 100_000)
        let bench = AirBench(gadget)
        let link = bench.connect()
        let value = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }?.value
        #expect(value == Array(repeating: 7, count: 512))
    }

    @Test func aLongWriteArrivesAsOne() {
        let link = bench.connect()
        bench.run(.seconds(1))
        let long = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
        let asked = bench.air.now
        let result = bench.result {
            bench.air.write(long, to: AirGadget.writable, .withResponse, on: link, tag: $0)
        }
        #expect(result?.isDone == true)
        #expect(bench.gadget.written == [long])
        // Three parts and the order to carry them out.
        #expect(bench.air.now.microseconds(since: asked) > 3 * 96_000)
    }

    @Test func whatIsTooLongIsRefusedBeforeItTravels() {
        let link = bench.connect()
        bench.run(.seconds(1))
        for (length, mode) in [(513, WriteMode.withResponse), (245, .withoutResponse)] {
            let result = bench.result {
                bench.air.write(
                    Array(repeating: 0, count: length), to: AirGadget.writable, mode, on: link,
                    tag: $0)
            }
            #expect(result?.error?.kind == .tooLong)
        }
        #expect(bench.gadget.written == [])
    }

    @Test func whatThePropertiesForbidIsNotPermitted() {
        let link = bench.connect()
        let results = [
            bench.result { bench.air.read(AirGadget.writable, on: link, tag: $0) },
            bench.result {
                bench.air.write([1], to: AirGadget.readable, .withResponse, on: link, tag: $0)
            },
            bench.result {
                bench.air.setNotify(true, for: AirGadget.readable, on: link, tag: $0)
            },
            bench.result {
                bench.air.write(
                    [1], to: AirGadget.descriptor, .withoutResponse, on: link, tag: $0)
            },
        ]
        #expect(results.map { $0?.error?.kind } == Array(repeating: .notPermitted, count: 4))
        #expect(results[0]?.error?.uuid == BluetoothUUID(0x1002))
        let unknown = bench.result { bench.air.read(AttributeID(99), on: link, tag: $0) }
        #expect(unknown?.error?.kind == .noSuchAttribute)
    }

    @Test func descriptorsCanBeReadAndWritten() {
        let link = bench.connect()
        let read = bench.result { bench.air.read(AirGadget.descriptor, on: link, tag: $0) }
        #expect(read?.value == [1, 2, 3])
        let write = bench.result {
            bench.air.write([5], to: AirGadget.descriptor, .withResponse, on: link, tag: $0)
        }
        #expect(write?.isDone == true)
    }

    @Test func whatDemandsEncryptionRefuses() {
        let link = bench.connect()
        let id = AirGadget.encrypted
        let results = [
            bench.result { bench.air.read(id, on: link, tag: $0) },
            bench.result { bench.air.write([1], to: id, .withResponse, on: link, tag: $0) },
            bench.result { bench.air.setNotify(true, for: id, on: link, tag: $0) },
        ]
        for result in results {
            #expect(result?.error?.kind == .refused)
            #expect(result?.error?.attError == .insufficientEncryption)
            #expect(result?.error?.uuid == BluetoothUUID(0x1005))
        }
        #expect(!bench.gadget.events.contains { if case .read = $0.event { true } else { false } })
    }

    @Test func aDeviceThatNeverAnswersLosesTheLinkAfterThirtySeconds() {
        var gadget = AirGadget()
        gadget.answersReads = false
        let bench = AirBench(gadget)
        let link = bench.connect()
        bench.run(.seconds(1))
        let asked = bench.air.now
        bench.air.read(AirGadget.readable, on: link, tag: 600)
        bench.air.write([1], to: AirGadget.writable, .withResponse, on: link, tag: 601)
        bench.run(.seconds(40))
        #expect(bench.end?.kind == .noResponse)
        #expect(bench.gadget.moment(of: .disconnected) == asked + .seconds(30))
        let errors = bench.outputs.suffix(3).map(\.output)
        #expect(errors.map(\.tag) == [600, 601, nil])
        #expect(errors.first?.error?.disconnectReason?.kind == .noResponse)
    }

    @Test func anAnswerThatNobodyAskedForIsIgnored() {
        var gadget = AirGadget()
        gadget.reaction = { event, _, effects in
            guard case .read(_, _, let token) = event else { return }
            effects.respond([9], to: token)
            effects.accept(token)
            effects.respond([9], to: ResponseToken(12_345))
        }
        let bench = AirBench(gadget)
        let link = bench.connect()
        let result = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        #expect(result?.value == [1, 2, 3])
        #expect(bench.air.losses.strayReplies == 3)
    }

    @Test func anAnswerOfTheWrongKindIsAnErrorOfTheDevice() {
        var gadget = AirGadget()
        gadget.answersReads = false
        gadget.reaction = { event, _, effects in
            if case .read(_, _, let token) = event { effects.accept(token) }
        }
        let bench = AirBench(gadget)
        let link = bench.connect()
        let result = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        #expect(result?.error?.attError == .unlikely)
    }

    @Test func operationsAreCarriedOutInTheOrderOfAsking() {
        let link = bench.connect()
        bench.air.write([1], to: AirGadget.writable, .withResponse, on: link, tag: 701)
        bench.air.write([2], to: AirGadget.writable, .withoutResponse, on: link, tag: 702)
        bench.air.read(AirGadget.readable, on: link, tag: 703)
        bench.air.write([3], to: AirGadget.writable, .withoutResponse, on: link, tag: 704)
        bench.air.write([4], to: AirGadget.writable, .withResponse, on: link, tag: 705)
        bench.run(.seconds(2))
        #expect(
            bench.outputs.compactMap(\.output.tag).filter { $0 > 700 } == [701, 702, 703, 704, 705])
        #expect(bench.gadget.written == [[1], [2], [3], [4]])
    }

    @Test func writesWithoutAResponseWaitForRoom() {
        let link = bench.connect()
        let asked = bench.air.now
        for byte in 0..<40 {
            bench.air.write(
                [UInt8(byte)], to: AirGadget.writable, .withoutResponse, on: link,
                tag: 800 + UInt64(byte))
        }
        bench.run(.seconds(2))
        let atOnce = bench.outputs.filter { $0.output.isDone && $0.moment == asked }
        #expect(atOnce.count == AirLimits.commandsInController)
        #expect(bench.outputs.filter(\.output.isDone).count == 40)
        #expect(bench.gadget.written == (0..<40).map { [$0] })
    }

    @Test func tooManyOperationsAreRefusedAtOnce() {
        let link = bench.connect()
        for count in 0..<300 {
            bench.air.read(AirGadget.readable, on: link, tag: 1_000 + UInt64(count))
        }
        bench.run(.seconds(60))
        let errors = bench.outputs.compactMap(\.output.error)
        #expect(errors.count == 300 - AirLimits.operations)
        #expect(errors.allSatisfy { $0.kind == .overloaded })
        #expect(bench.outputs.filter { $0.output.value != nil }.count == AirLimits.operations)
    }

    @Test func changedServicesAreFoundAnew() {
        let link = bench.connectAndSubscribe()
        _ = bench.result { bench.air.discover(link, tag: $0) }
        bench.act { gadget in
            gadget.services.removeFirst()
            gadget.reaction = { event, _, effects in
                if event == .changed { effects.append(.servicesChanged) }
            }
        }
        bench.run(.seconds(1))
        #expect(bench.outputs.contains { $0.output == .event(link, .servicesChanged) })
        let gone = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        #expect(gone?.error?.kind == .noSuchAttribute)
        let asked = bench.air.now
        defer { #expect(bench.air.now > asked, "nobody asked the device") }
        guard
            case .services(let services, _)? = bench.result({
                bench.air.discover(link, tag: $0)
            })
        else { return }
        #expect(services.map(\.uuid) == [RingServices.uart])
    }
}
