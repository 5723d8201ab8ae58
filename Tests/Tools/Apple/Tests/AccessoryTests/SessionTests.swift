import CoreBluetooth
import Foundation
import HaloSimulator
import Testing

@testable import AccessorySetupKit

/// Errors, Info.plist, and changes of accessories.
@Suite(.timeLimit(.minutes(20)))
struct SessionTests {
    @Test func refusesBeforeAndAfter() async {
        let world = PhoneUnderTest()
        let app = world.makeApp()
        #expect(await app.pick() == 450)
        app.activate()
        await app.events.wait { $0 == ["activated"] }
        #expect(await app.number { try await $0.showPicker() } == 300)
        app.session.invalidate()
        #expect(await app.pick() == 400)
        #expect(app.events.values == ["activated", "invalidated"])
    }

    @Test func invalidatingEndsThePicker() async {
        let world = PhoneUnderTest(PickerUser(.wait))
        let app = await world.makeActiveApp()
        async let number = app.pick()
        await app.events.wait { $0.contains("pickerDidPresent") }
        #expect(await app.pick() == 500)
        app.session.invalidate()
        #expect(await number == 400)
        #expect(app.events.values.last == "invalidated")
    }

    @Test func theSystemRefuses() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        world.accessories.isPickerRestricted = true
        #expect(await app.pick() == 550)
        world.accessories.isPickerRestricted = false
        world.accessories.allowsNewAccessories = false
        #expect(await app.pick() == 750)
        #expect(app.events.values == ["activated"])
    }

    @Test(arguments: [
        (AccessoryTraps.failedActivationIsActivated, "activated 100"),
        (AccessoryTraps(), "invalidated 100"),
    ])
    func anActivationFails(_ traps: AccessoryTraps, _ event: String) async {
        let world = PhoneUnderTest()
        world.accessories.allowsActivation = false
        world.accessories.traps = traps
        let app = world.makeApp()
        app.activate()
        await app.events.wait { $0 == [event] }
        #expect(await app.pick() == 400)
    }

    @Test func endsTheProgramWithoutADeclaration() {
        let world = PhoneUnderTest(plist: InfoPlist())
        world.makeApp().activate()
        #expect(world.phone.fatalErrors == ["Info.plist has no entry NSAccessorySetupKitSupports"])
    }

    @Test(arguments: [AccessoryTraps.needsKitSupportsKey, .needsSupportsKey])
    func oneNameOfTheDeclarationMayBeIgnored(_ trap: AccessoryTraps) {
        let isKit = trap == .needsKitSupportsKey
        let other = isKit ? InfoPlist.Key.supports : InfoPlist.Key.kitSupports
        let world = PhoneUnderTest(plist: InfoPlist([other: ["Bluetooth"]]))
        let app = world.makeApp()
        world.accessories.traps = trap
        app.activate()
        #expect(world.phone.fatalErrors.count == 1)
        world.accessories.traps = []
        app.activate()
        #expect(world.phone.fatalErrors.count == 1)
    }

    @Test func endsTheProgramForAServiceThatIsNotListed() async {
        let plist = InfoPlist([
            InfoPlist.Key.kitSupports: ["Bluetooth"], InfoPlist.Key.services: ["180d"],
        ])
        let world = PhoneUnderTest(plist: plist)
        let app = await world.makeActiveApp()
        #expect(await app.pick() == 450)
        #expect(
            world.phone.fatalErrors
                == ["Info.plist does not list NSAccessorySetupBluetoothServices: 180D"])
        world.accessories.traps = .mismatchFindsNothing
        #expect(await app.pick() == 200)
    }

    @Test func readsAPropertyList() throws {
        let list = try InfoPlist(
            xml: """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict>
                <key>NSAccessorySetupKitSupports</key><array><string>Bluetooth</string></array>
                <key>NSAccessorySetupBluetoothServices</key><array><string>180D</string></array>
                <key>NSBluetoothAlwaysUsageDescription</key><string>Why</string>
                </dict></plist>
                """)
        #expect(list.supports("Bluetooth") && list.lists(PhoneUnderTest.strapService))
        #expect(!list.supports("WiFi"))
    }

    @Test func endsTheProgramForTwoNamesOfANetwork() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        let descriptor = ASDiscoveryDescriptor()
        descriptor.ssid = "ring"
        descriptor.ssidPrefix = "ri"
        #expect(await app.pick([PhoneUnderTest.item(descriptor)]) == 450)
        #expect(world.phone.fatalErrors.count == 1)
        #expect(await app.pick([]) == 450)
        #expect(await app.pick([PhoneUnderTest.item(ASDiscoveryDescriptor())]) == 450)
        #expect(app.events.values == ["activated"])
    }

    @Test func removes() async throws {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        let accessory = try #require(app.session.accessories.first)
        try await app.session.removeAccessory(accessory)
        #expect(app.events.values.last == "accessoryRemoved")
        #expect(app.session.accessories.isEmpty)
        #expect(await app.number { try await $0.removeAccessory(accessory) } == 450)
    }

    @Test func settingsRenameAndRemove() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        world.accessories.renameInSettings(world.strapIdentifier, to: "Left")
        await app.events.wait { $0.last == "accessoryChanged" }
        #expect(app.session.accessories.map(\.displayName) == ["Left"])
        world.accessories.removeInSettings(world.strapIdentifier)
        await app.events.wait { $0.last == "accessoryRemoved" }
        #expect(app.session.accessories.isEmpty)
    }

    @Test func renamesAndUpdates() async throws {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        #expect(await app.pick() == nil)
        let accessory = try #require(app.session.accessories.first)
        #expect(await app.number { try await $0.renameAccessory(accessory) } == 700)
        world.accessories.user.newName = "Right"
        try await app.session.renameAccessory(accessory)
        #expect(app.session.accessories.map(\.displayName) == ["Right"])
        let descriptor = PhoneUnderTest.straps
        descriptor.supportedOptions = .bluetoothHID
        try await app.session.updateAuthorization(for: accessory, descriptor: descriptor)
        #expect(app.session.accessories.first?.descriptor.supportedOptions == .bluetoothHID)
    }

    @Test func theNextSessionHasTheAccessories() async {
        let world = PhoneUnderTest()
        #expect(await world.makeActiveApp().pick() == nil)
        world.accessories.terminateApp()
        let app = await world.makeActiveApp()
        #expect(app.session.accessories.map(\.bluetoothIdentifier) == [world.strapIdentifier])
    }

    @Test func migratesBeforeThereIsACentralManager() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        #expect(await app.pick([world.oldItem]) == nil)
        #expect(
            app.events.values
                == ["activated", "pickerDidPresent", "migrationComplete", "pickerDidDismiss"])
        #expect(app.session.accessories.map(\.bluetoothIdentifier) == [world.strapIdentifier])
    }

    @Test func doesNotMigrateAfterwards() async {
        let world = PhoneUnderTest()
        let app = await world.makeActiveApp()
        let manager = Phone.$current.withValue(world.phone) {
            CBCentralManager(delegate: nil, queue: app.queue)
        }
        #expect(await app.pick([world.oldItem]) == 450)
        #expect(app.events.values == ["activated"])
        withExtendedLifetime(manager) {}
    }
}
