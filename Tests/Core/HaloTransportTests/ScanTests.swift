import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Scans: deduplication, filters, and ends.
@Suite(.passesTime) struct ScanTests {
    private let bluetooth = ScriptedBluetooth()
    private let ring = PeripheralIdentity("ring")
    private let told = Notes<Discovery>()

    private func scan(_ filter: ScanFilter = .all) -> BLECancellable {
        bluetooth.submitScan(filter) { [told] result in
            if case .success(let discovery) = result { told.add(discovery) }
        }
    }

    @Test func deviceIsReportedOnceAndWhenSomethingIsNew() {
        let scanning = scan()
        bluetooth.hear(
            Discovery(ring, rssi: -50), Discovery(ring, rssi: -51),
            Discovery(ring, name: "R10", rssi: -52), Discovery(ring, rssi: -53),
            Discovery(ring, services: [Sample.service]), Discovery(ring, services: []),
            Discovery(ring, manufacturerData: [ManufacturerData(company: 1, bytes: [1])]),
            Discovery(ring, manufacturerData: [ManufacturerData(company: 1, bytes: [1])]),
            Discovery(ring, manufacturerData: [ManufacturerData(company: 1, bytes: [2])]),
            Discovery(ring, isConnectable: true))
        #expect(told.all.map(\.rssi) == [-50, -52, -53, -53, -53, -53])
        #expect(told.all.last?.name == "R10")
        #expect(told.all.last?.services == [Sample.service])
        #expect(told.all.last?.manufacturerData == [ManufacturerData(company: 1, bytes: [2])])
        scanning.cancel()
    }

    /// A part of an advertisement that was reported once stays known.
    @Test func reportsOfADeviceAreMerged() {
        let scanning = scan()
        let company = ManufacturerData(company: 7, bytes: [1])
        let whole = Discovery(
            ring, name: "R10", services: [Sample.service], manufacturerData: [company],
            rssi: -40, isConnectable: true)
        bluetooth.hear(whole, Discovery(ring), whole, Discovery(ring, rssi: -41))
        #expect(told.all == [whole])
        bluetooth.hear(Discovery(ring, isConnectable: false))
        var changed = whole
        changed.isConnectable = false
        changed.rssi = -41
        #expect(told.all == [whole, changed])
        scanning.cancel()
    }

    /// A report within the call for another report comes after it.
    @Test func reportsDuringAReportComeAfterIt() {
        let order = Notes<String>()
        let scanning = bluetooth.submitScan(.all) { [bluetooth] result in
            let name = (try? result.get())?.identity.rawValue ?? "end"
            order.add("\(name) begins")
            if name == "ring" {
                bluetooth.hear(Discovery(PeripheralIdentity("other")))
                bluetooth.report(.failure(BLEError(.bluetoothOff, .scan)))
                bluetooth.hear(Discovery(PeripheralIdentity("late")))
            }
            order.add("\(name) ends")
        }
        bluetooth.hear(Discovery(ring))
        #expect(
            order.all == [
                "ring begins", "ring ends", "other begins", "other ends", "end begins", "end ends",
            ])
        scanning.cancel()
    }

    @Test func descriptionHasNameIdentityAndRSSI() {
        let devices = [
            Discovery(ring), Discovery(ring, rssi: -50), Discovery(ring, name: "R10", rssi: -50),
            Discovery(ring, name: "R\n10"),
        ]
        #expect(
            devices.map(\.description) == [
                "without a name (ring)", "without a name (ring) at -50 dBm",
                "\"R10\" (ring) at -50 dBm", "\"R\\x0A10\" (ring)",
            ])
    }

    @Test func duplicatesAreReportedOnRequest() {
        let scanning = scan(ScanFilter(reportsDuplicates: true))
        bluetooth.hear(Discovery(ring), Discovery(ring), Discovery(ring))
        #expect(told.all.count == 3)
        scanning.cancel()
    }

    @Test func unfilteredReportsAreFiltered() {
        let scanning = scan(ScanFilter(namePrefix: "r1"))
        bluetooth.hear(
            Discovery(PeripheralIdentity("a"), name: "R10"),
            Discovery(PeripheralIdentity("b"), name: "R02"),
            Discovery(PeripheralIdentity("c")))
        #expect(told.all.map(\.identity.rawValue) == ["a"])
        scanning.cancel()
    }

    @Test func filterSeesMergedReports() {
        let scanning = scan(ScanFilter(services: [Sample.service], namePrefix: "R"))
        bluetooth.hear(Discovery(ring, services: [Sample.service]))
        #expect(told.all.isEmpty)
        bluetooth.hear(Discovery(ring, name: "R10"))
        #expect(told.all.count == 1)
        scanning.cancel()
    }

    @Test func everyConditionMustHold() {
        let device = Discovery(
            ring, name: "R10_1", services: [Sample.service],
            manufacturerData: [ManufacturerData(company: 7, bytes: [])], rssi: -60)
        let matching = [
            ScanFilter.all, ScanFilter(services: [BluetoothUUID(1), Sample.service]),
            ScanFilter(namePrefix: ""), ScanFilter(namePrefix: "R10_1"), ScanFilter(company: 7),
            ScanFilter(minimumRSSI: -60), ScanFilter(identities: [ring]),
        ]
        #expect(matching.allSatisfy { $0.matches(device) })
        let others = [
            ScanFilter(services: [BluetoothUUID(1)]), ScanFilter(namePrefix: "R10_1x"),
            ScanFilter(company: 8), ScanFilter(minimumRSSI: -59),
            ScanFilter(identities: [PeripheralIdentity("other")]),
            ScanFilter(services: [Sample.service], company: 8),
        ]
        #expect(!others.contains { $0.matches(device) })
        let unknown = Discovery(ring)
        #expect(!ScanFilter(minimumRSSI: -120).matches(unknown))
        #expect(!ScanFilter(namePrefix: "").matches(unknown))
    }

    /// Reports of 1,024 devices are remembered; one more device replaces the oldest.
    @Test func exactly1024DevicesAreRemembered() {
        let scanning = scan()
        let device = { (number: Int) in Discovery(PeripheralIdentity("\(number)")) }
        for _ in 0..<3 { for number in 0..<1024 { bluetooth.hear(device(number)) } }
        #expect(told.all.count == 1024)
        bluetooth.hear(device(1024))
        #expect(told.all.count == 1025)
        for number in 1...1024 { bluetooth.hear(device(number)) }
        #expect(told.all.count == 1025)
        bluetooth.hear(device(0))
        #expect(told.all.last?.identity.rawValue == "0")
        bluetooth.hear(device(1))
        #expect(told.all.map(\.identity.rawValue).suffix(3) == ["1024", "0", "1"])
        bluetooth.hear(device(3), device(4), device(0), device(1))
        #expect(told.all.count == 1027)
        scanning.cancel()
    }

    @Test func madeUpServicesTakeBoundedMemory() {
        let scanning = scan()
        for number in 0..<500 as Range<UInt32> {
            bluetooth.hear(
                Discovery(
                    ring, services: [BluetoothUUID(number)],
                    manufacturerData: [
                        ManufacturerData(company: UInt16(number), bytes: [])
                    ]))
        }
        #expect(told.all.map(\.services.count).max() == 64)
        #expect(told.all.map(\.manufacturerData.count).max() == 64)
        scanning.cancel()
    }

    @Test func scanRunsUntilItIsDropped() throws {
        try bluetooth.run { [bluetooth, ring] in
            var scan: Scan? = bluetooth.scan()
            #expect(bluetooth.scansUnderWay == 1)
            bluetooth.hear(Discovery(ring))
            var iterator = scan?.makeAsyncIterator()
            scan = nil
            let found = try await iterator?.next()
            #expect(found?.identity == ring)
            #expect(bluetooth.scansUnderWay == 1)
            iterator = nil
            #expect(bluetooth.scansUnderWay == 0)
        }
    }

    @Test func excessDiscoveriesAreDroppedAndCounted() throws {
        let found: [Discovery] = try bluetooth.run { [bluetooth] in
            let scan = bluetooth.scan(bufferLimit: 3)
            for number in 0..<10 { bluetooth.hear(Discovery(PeripheralIdentity("\(number)"))) }
            bluetooth.report(.failure(BLEError(.bluetoothOff, .scan)))
            var found: [Discovery] = []
            do throws(BLEError) {
                for try await discovery in scan { found.append(discovery) }
            } catch {
                #expect(error.kind == .bluetoothOff)
            }
            return found
        }
        #expect(found.map { $0.identity.rawValue } == ["7", "8", "9"])
        #expect(found.map { $0.lostBefore } == [7, 0, 0])
    }

    @Test func failedScanReportsNothingMore() {
        let ends = Notes<String>()
        let scanning = bluetooth.submitScan(.all) { result in
            ends.add((try? result.get())?.identity.rawValue ?? "end")
        }
        bluetooth.hear(Discovery(ring))
        bluetooth.report(.failure(BLEError(.bluetoothOff, .scan)))
        bluetooth.report(.failure(BLEError(.bluetoothOff, .scan)))
        bluetooth.hear(Discovery(PeripheralIdentity("other")))
        #expect(ends.all == ["ring", "end"])
        scanning.cancel()
    }

    @Test func reportsAfterTheEndAreIgnored() {
        let scanning = scan()
        let late = bluetooth.state.withLock { $0.scans.values.first }
        scanning.cancel()
        late?(.success(Discovery(ring)))
        #expect(told.all.isEmpty)
    }

    @Test func findEndsTheScanWithTheFirstMatch() throws {
        _ = bluetooth.stepped.schedule(at: .origin + .seconds(2)) { [bluetooth, ring] in
            bluetooth.hear(Discovery(PeripheralIdentity("x"), name: "x"))
            bluetooth.hear(Discovery(ring, name: "R10"))
        }
        let found = try bluetooth.run { [bluetooth] in
            try await bluetooth.find(ScanFilter(namePrefix: "r"))
        }
        #expect(found.identity == ring)
        #expect(bluetooth.scansUnderWay == 0)
        #expect(bluetooth.stepped.timerCount == 0)
        #expect(bluetooth.stepped.waiterCount == 0)
    }

    @Test func findTimesOut() {
        let error = bluetooth.errors { [bluetooth] in
            _ = try await bluetooth.find(timeout: .seconds(3))
        }
        #expect(error?.kind == .timedOut)
        #expect(bluetooth.stepped.now() == .origin + .seconds(3))
        #expect(bluetooth.scansUnderWay == 0)
    }

    @Test func adapterStatesBeginWithTheCurrentOne() throws {
        let found = try bluetooth.run { [bluetooth] in
            var states = bluetooth.adapterStates().makeAsyncIterator()
            var found = [try await states.next()]
            bluetooth.changeAdapter(to: .poweredOff)
            bluetooth.changeAdapter(to: .poweredOff)
            bluetooth.changeAdapter(to: .poweredOn)
            found += [try await states.next(), try await states.next()]
            return found
        }
        #expect(found == [.poweredOn, .poweredOff, .poweredOn])
    }

    @Test func currentStateIsNotRepeated() throws {
        let found = try bluetooth.run { [bluetooth] in
            var states = bluetooth.adapterStates().makeAsyncIterator()
            bluetooth.changeAdapter(to: .poweredOn)
            bluetooth.changeAdapter(to: .poweredOff)
            return [try await states.next(), try await states.next()]
        }
        #expect(found == [.poweredOn, .poweredOff])
    }

    /// A change that is reported while the first state is read comes after it.
    @Test func changeDuringTheFirstReadFollows() throws {
        bluetooth.state.withLock { $0.changeWhileRead = .poweredOff }
        let found = try bluetooth.run { [bluetooth] in
            var states = bluetooth.adapterStates().makeAsyncIterator()
            return [try await states.next(), try await states.next()]
        }
        #expect(found == [.poweredOn, .poweredOff])
    }
}
