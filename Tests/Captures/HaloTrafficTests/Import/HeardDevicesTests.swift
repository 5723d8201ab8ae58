import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The devices whose advertisements were received.
@Suite(.computes) struct HeardDevicesTests {
    private static let address = DeviceAddress(0xC122_3344_5566, isRandom: true)

    private func named(_ name: String) -> [UInt8] {
        [UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8)
    }

    private func count(
        _ devices: inout HeardDevices, _ data: [UInt8], strength: Int8? = nil,
        from address: DeviceAddress = address
    ) -> Bool {
        devices.count(address, strength: strength, ContiguousArray(data).span)
    }

    @Test func eachAdvertisementIsCountedAndTheStrongestKept() {
        var devices = HeardDevices()
        for strength in [-80, nil, -60, -70, -60] as [Int8?] {
            #expect(count(&devices, [], strength: strength))
        }
        let other = DeviceAddress(0xC122_3344_5577, isRandom: true)
        #expect(count(&devices, [], from: other))
        #expect(devices.devices.map(\.advertisementCount) == [5, 1])
        #expect(devices.devices.map(\.strongestRSSI) == [-60, nil])
        #expect(devices.devices.map(\.address) == [Self.address, other])
    }

    @Test func theLongestNameIsKept() {
        var devices = HeardDevices()
        for name in ["R02", "R02_55D2", "R0", "R02_55D3"] { _ = count(&devices, named(name)) }
        #expect(devices.name(of: Self.address)?.text == "R02_55D2")
        #expect(devices.name(of: DeviceAddress(1, isRandom: false)) == nil)
    }

    /// A name is searched in the first thirty-two advertisements of a device.
    @Test(arguments: [(31, true), (32, false)])
    func onlyTheFirstAdvertisementsAreSearchedForAName(before: Int, isFound: Bool) {
        var devices = HeardDevices()
        for _ in 0..<before { _ = count(&devices, []) }
        _ = count(&devices, named("R02_55D2"))
        #expect((devices.name(of: Self.address) != nil) == isFound)
        #expect(devices.devices.first?.advertisementCount == before + 1)
    }

    @Test func aDeviceBeyondTheLimitIsNotCountedAndTheOthersAre() {
        var devices = HeardDevices()
        for number in 0..<TrafficSurvey.deviceLimit {
            let address = DeviceAddress(UInt64(number), isRandom: false)
            #expect(count(&devices, [], from: address))
        }
        #expect(!count(&devices, []))
        #expect(count(&devices, [], from: DeviceAddress(0, isRandom: false)))
        #expect(devices.devices.count == TrafficSurvey.deviceLimit)
        #expect(devices.devices.first?.advertisementCount == 2)
    }
}
