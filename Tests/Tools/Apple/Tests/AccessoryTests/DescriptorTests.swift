import CoreBluetooth
import Foundation
import Testing

@testable import AccessorySetupKit

/// The rules of descriptors, and the devices that they find.
struct DescriptorTests {
    private static var service: CBUUID { CBUUID(string: "180D") }

    private static func make(_ set: (ASDiscoveryDescriptor) -> Void) -> Conditions {
        let descriptor = ASDiscoveryDescriptor()
        set(descriptor)
        return descriptor.snapshot
    }

    @Test func followsTheRules() {
        #expect(!Self.make { _ in }.isValid)
        #expect(!Self.make { $0.bluetoothNameSubstring = "R10" }.isValid)
        #expect(Self.make { $0.bluetoothServiceUUID = Self.service }.isValid)
        #expect(Self.make { $0.ssid = "ring" }.isValid)
        let company = ASBluetoothCompanyIdentifier(0x1234)
        #expect(Self.make { $0.bluetoothCompanyIdentifier = company }.isValid)
        #expect(
            !Self.make {
                $0.bluetoothCompanyIdentifier = company
                $0.bluetoothManufacturerDataBlob = Data([1])
            }.isValid)
        #expect(
            !Self.make {
                $0.bluetoothCompanyIdentifier = company
                $0.bluetoothManufacturerDataBlob = Data([1])
                $0.bluetoothManufacturerDataMask = Data([0xFF, 0xFF])
            }.isValid)
        #expect(
            !Self.make {
                $0.bluetoothCompanyIdentifier = company
                $0.bluetoothServiceDataBlob = Data([1])
                $0.bluetoothServiceDataMask = Data([0xFF])
            }.isValid)
    }

    @Test func everyConditionMustHold() {
        var sighting = Sighting(identifier: UUID(), name: "R10_0001", services: [Self.service])
        sighting.manufacturerData = [0x1234: Data([0xA5, 2, 3])]
        sighting.rssi = -70
        func finds(_ set: (ASDiscoveryDescriptor) -> Void) -> Bool {
            Self.make {
                $0.bluetoothServiceUUID = Self.service
                set($0)
            }.match(sighting)
        }
        #expect(finds { _ in })
        #expect(finds { $0.bluetoothNameSubstring = "10_" })
        #expect(!finds { $0.bluetoothNameSubstring = "r10" })
        #expect(
            finds {
                $0.bluetoothNameSubstring = "r10"
                $0.bluetoothNameSubstringCompareOptions = .caseInsensitive
            })
        #expect(!finds { $0.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(1) })
        #expect(!finds { $0.bluetoothRange = .immediate })
        #expect(!finds { $0.bluetoothServiceUUID = CBUUID(string: "180F") })
    }

    @Test(
        arguments: [
            (0xA0, 0xF0, true), (0xA5, 0xFF, true), (0xB0, 0xF0, false), (0xA5, 0xF0, false),
        ] as [(UInt8, UInt8, Bool)])
    func comparesTheBitsOfTheMask(_ blob: UInt8, _ mask: UInt8, _ isFound: Bool) {
        var sighting = Sighting(identifier: UUID())
        sighting.manufacturerData = [0x1234: Data([0xA5, 2, 3])]
        let conditions = Self.make {
            $0.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0x1234)
            $0.bluetoothManufacturerDataBlob = Data([blob])
            $0.bluetoothManufacturerDataMask = Data([mask])
        }
        #expect(conditions.match(sighting) == isFound)
    }

    @Test func laterAdvertisementsAdd() {
        var sighting = Sighting(identifier: UUID(), name: nil, services: [Self.service])
        sighting.merge(Sighting(identifier: sighting.identifier, name: "Late"))
        #expect(sighting.name == "Late" && sighting.services == [Self.service])
        #expect(sighting.advertisement[CBAdvertisementDataLocalNameKey] as? String == "Late")
    }
}
