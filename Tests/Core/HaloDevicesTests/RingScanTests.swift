import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Rings nearby, as a list on a screen shows them.
@Suite(.passesTime) struct RingScanTests {
    @Test func ringsAreReportedAndOtherDevicesAreNot() throws {
        try virtually { air in
            let first = air.add(VirtualRing(.r02, days: 0))
            let second = air.add(VirtualRing(.r10, days: 0))
            air.add(VirtualHeartRateSensor(location: .chest))
            var found: [PeripheralIdentity: RingDiscovery] = [:]
            for try await ring in Ring.scan(over: air) {
                found[ring.id] = ring
                if found.count == 2, found.values.allSatisfy({ $0.name != nil }) { break }
            }
            #expect(Set(found.keys) == [first.identity, second.identity])
            let ring = try #require(found[first.identity])
            #expect(ring.confidence == .strong)
            #expect(ring.model == "R02")
            #expect(ring.rssi != nil)
            let connected = try await Ring.connect(to: ring, over: air)
            #expect(connected.name == ring.name)
            #expect(connected.identity == ring.identity)
            await connected.disconnect()
        }
    }

    @Test func aRingThatIsFoundHasItsName() throws {
        try virtually { air in
            let worn = air.add(VirtualRing(.r10, days: 0))
            let found = try await Ring.find(over: air)
            let ring = try await Ring.connect(over: air)
            #expect(ring.name == found.name)
            #expect(ring.name?.contains("R10") == true)
            await ring.disconnect()
            let known = try await Ring.connect(to: worn.identity, over: air)
            #expect(known.name == nil)
            await known.disconnect()
        }
    }

    @Test(arguments: [
        ("R02_341C", "R02"), ("COLMI R10_AB12", "COLMI R10"), ("R06", "R06"), ("R06_XY", "R06_XY"),
        ("A_B_00ff", "A_B"), ("_1234", ""),
    ])
    func aModelIsTheNameWithoutItsAddress(_ name: String, _ model: String) throws {
        let discovery = Discovery(
            PeripheralIdentity("a"), name: name, services: [RingServices.uart])
        #expect(try #require(RingDiscovery(discovery)).model == model)
    }

    @Test func whatIsNoRingIsNoDiscoveryOfOne() {
        let strap = Discovery(PeripheralIdentity("a"), services: [StandardServices.heartRate])
        #expect(RingDiscovery(strap) == nil)
        let closed = Discovery(
            PeripheralIdentity("a"), name: "R02_341C", services: [RingServices.uart],
            isConnectable: false)
        #expect(RingDiscovery(closed) == nil)
    }

    @Test func aScanThrowsThatBluetoothIsOff() throws {
        try virtually { air in
            air.setAdapterState(.poweredOff)
            let end = await kind { for try await _ in Ring.scan(over: air) {} }
            #expect(end == .bluetoothOff)
        }
    }

    @Test func aCancelledScanEnds() throws {
        try virtually { air in
            air.add(VirtualRing(.r10, days: 0))
            let end = await RingCancellationTests.cancel(after: .seconds(3), on: air) {
                for try await _ in Ring.scan(over: air) {}
            }
            #expect(end == nil)
        }
    }
}
