import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct GATTDatabaseTests {
    private static let userDescription = BluetoothUUID(0x2901)

    private struct Described {
        var database = GATTDatabase()
        let level: AttributeID
        let model: AttributeID
        let name: AttributeID

        init() {
            level = database.add(StandardServices.battery) { service in
                service.add(
                    CharacteristicCatalog.batteryLevel.uuid, [.read, .notify],
                    descriptors: [(GATTDatabaseTests.userDescription, Array("main".utf8))])
            }
            (model, name) = database.add(
                StandardServices.deviceInformation, isPrimary: false
            ) { service in
                (
                    service.add(CharacteristicCatalog.modelNumber.uuid, .read, value: [77]),
                    service.add(
                        CharacteristicCatalog.manufacturerName.uuid, [.write, .read],
                        permissions: .writeEncrypted)
                )
            }
        }
    }

    @Test func attributesAreNumberedInOrder() throws {
        let described = Described()
        let descriptor = try #require(
            described.database.services[0].characteristics[0].descriptors.first)
        #expect(
            [described.level, descriptor.id, described.model, described.name].map(\.rawValue)
                == [1, 2, 3, 4])
        #expect(described.database == Described().database)
    }

    @Test func servicesAreAsTheyWereAdded() throws {
        let services = Described().database.services
        #expect(
            services.map(\.uuid) == [StandardServices.battery, StandardServices.deviceInformation])
        #expect(services.map(\.isPrimary) == [true, false])
        let name = try #require(
            services[1].characteristic(CharacteristicCatalog.manufacturerName.uuid))
        #expect(name.properties == [.write, .read])
        #expect(name.permissions == .writeEncrypted)
        #expect(services[0].characteristics[0].descriptors.map(\.uuid) == [Self.userDescription])
    }

    @Test func constantValuesAreKept() throws {
        let described = Described()
        let descriptor = try #require(
            described.database.services[0].characteristics[0].descriptors.first)
        #expect(described.database.value(of: described.model) == [77])
        #expect(described.database.value(of: descriptor.id) == Array("main".utf8))
        #expect(described.database.value(of: described.level) == nil)
    }

    @Test func refusalsNameTheATTError() throws {
        let described = Described()
        let database = described.database
        let none = AttributeID(99)
        #expect(database.refusalToRead(described.level) == nil)
        #expect(database.refusalToRead(none) == .invalidHandle)
        #expect(database.refusalToWrite(described.name, .withResponse) == nil)
        #expect(database.refusalToWrite(described.name, .withoutResponse) == .writeNotPermitted)
        #expect(database.refusalToWrite(described.model, .withResponse) == .writeNotPermitted)
        #expect(database.refusalToWrite(none, .withResponse) == .invalidHandle)
        let descriptor = try #require(database.services[0].characteristics[0].descriptors.first)
        #expect(database.refusalToRead(descriptor.id) == nil)
        #expect(database.refusalToWrite(descriptor.id, .withResponse) == .writeNotPermitted)
    }

    @Test func characteristicIsFoundByItsNumber() {
        let described = Described()
        #expect(
            described.database.characteristic(described.name)?.uuid
                == CharacteristicCatalog.manufacturerName.uuid)
        #expect(described.database.characteristic(AttributeID(2)) == nil)
    }

    @Test func readRespondsFromAnOffset() {
        func answer(_ offset: Int) -> PeripheralEffect? {
            var effects = PeripheralEffects()
            effects.respond([1, 2, 3], from: offset, to: ResponseToken(5))
            return effects.all.first
        }
        #expect(answer(0) == .value([1, 2, 3], ResponseToken(5)))
        #expect(answer(2) == .value([3], ResponseToken(5)))
        #expect(answer(3) == .value([], ResponseToken(5)))
        #expect(answer(4) == .refuse(.invalidOffset, ResponseToken(5)))
        #expect(answer(.min) == .refuse(.invalidOffset, ResponseToken(5)))
    }
}
