import AccessorySetupKit
import CoreBluetooth
import Foundation
import HaloSimulator
import Testing

/// Sessions and pickers as Apple documents them.
@Suite(.timeLimit(.minutes(20)))
struct PickerTests {
    @Test func showsNoAccessoryTwice() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        #expect(await app.pick() == 200)
        #expect(app.session.accessories.count == 1)
    }

    @Test func choosesByTheNameOfTheDevice() async {
        let world = PhoneUnderTest(PickerUser(.chooseNamed("R10_0001")))
        let app = await world.makeActiveApp()
        #expect(await app.pick([PhoneUnderTest.item(), PhoneUnderTest.rings]) == nil)
        #expect(app.session.accessories.map(\.displayName) == ["Ring"])
    }

    @Test func aPersonMayTapLater() async {
        let world = PhoneUnderTest(PickerUser(.wait))
        let app = await world.makeActiveApp()
        async let number = app.pick()
        await app.events.wait { $0.contains("pickerDidPresent") }
        world.accessories.user = PickerUser(.choose(0))
        #expect(await number == nil)
        #expect(world.accessories.pickerNames == nil)
    }

    @Test func asksForANameAndPairs() async {
        let world = PhoneUnderTest(PickerUser(newName: "Mine"))
        let descriptor = PhoneUnderTest.straps
        descriptor.supportedOptions = .bluetoothPairingLE
        let app = await world.makeActiveApp()
        #expect(await app.pick([PhoneUnderTest.item(descriptor, options: .rename)]) == nil)
        #expect(
            app.events.values == [
                "activated", "pickerDidPresent", "pickerSetupPairing", "pickerSetupRename",
                "accessoryAdded", "pickerDidDismiss",
            ])
        #expect(app.session.accessories.map(\.displayName) == ["Mine"])
    }

    @Test func theAppConfirms() async throws {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        async let number = app.pick([PhoneUnderTest.item(options: .confirmAuthorization)])
        await app.events.wait { $0.contains("accessoryAdded") }
        let accessory = try #require(app.accessories.values.first)
        #expect(accessory.state == .awaitingAuthorization)
        let settings = ASAccessorySettings.default
        settings.ssid = "strap"
        try await app.session.finishAuthorization(for: accessory, settings: settings)
        #expect(await number == nil)
        #expect(app.events.values.suffix(2) == ["accessoryChanged", "pickerDidDismiss"])
        #expect(app.session.accessories.map(\.state) == [.authorized])
        #expect(app.session.accessories.map(\.ssid) == ["strap"])
        let late = await app.number { try await $0.failAuthorization(for: accessory) }
        #expect(late == 450)
    }

    @Test func theAppRefuses() async throws {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        async let number = app.pick([PhoneUnderTest.item(options: .confirmAuthorization)])
        await app.events.wait { $0.contains("accessoryAdded") }
        let accessory = try #require(app.accessories.values.first)
        try await app.session.failAuthorization(for: accessory)
        #expect(await number == 150)
        #expect(app.session.accessories.isEmpty)
    }

    @Test func theAppFilters() async throws {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        app.session.pickerDisplaySettings = PhoneUnderTest.filtering
        async let number = app.pick()
        await app.events.wait { $0.contains("accessoryDiscovered") }
        let found = try #require(app.accessories.values.first as? ASDiscoveredAccessory)
        #expect(found.bluetoothAdvertisementData?[CBAdvertisementDataServiceUUIDsKey] != nil)
        #expect(found.state == .unauthorized)
        try await app.session.updatePicker(showing: [PhoneUnderTest.item(found)])
        #expect(await number == nil)
        #expect(app.session.accessories.map(\.displayName) == ["My strap"])
    }

    @Test func theAppEndsAnUnboundedDiscovery() async throws {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        let settings = PhoneUnderTest.filtering
        app.session.pickerDisplaySettings = settings
        settings.options = []
        async let number = app.pick()
        await app.events.wait { $0.contains("accessoryDiscovered") }
        try await app.session.finishPickerDiscovery()
        #expect(await number == 200)
    }

    @Test(
        arguments: [
            (AccessoryTraps.completesWhenPresented, PickerUser(.cancel), nil),
            (AccessoryTraps.completesBeforeDismissal, PickerUser(.cancel), 700),
            (AccessoryTraps.staysAfterFailedPairing, PickerUser(.failPairing(0)), 150),
        ] as [(AccessoryTraps, PickerUser, Int?)])
    func trapsOfPickers(_ trap: AccessoryTraps, _ user: PickerUser, _ error: Int?) async {
        let world = PhoneUnderTest(user)
        world.accessories.traps = trap
        let app = await world.makeActiveApp()
        #expect(await app.pick() == error)
        await app.events.wait { $0.contains("pickerDidDismiss") }
        let stays = trap == .staysAfterFailedPairing
        #expect(app.session.accessories.count == (stays ? 1 : 0))
    }

    @Test func neverAppears() async {
        let world = PhoneUnderTest(PickerUser())
        world.accessories.traps = .neverAppears
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        #expect(app.events.values == ["activated"])
    }

    /// The completion is not called, and the picker does the rest.
    @Test func neverCompletes() async {
        let world = PhoneUnderTest(PickerUser(.cancel))
        world.accessories.traps = .neverCompletes
        let app = await world.makeActiveApp()
        app.session.showPicker(for: [PhoneUnderTest.item()]) { _ in
            app.events.append("completed")
        }
        await app.events.wait { $0.contains("pickerDidDismiss") }
        #expect(app.events.values == ["activated", "pickerDidPresent", "pickerDidDismiss"])
    }

    @Test func hidesAllButThree() async throws {
        let world = PhoneUnderTest(PickerUser(.wait))
        for rate in 61...64 as ClosedRange<UInt16> {
            world.air.add(VirtualHeartRateSensor(beatsPerMinute: rate))
        }
        world.accessories.traps = .showsOnlyThree
        let app = await world.makeActiveApp()
        app.session.pickerDisplaySettings = PhoneUnderTest.filtering
        async let number = app.pick()
        await app.accessories.wait { $0.count == 5 }
        let found = app.accessories.values.compactMap { $0 as? ASDiscoveredAccessory }
        try await app.session.updatePicker(showing: found.map(PhoneUnderTest.item))
        #expect(world.accessories.pickerNames?.count == 3)
        world.accessories.user = PickerUser(.choose(2))
        #expect(await number == nil)
    }
}
