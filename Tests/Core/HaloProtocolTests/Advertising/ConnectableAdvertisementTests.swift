import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct ConnectableAdvertisementTests {
    private static let heartRate = StandardServices.heartRate

    @Test func saysNameAndServicesInFull() throws {
        let data = AdvertisingData.connectable(
            name: "Strap", services: [Self.heartRate, StandardServices.battery])
        #expect(data.flags == [.generalDiscoverable, .classicNotSupported])
        #expect(data.services == [Self.heartRate, StandardServices.battery])
        #expect(data.name?.text == "Strap")
        #expect(data.structures.last?.content == .name(AdvertisedName("Strap"), isComplete: true))
        #expect(try AdvertisingData(decoding: data.bytes) == data)
    }

    @Test func cutsTheNameToTheRoomThatIsLeftBetweenCharacters() throws {
        for count in 0..<40 {
            for letter in ["a", "é", "心", "💓"] {
                let name = String(repeating: letter, count: count)
                let data = AdvertisingData.connectable(name: name, services: [Self.heartRate])
                #expect(data.fitsLegacy)
                let text = data.name?.text ?? ""
                #expect(name.hasPrefix(text))
                #expect(text == name || data.bytes.count + letter.utf8.count > 31)
                let isComplete = text == name
                if count > 0 {
                    #expect(
                        data.structures.last?.content
                            == .name(AdvertisedName(text), isComplete: isComplete))
                }
                #expect(try AdvertisingData(decoding: data.bytes) == data)
            }
        }
    }

    @Test func leavesOutServicesThatDoNotFit() {
        let many = (0..<40).map { BluetoothUUID(0x1800 + $0) }
        let data = AdvertisingData.connectable(name: "Strap", services: many)
        #expect(data.fitsLegacy)
        #expect(data.services == Array(many.prefix(13)))
        #expect(data.name == nil)
        let long = AdvertisingData.connectable(
            name: "Ring", services: [RingServices.uart, Self.heartRate])
        #expect(long.services == [Self.heartRate])
        #expect(
            long.structures.contains {
                $0.content == .services(.short([0x180D]), isComplete: false)
            })
    }

    @Test func mayBeWithoutServicesAndName() {
        let data = AdvertisingData.connectable(name: "", services: [])
        #expect(data.structures.count == 1)
    }
}
