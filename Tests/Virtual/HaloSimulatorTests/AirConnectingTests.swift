import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Discovery, connecting and disconnecting.
@Suite(.passesTime) struct AirConnectingTests {
    private let bench = AirBench()

    @Test func aDeviceLearnsAtOnceWhatTheClockShows() {
        #expect(bench.gadget.events.first?.event == .started(AirBench.start))
        bench.run(.seconds(90))
        #expect(bench.air.wallClock().local == AirBench.start.local.advanced(bySeconds: 90))
        #expect(bench.air.wallClock().secondsFromUTC == 3_600)
    }

    @Test func nothingHappensWhileNobodyListens() {
        #expect(bench.air.nextEventTime == nil)
    }

    @Test func aScanTellsEachDeviceOnceUnlessItWantsAll() {
        bench.air.startScan(central: CentralNumber(0), tag: 1)
        bench.air.startScan(central: CentralNumber(0), reportsDuplicates: true, tag: 2)
        bench.run(.seconds(5))
        let tags = bench.outputs.compactMap(\.output.tag)
        #expect(tags.filter { $0 == 1 }.count == 1)
        // Every 100 to 110 ms.
        #expect(44...50 ~= tags.filter { $0 == 2 }.count)
        guard case .heard(let device, let discovery, _)? = bench.outputs.first?.output else {
            Issue.record("nothing was heard")
            return
        }
        #expect(device == bench.device)
        #expect(discovery.name == "GADG")
        #expect(discovery.isConnectable == true)
        #expect(discovery.identity == bench.device.identity)
        #expect(-72 ... -55 ~= discovery.rssi ?? 0)
        bench.air.stopScan(tag: 1)
        bench.air.stopScan(tag: 2)
        #expect(bench.air.nextEventTime == nil)
    }

    @Test func aChangedAdvertisementIsNewsToAScan() {
        bench.air.startScan(central: CentralNumber(0), tag: 1)
        bench.run(.seconds(1))
        let data = AdvertisingData(lenient: [5, 255, 52, 18, 9, 9])
        bench.emit([.advertise(PeripheralAdvertisement(data))])
        bench.run(.seconds(2))
        #expect(bench.outputs.count == 2)
        guard case .heard(_, let discovery, _)? = bench.outputs.last?.output else { return }
        #expect(discovery.manufacturerData == [ManufacturerData(company: 0x1234, bytes: [9, 9])])
    }

    @Test func whatIsFarIsHeardRarelyAndWhatIsOutOfRangeNever() {
        var counts: [Int] = []
        for distance in [100, 3_800, 6_000] {
            let bench = AirBench(at: AirPlacement(distanceCentimetres: distance))
            bench.air.startScan(central: CentralNumber(0), reportsDuplicates: true, tag: 1)
            bench.run(.seconds(20))
            counts.append(bench.outputs.count)
        }
        #expect(counts[0] > 180)
        #expect(0 < counts[1] && counts[1] < counts[0])
        #expect(counts[2] == 0)
    }

    @Test func wallsTakeTheirShare() {
        var counts: [Int] = []
        for decibels in [0, 34, 60] {
            let bench = AirBench(at: AirPlacement(distanceCentimetres: 200, wallDecibels: decibels))
            bench.air.startScan(central: CentralNumber(0), reportsDuplicates: true, tag: 1)
            bench.run(.seconds(20))
            counts.append(bench.outputs.count)
        }
        #expect(counts[0] > 180)
        #expect(0 < counts[1] && counts[1] < counts[0])
        #expect(counts[2] == 0)
    }

    @Test func aConnectedDeviceIsNotHeardAndTheNextCentralWaits() {
        let link = bench.connect()
        let other = bench.air.addCentral()
        bench.air.startScan(central: other, reportsDuplicates: true, tag: 900)
        bench.air.connect(central: other, to: bench.device, tag: 901)
        bench.run(.seconds(30))
        #expect(!bench.outputs.contains { $0.output.tag == 900 || $0.output.tag == 901 })
        bench.air.disconnect(link)
        bench.run(.seconds(2))
        #expect(bench.outputs.contains { $0.output.tag == 901 })
        #expect(bench.air.isConnected(bench.device))
    }

    @Test func aCancelledAttemptLeavesNoLink() {
        for delay in stride(from: 0, through: 400, by: 5) {
            let bench = AirBench()
            bench.air.connect(central: CentralNumber(0), to: bench.device, tag: 77)
            bench.run(.milliseconds(delay))
            let isConnected = bench.air.isConnected(bench.device)
            bench.air.cancelConnect(tag: 77)
            bench.run(.seconds(2))
            let ends = bench.outputs.filter { $0.output.tag == 77 }
            #expect(ends.count == 1)
            #expect((ends.first?.output.error?.kind == .cancelled) != isConnected)
            #expect(bench.air.isConnected(bench.device) == isConnected)
        }
    }

    @Test func aDeviceThatMovesAwayIsLostAfterTheSupervisionTimeout() {
        _ = bench.connect()
        bench.run(.seconds(1))
        let left = bench.air.now
        bench.air.setAway(true, bench.device)
        bench.run(.seconds(10))
        #expect(bench.end?.kind == .outOfReach)
        #expect(bench.gadget.moment(of: .disconnected) == left + .seconds(5))
        bench.air.setAway(false, bench.device)
        let link = bench.connect()
        #expect(link.serial == 2)
    }

    @Test func aShortAbsenceIsSurvived() {
        let link = bench.connect()
        bench.air.setAway(true, bench.device)
        bench.air.read(AirGadget.readable, on: link, tag: 500)
        bench.run(.seconds(4))
        bench.air.setAway(false, bench.device)
        bench.run(.seconds(60))
        #expect(bench.end == nil)
        #expect(bench.outputs.contains { $0.output == .value([1, 2, 3], tag: 500) })
    }

    @Test func aRemovedDeviceIsLostAndForgotten() {
        _ = bench.connect()
        bench.air.remove(bench.device)
        bench.run(.seconds(10))
        #expect(bench.end?.kind == .outOfReach)
        #expect(bench.air.device(bench.device, as: AirGadget.self) == nil)
        let again = bench.result {
            bench.air.connect(central: CentralNumber(0), to: bench.device, tag: $0)
        }
        #expect(again?.error?.kind == .notFound)
    }

    @Test func theDeviceMayCloseTheLinkAfterWhatItHasSaid() {
        _ = bench.connectAndSubscribe()
        bench.emit([.notify(AirGadget.notifying, [9]), .disconnect])
        bench.run(.seconds(1))
        #expect(bench.values == [[9]])
        #expect(bench.end?.kind == .remote)
        #expect(bench.gadget.moment(of: .disconnected) != nil)
    }

    @Test func withoutAnAdapterLinksEndAndNothingCanBeDone() {
        let link = bench.connect()
        bench.air.startScan(central: CentralNumber(0), tag: 300)
        bench.air.read(AirGadget.readable, on: link, tag: 301)
        bench.air.setAdapterState(.poweredOff, of: CentralNumber(0))
        bench.run(.seconds(1))
        #expect(bench.end?.kind == .adapterGone)
        let errors = bench.outputs.compactMap(\.output.error)
        #expect(errors.map(\.kind) == [.bluetoothOff, .disconnected])
        let result = bench.result {
            bench.air.connect(central: CentralNumber(0), to: bench.device, tag: $0)
        }
        #expect(result?.error?.kind == .bluetoothOff)
        bench.air.setAdapterState(.poweredOn, of: CentralNumber(0))
        #expect(bench.connect().serial == 2)
    }

    @Test func aLinkThatHasEndedNeverReachesALaterOne() {
        let old = bench.connect()
        bench.air.disconnect(old)
        bench.run(.seconds(1))
        _ = bench.connect()
        let result = bench.result { bench.air.read(AirGadget.readable, on: old, tag: $0) }
        #expect(result?.error?.kind == .disconnected)
        #expect(
            bench.gadget.events.allSatisfy {
                $0.event != .read(AirGadget.readable, offset: 0, token: ResponseToken(1))
            })
    }

    @Test func anAttemptOnADeviceThatIsRemovedFailsOnceAtAnyMoment() {
        for delay in stride(from: 0, through: 200, by: 3) {
            let bench = AirBench()
            bench.air.connect(central: CentralNumber(0), to: bench.device, tag: 77)
            bench.run(.milliseconds(delay))
            let isConnected = bench.air.isConnected(bench.device)
            bench.air.remove(bench.device)
            bench.run(.seconds(20))
            let ends = bench.outputs.filter { $0.output.tag == 77 }
            #expect(ends.count == 1)
            #expect((ends.first?.output.error?.kind == .notFound) != isConnected)
            #expect((bench.end?.kind == .outOfReach) == isConnected)
            #expect(bench.air.nextEventTime == nil)
        }
    }

    /// An attempt continues while the device is out of range for a short time before the
    /// connection.
    @Test func anAttemptSurvivesAShortAbsenceAtAnyMoment() {
        for delay in stride(from: 0, through: 200, by: 3) {
            let bench = AirBench()
            bench.air.connect(central: CentralNumber(0), to: bench.device, tag: 77)
            bench.run(.milliseconds(delay))
            bench.air.setAway(true, bench.device)
            bench.run(.seconds(1))
            bench.air.setAway(false, bench.device)
            bench.run(.seconds(5))
            #expect(bench.outputs.filter { $0.output.tag == 77 }.count == 1, "\(delay)")
            #expect(bench.air.isConnected(bench.device), "\(delay)")
        }
    }

    @Test func whoLeavesADeviceThatGoesAwayHasLeftAllTheSame() {
        let link = bench.connect()
        bench.run(.seconds(1))
        bench.air.disconnect(link)
        bench.air.setAway(true, bench.device)
        bench.run(.seconds(10))
        #expect(bench.end?.kind == .local)
    }
}
