import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct DeviceInformationTests {
    private static func everything() throws -> DeviceInformation {
        var information = DeviceInformation()
        information.systemID = SystemID(address: 0xAABB_CCDD_EEFF)
        information.modelNumber = try DeviceInformationText("Model")
        information.serialNumber = try DeviceInformationText("S/N 1")
        information.firmwareRevision = try DeviceInformationText("F1")
        information.hardwareRevision = try DeviceInformationText("H1")
        information.softwareRevision = try DeviceInformationText("S1")
        information.manufacturerName = try DeviceInformationText("Maker")
        information.regulatoryCertification = RegulatoryCertification(list: [1, 2])
        information.pnpID = PnPID(
            source: .usb, vendor: 1, product: 2,
            version: try PnPID.Version(major: 1, minor: 2, patch: 3))
        return information
    }

    @Test func survivesBothDirections() throws {
        let information = try Self.everything()
        #expect(information.values.map(\.uuid) == DeviceInformation.characteristics)
        var read = DeviceInformation()
        for value in information.values { read.receive(value.bytes, of: value.uuid) }
        #expect(read == information)
    }

    @Test func holdsOnlyWhatIsThere() throws {
        var information = DeviceInformation()
        #expect(information.values.isEmpty)
        #expect(information.description == "")
        information.firmwareRevision = try DeviceInformationText("F1")
        #expect(information.values.map(\.uuid) == [CharacteristicCatalog.firmwareRevision.uuid])
    }

    @Test func keepsWhatIsWrongWithAValue() throws {
        var information = DeviceInformation()
        information.receive([1, 2, 3], of: CharacteristicCatalog.systemID.uuid)
        information.receive([0xFF], of: CharacteristicCatalog.manufacturerName.uuid)
        information.receive(Array("M".utf8), of: CharacteristicCatalog.modelNumber.uuid)
        #expect(information.systemID == nil)
        #expect(information.manufacturerName == nil)
        #expect(information.modelNumber?.text == "M")
        #expect(
            information.faults.map(\.uuid) == [
                CharacteristicCatalog.systemID.uuid, CharacteristicCatalog.manufacturerName.uuid,
            ])
        #expect(information.faults.map(\.error.kind) == [.truncated, .notText])
    }

    @Test func leavesOutWhatDoesNotBelongToIt() {
        var information = DeviceInformation()
        information.receive([60], of: CharacteristicCatalog.batteryLevel.uuid)
        #expect(information == DeviceInformation())
    }

    @Test func theDescriptionIdentifiesNoDevice() throws {
        let text = try Self.everything().description
        let versions = #"firmware "F1", hardware "H1", software "S1""#
        #expect(text == #"manufacturer "Maker", model "Model", "# + versions)
    }

    @Test func reachesEveryCharacteristicOfItsService() {
        for uuid in DeviceInformation.characteristics {
            #expect(CharacteristicCatalog.entry(uuid) != nil)
        }
        #expect(Set(DeviceInformation.characteristics).count == 9)
    }
}
