import CoreBluetooth
import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import Testing

@testable import AccessorySetupKit
@testable import HaloCoreBluetooth

/// The picker for accessories, and what an app must declare for it.
@Suite(.timeLimit(.minutes(20))) struct PickingTests {
    /// A phone that is used for the first time, with a ring and a strap in its reach.
    private struct Bench {
        let air = VirtualBluetooth(seed: 1, mode: .realTime(speed: 50))
        let phone: Phone
        let ring: Placed<VirtualRing>
        let setup: AccessorySetup

        init(_ user: PickerUser = PickerUser(), declares: [AccessoryDeclaration] = [.rings]) throws
        {
            ring = air.add(VirtualRing(.r02, wearer: Wearer(seed: 3)))
            air.add(VirtualHeartRateSensor(wearer: Wearer(seed: 4)))
            let phone = Phone(air: air)
            self.phone = phone
            let entries = AccessoryDeclaration.propertyList(for: declares)
            phone.accessories.infoPlist = try InfoPlist(
                xml: "<plist version=\"1.0\"><dict>\(entries)</dict></plist>")
            phone.accessories.user = user
            setup = Phone.$current.withValue(phone) { AccessorySetup() }
        }
    }

    @Test func aChosenRingIsConnectedTo() async throws {
        let bench = try Bench()
        try await bench.setup.activate()
        #expect(bench.setup.accessories == [])
        let accessory = try await bench.setup.pick([.rings(image: Picture.ring)])
        #expect(accessory.isAuthorized)
        #expect(bench.setup.accessories.map(\.identity) == [accessory.identity])
        let transport = PhoneBench.launch(on: bench.phone)
        let ring = try await Ring.connect(to: accessory.identity, over: transport)
        #expect(try await ring.battery().percent > 0)
        await ring.disconnect()
        try await bench.setup.remove(accessory)
        #expect(bench.setup.accessories == [])
        // Without an accessory, Bluetooth is off for the app.
        #expect(await eventually { transport.adapterState == .poweredOff })
    }

    @Test func aPickerWithoutAChoiceThrows() async throws {
        let bench = try Bench(PickerUser(.cancel))
        try await bench.setup.activate()
        let failure = await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        #expect(failure?.kind == .cancelled)
        // The next one is shown, and the limits of this one do not end it.
        bench.phone.accessories.traps = .completesWhenPresented
        bench.phone.accessories.user = PickerUser(.wait)
        let events = bench.setup.events()
        let next = Task { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        for await event in events where event == .pickerShown { break }
        try await pass(.milliseconds(1100))
        bench.phone.accessories.user = PickerUser()
        #expect(try await next.value.isAuthorized)
    }

    /// If the request was completed before, the error is that of the event.
    @Test(arguments: [AccessoryTraps(), .completesWhenPresented])
    func aPairingThatFailsIsTold(_ traps: AccessoryTraps) async throws {
        let bench = try Bench(PickerUser(.failPairing(0)))
        bench.phone.accessories.traps = traps
        try await bench.setup.activate()
        let failure = await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        #expect(failure?.kind == .setupFailed)
        #expect(bench.setup.accessories == [])
    }

    @Test func aPickerNeedsAnActiveSession() async throws {
        let bench = try Bench()
        let early = await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        #expect(early?.kind == .notActive)
        // All activations wait for the first one; a later one is none.
        async let first: Void = bench.setup.activate()
        async let second: Void = bench.setup.activate()
        _ = try await (first, second)
        try await bench.setup.activate()
        bench.phone.accessories.user = PickerUser(.wait)
        let events = bench.setup.events()
        let waiting = Task {
            await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        }
        for await event in events where event == .pickerShown { break }
        let further = await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        #expect(further?.kind == .alreadyShown)
        waiting.cancel()
    }

    @Test(arguments: [
        AccessoryTraps(), .completesWhenPresented, .completesBeforeDismissal,
        .migratesWithoutPicker,
    ])
    func aDeviceOfBeforeBecomesAnAccessory(_ traps: AccessoryTraps) async throws {
        let bench = try Bench()
        bench.phone.accessories.traps = traps
        let identifier = bench.phone.meet(bench.ring.identity)
        let identity = PeripheralIdentity(identifier.uuidString)
        try await bench.setup.activate()
        let events = bench.setup.events()
        try await bench.setup.migrate([identity], as: .rings(image: Picture.ring))
        #expect(bench.setup.accessories.map(\.identity) == [identity])
        for await event in events where event == .migrated { break }
        let transport = PhoneBench.launch(on: bench.phone)
        let ring = try await Ring.connect(to: identity, over: transport)
        await ring.disconnect()
    }

    /// The system ends the session while it shows the picker.
    @Test func aSessionThatIsInvalidatedEndsTheCall() async throws {
        let bench = try Bench(PickerUser(.wait))
        try await bench.setup.activate()
        var events = bench.setup.events().makeAsyncIterator()
        let picking = Task {
            await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        }
        while let event = await events.next(), event != .pickerShown {}
        bench.phone.accessories.report(ASAccessoryEvent(.invalidated))
        #expect(await picking.value?.kind == .notActive)
        while let event = await events.next(), event != .invalidated {}
        let next = await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        #expect(next?.kind == .notActive)
    }

    /// The picker is dismissed with an error, and the request is not completed.
    @Test func theErrorOfADismissalIsTold() async throws {
        let bench = try Bench(PickerUser(.wait))
        bench.phone.accessories.traps = .neverCompletes
        try await bench.setup.activate()
        let events = bench.setup.events()
        let picking = Task {
            await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        }
        for await event in events where event == .pickerShown { break }
        bench.phone.accessories.report(
            ASAccessoryEvent(.pickerDidDismiss, error: ASError(.discoveryTimeout)))
        #expect(await picking.value?.kind == .notFound)
    }

    /// The request fails while the picker is shown, and no dismissal is reported: the call waits
    /// for it for a second.
    @Test func aPickerThatIsNotDismissedEndsTheCall() async throws {
        let bench = try Bench(PickerUser(.cancel))
        bench.phone.accessories.traps = .neverDismisses
        try await bench.setup.activate()
        let start = ContinuousClock.now
        let failure = await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        #expect(failure?.kind == .cancelled)
        #expect(start.duration(to: .now) >= .seconds(1))
    }

    /// The system completes the request when it shows the picker: the user has still to agree.
    @Test func aMigrationWaitsForTheUser() async throws {
        let bench = try Bench(PickerUser(.wait))
        bench.phone.accessories.traps = .completesWhenPresented
        let identifier = bench.phone.meet(bench.ring.identity)
        let identity = PeripheralIdentity(identifier.uuidString)
        try await bench.setup.activate()
        let events = bench.setup.events()
        let migration = Task {
            try await bench.setup.migrate([identity], as: .rings(image: Picture.ring))
            return bench.setup.accessories.map(\.identity)
        }
        for await event in events where event == .pickerShown { break }
        bench.phone.accessories.user = PickerUser(.choose(0))
        #expect(try await migration.value == [identity])
    }

    /// A transport that is used before the migration prevents it.
    @Test func aMigrationComesBeforeTheFirstUse() async throws {
        let bench = try Bench()
        let identifier = bench.phone.meet(bench.ring.identity)
        try await bench.setup.activate()
        let transport = PhoneBench.launch(on: bench.phone)
        let failure = await refusal {
            try await bench.setup.migrate(
                [PeripheralIdentity(identifier.uuidString)], as: .rings(image: Picture.ring))
        }
        #expect(failure?.kind == .invalid)
        withExtendedLifetime(transport) {}
    }

    @Test func aStrapIsFoundByItsService() async throws {
        let bench = try Bench(declares: [.rings, .heartRateSensors])
        try await bench.setup.activate()
        let accessory = try await bench.setup.pick([.heartRateSensors(image: Picture.ring)])
        let transport = PhoneBench.launch(on: bench.phone)
        let strap = try await HeartRateSensor.connect(to: accessory.identity, over: transport)
        await strap.disconnect()
    }

    @Test func nothingToPickIsInvalid() async throws {
        let bench = try Bench()
        try await bench.setup.activate()
        #expect(await refusal { try await bench.setup.pick([]) }?.kind == .invalid)
    }

    /// The task ends at once, and the picker stays until the user closes it.
    @Test func aPickingTaskIsCancelled() async throws {
        let bench = try Bench(PickerUser(.wait))
        try await bench.setup.activate()
        let events = bench.setup.events()
        let picking = Task {
            await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        }
        for await event in events where event == .pickerShown { break }
        picking.cancel()
        #expect(await picking.value?.kind == .cancelled)
        let second = await refusal { try await bench.setup.pick([.rings(image: Picture.ring)]) }
        #expect(second?.kind == .alreadyShown)
        let later = bench.setup.events()
        bench.phone.accessories.user = PickerUser(.choose(0))
        for await event in later where event == .pickerDismissed { break }
        #expect(bench.setup.accessories.count == 1)
    }

    /// Each loop has all events; one that ends does not end the others.
    @Test func eachLoopHasItsEvents() async throws {
        let bench = try Bench()
        let (first, second) = (bench.setup.events(), bench.setup.events())
        let ended = Task { for await _ in first {} }
        ended.cancel()
        await ended.value
        try await bench.setup.activate()
        let accessory = try await bench.setup.pick([.rings(image: Picture.ring)])
        for await event in second {
            if case .added(let added) = event {
                #expect(added.identity == accessory.identity)
                break
            }
        }
    }

    /// A loop that begins late has the last 64 events: 63 names, and the end.
    @Test(.timeLimit(.minutes(20))) func eventsAreBufferedUpToALimit() async throws {
        let bench = try Bench()
        try await bench.setup.activate()
        let accessory = try await bench.setup.pick([.rings(image: Picture.ring)])
        let identifier = bench.phone.identifier(of: bench.ring.identity)
        let events = bench.setup.events()
        for number in 1...70 {
            bench.phone.accessories.renameInSettings(identifier, to: "\(number)")
        }
        try await bench.setup.remove(accessory)
        var names: [String] = []
        for await event in events {
            if case .changed(let changed) = event { names.append(changed.name) }
            if case .removed = event { break }
        }
        #expect(names == (8...70).map { "\($0)" })
    }

    /// What a person does in the settings.
    @Test(.timeLimit(.minutes(20))) func changesInTheSettingsAreReported() async throws {
        let bench = try Bench()
        try await bench.setup.activate()
        let accessory = try await bench.setup.pick([.rings(image: Picture.ring)])
        let identifier = bench.phone.identifier(of: bench.ring.identity)
        var events = bench.setup.events().makeAsyncIterator()
        bench.phone.accessories.renameInSettings(identifier, to: "another name")
        while let event = await events.next() {
            guard case .changed(let changed) = event else { continue }
            #expect(changed.name == "another name")
            #expect(changed.identity == accessory.identity)
            break
        }
        bench.phone.accessories.removeInSettings(identifier)
        while let event = await events.next() {
            if case .removed(let removed) = event {
                #expect(removed.identity == accessory.identity)
                break
            }
        }
        #expect(bench.setup.accessories == [])
        let failure = await refusal { try await bench.setup.remove(accessory) }
        #expect(failure?.kind == .notFound)
    }

    @Test func eventsAreReportedInOrder() async throws {
        let bench = try Bench()
        let reported = bench.setup.events()
        try await bench.setup.activate()
        let accessory = try await bench.setup.pick([.rings(image: Picture.ring)])
        try await bench.setup.remove(accessory)
        var events: [String] = []
        for await event in reported {
            switch event {
            case .added(let added): events.append("added \(added.identity == accessory.identity)")
            case .removed(let removed):
                events.append("removed \(removed.identity == accessory.identity)")
            case .changed: break
            default: events.append("\(event)")
            }
            if case .removed = event { break }
        }
        #expect(events == ["pickerShown", "added true", "pickerDismissed", "removed true"])
    }

    @Test func thePropertyListHasWhatTheDescriptorsNeed() throws {
        let list = AccessoryDeclaration.propertyList(for: [.rings, .heartRateSensors])
        let plist = try InfoPlist(xml: "<plist version=\"1.0\"><dict>\(list)</dict></plist>")
        #expect(
            plist.entries[InfoPlist.Key.services] == [
                "6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E", "180D",
            ])
        #expect(plist.entries[InfoPlist.Key.companies] == ["1234"])
        #expect(plist.entries[InfoPlist.Key.kitSupports] == ["Bluetooth"])
        #expect(plist.entries[InfoPlist.Key.supports] == ["Bluetooth"])
    }

    /// The page for app developers shows the same text.
    @Test func thePageShowsTheSameList() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../../Documentation/RingsOnAnIPhone.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains(AccessoryDeclaration.propertyList(for: [.rings, .heartRateSensors])))
    }
}

/// What an app is told of its accessories.
@Suite(.timeLimit(.minutes(20))) struct AccessoryValueTests {
    private static func record(
        _ state: ASAccessory.AccessoryState, _ identifier: UUID? = UUID()
    ) -> ASAccessory {
        ASAccessory(
            AccessoryRecord(
                number: 1, state: state, bluetoothIdentifier: identifier, displayName: "a name",
                descriptor: ASDiscoveryDescriptor()))
    }

    @Test func anAccessoryHasAnIdentity() throws {
        let identifier = UUID()
        let accessory = try #require(Accessory(Self.record(.authorized, identifier)))
        #expect(accessory.identity == PeripheralIdentity(identifier.uuidString))
        #expect(accessory.name == "a name")
        #expect(accessory.isAuthorized)
        #expect(Accessory(Self.record(.awaitingAuthorization))?.isAuthorized == false)
        #expect(Accessory(Self.record(.unauthorized))?.isAuthorized == false)
        // One of Wi-Fi has none.
        #expect(Accessory(Self.record(.authorized, nil)) == nil)
    }

    @Test func eachErrorOfTheSystemHasItsKind() {
        let kinds: [(ASError.Code, AccessoryError.Kind)] = [
            (.unknown, .system), (.activationFailed, .notActive), (.connectionFailed, .setupFailed),
            (.discoveryTimeout, .notFound), (.extensionNotFound, .invalid),
            (.invalidated, .notActive), (.invalidRequest, .invalid),
            (.pickerAlreadyActive, .alreadyShown), (.pickerRestricted, .notAllowedNow),
            (.userCancelled, .cancelled), (.userRestricted, .restricted),
        ]
        for (code, kind) in kinds {
            let error = AccessoryError(ASError(code))
            #expect(error.kind == kind)
            #expect(error.details?.hasPrefix("ASErrorDomain \(code.rawValue): ") == true)
            // The number of another domain says nothing.
            #expect(AccessoryError(NSError(domain: "x", code: code.rawValue)).kind == .system)
        }
        #expect(Set(kinds.map { "\($0.1)" }).count == 9)
    }

    /// The system's text may have the name of a device, and is printed on terminals.
    @Test func aDescriptionHasNoControlCharacters() {
        #expect(
            "\(AccessoryError(.notFound))" == "No device was found in time.")
        #expect(
            "\(AccessoryError(.notFound, details: "a\u{1B}[2Jb\nc é"))"
                == "No device was found in time. (a [2Jb c é)")
    }

    /// Each service and company once, in the order of the kinds; no key without values.
    @Test func aPropertyListHasEachValueOnce() {
        let first = AccessoryDeclaration(
            services: [BluetoothUUID(0x180D), BluetoothUUID(0x180F)], companies: [0x0A0B])
        let second = AccessoryDeclaration(
            services: [BluetoothUUID(0x180D)], companies: [7, 0x0A0B])
        let values = AccessoryDeclaration.propertyList(for: [first, second])
            .split(separator: "\n").filter { $0.contains("<string>") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            values
                == ["Bluetooth", "Bluetooth", "180D", "180F", "A0B", "7"]
                .map { "<string>\($0)</string>" })
        let none = AccessoryDeclaration.propertyList(for: [AccessoryDeclaration(services: [])])
        #expect(!none.contains("BluetoothServices"))
        #expect(!none.contains("CompanyIdentifiers"))
    }

    @Test func aKindHasADescriptorForEachClue() {
        let kind = AccessoryKind(
            "kind", image: Picture.ring,
            AccessoryDeclaration(services: [BluetoothUUID(0x180D)], companies: [7]))
        #expect(kind.descriptors.map { $0.bluetoothServiceUUID?.uuidString } == ["180D", nil])
        #expect(kind.descriptors.map(\.bluetoothCompanyIdentifier.rawValue) == [0, 7])
        #expect(AccessoryKind.rings(image: Picture.ring).declaration == .rings)
        #expect(
            AccessoryKind.heartRateSensors(image: Picture.ring).declaration == .heartRateSensors)
    }
}

/// Sessions and pickers that fail, in each order in which the system may tell.
@Suite(.timeLimit(.minutes(20))) struct PickerFailureTests {
    private static func setup(
        _ traps: AccessoryTraps = [], user: PickerUser = PickerUser(),
        mode: VirtualMode = .realTime(speed: 100), _ change: (Phone) -> Void = { _ in }
    ) throws -> AccessorySetup {
        let air = VirtualBluetooth(seed: 1, mode: mode)
        let phone = Phone(air: air)
        let entries = AccessoryDeclaration.propertyList(for: [.rings])
        phone.accessories.infoPlist = try InfoPlist(
            xml: "<plist version=\"1.0\"><dict>\(entries)</dict></plist>")
        phone.accessories.user = user
        phone.accessories.traps = traps
        change(phone)
        return Phone.$current.withValue(phone) { AccessorySetup() }
    }

    @Test(arguments: [AccessoryTraps(), .failedActivationIsActivated])
    func anActivationThatFailsThrowsEachTime(_ traps: AccessoryTraps) async throws {
        let setup = try Self.setup(traps) { $0.accessories.allowsActivation = false }
        for _ in 0..<2 {
            let failure = await refusal { try await setup.activate() }
            #expect(failure?.kind == .notActive)
        }
    }

    @Test(arguments: [AccessoryTraps(), .completesWhenPresented, .completesBeforeDismissal])
    func aSearchThatFindsNothingIsTold(_ traps: AccessoryTraps) async throws {
        let setup = try Self.setup(traps, user: PickerUser(.choose(0)))
        try await setup.activate()
        let failure = await refusal { try await setup.pick([.rings(image: Picture.ring)]) }
        // With the error of the completion; a completion that came before tells nothing.
        #expect(failure?.kind == (traps == .completesWhenPresented ? .cancelled : .notFound))
    }

    /// The system completes the request without an error, and shows no picker.
    @Test(.timeLimit(.minutes(20))) func aPickerThatDoesNotAppearEndsTheCall() async throws {
        let setup = try Self.setup(.neverAppears)
        try await setup.activate()
        let start = ContinuousClock.now
        let failure = await refusal { try await setup.pick([.rings(image: Picture.ring)]) }
        #expect(failure?.kind == .cancelled)
        // A picker has time to appear.
        #expect(start.duration(to: .now) >= .seconds(10))
        // The place is free.
        let second = Task { await refusal { try await setup.pick([.rings(image: Picture.ring)]) } }
        second.cancel()
        #expect(await second.value?.kind == .cancelled)
    }

    /// The system dismisses the picker, and never completes the request.
    @Test(.timeLimit(.minutes(20))) func aRequestWithoutACompletionEnds() async throws {
        let setup = try Self.setup(.neverCompletes, user: PickerUser(.cancel))
        try await setup.activate()
        for _ in 0..<2 {
            let failure = await refusal { try await setup.pick([.rings(image: Picture.ring)]) }
            #expect(failure?.kind == .cancelled)
        }
    }

    /// Devices of another backend have no identifier of the system.
    @Test func aMigrationOfNothingShowsNoPicker() async throws {
        let setup = try Self.setup { $0.accessories.isPickerRestricted = true }
        try await setup.activate()
        let other = PeripheralIdentity("no identifier")
        try await setup.migrate([other], as: .rings(image: Picture.ring))
        let empty = AccessoryKind(
            "empty", image: Picture.ring, AccessoryDeclaration(services: []))
        #expect(await refusal { try await setup.migrate([other], as: empty) }?.kind == .invalid)
    }

    /// The picker of a task that was cancelled stays, until the session is dropped. No time passes:
    /// a search that finds nothing would end by itself.
    @Test func aSessionThatIsDroppedClosesItsPicker() async throws {
        var phone: Phone?
        var setup: AccessorySetup? = try Self.setup(user: PickerUser(.wait), mode: .manual) {
            phone = $0
        }
        try await setup?.activate()
        let events = setup?.events()
        let picking = Task { [setup] in
            await refusal { try await setup?.pick([.rings(image: Picture.ring)]) }
        }
        if let events { for await event in events where event == .pickerShown { break } }
        picking.cancel()
        #expect(await picking.value?.kind == .cancelled)
        let accessories = try #require(phone).accessories
        #expect(await eventually { accessories.pickerNames != nil })
        setup = nil
        #expect(await eventually { accessories.pickerNames == nil })
    }

    @Test(.timeLimit(.minutes(20))) func aSessionThatIsDroppedEndsItsEvents() async throws {
        var setup: AccessorySetup? = try Self.setup()
        try await setup?.activate()
        let events = setup?.events()
        setup = nil
        if let events { for await _ in events {} }
    }

    @Test func aRestrictedPickerIsTold() async throws {
        let setup = try Self.setup { $0.accessories.isPickerRestricted = true }
        try await setup.activate()
        let failure = await refusal { try await setup.pick([.rings(image: Picture.ring)]) }
        #expect(failure?.kind == .notAllowedNow)
    }

    @Test func aUserWhoMayNotAddAccessoriesIsTold() async throws {
        let setup = try Self.setup { $0.accessories.allowsNewAccessories = false }
        try await setup.activate()
        let failure = await refusal { try await setup.pick([.rings(image: Picture.ring)]) }
        #expect(failure?.kind == .restricted)
    }
}

/// The error of a call, or `nil`.
private func refusal<Value>(of body: () async throws -> Value) async -> AccessoryError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? AccessoryError
    }
}
