import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// A daemon that signals and answers anything, in any order, and a program that makes any request.
///
/// Invariants: each request ends exactly once. A link is reported before its events, its end is
/// reported once, and nothing follows the end. Afterwards no state is left.
@Suite(.computes) struct LinkChaosTests {
    /// One link as its user sees it.
    private struct User {
        let number: LinkNumber
        let opened: Heard<Bool>
        let events: Heard<LinkEvent>
    }

    private struct Course {
        var script: ScriptedSession
        var generator: SplitMix
        var users: [User] = []
        /// The number of completions of each request.
        var ends: [Heard<Bool>] = []

        init(seed: UInt64) {
            generator = SplitMix(seed: seed)
            let options = BlueZOptions(
                pairing: seed.isMultiple(of: 5) ? BlueZPairing() : nil,
                adoptsConnected: !seed.isMultiple(of: 7))
            script = .loaded(Tree.usual, options)
        }

        mutating func roll(_ count: Int) -> Int {
            Int(truncatingIfNeeded: generator.next() % UInt64(count))
        }

        // MARK: The program

        mutating func open() {
            let (opened, events) = (Heard<Bool>(), Heard<LinkEvent>())
            let number = script.change { session in
                session.openLink(
                    to: Tree.address,
                    events: { event in
                        if opened.all != [true] { Issue.record("\(event) before the link") }
                        events.append(event)
                    }, makeDriver: { _ in SilentDriver() }
                ) { result in
                    opened.append((try? result.get()) != nil)
                }
            }
            users.append(User(number: number, opened: opened, events: events))
            ends.append(opened)
        }

        /// Opens a link, so that more can happen to it.
        mutating func begin() {
            script.say(Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties]))
            open()
            change(Tree.device, Device1.interfaceName, [Device1.connected: .boolean(true)])
            script.answer(Device1.connect)
            exportServices()
            change(Tree.device, Device1.interfaceName, [Device1.servicesResolved: .boolean(true)])
            discover()
        }

        mutating func ask() {
            guard let user = users.last(where: { $0.opened.all == [true] }) else { return }
            let end = Heard<Bool>()
            ends.append(end)
            let attribute = AttributeID(UInt32(roll(6)))
            let work: LinkOperation.Work =
                switch roll(4) {
                case 0: .read
                case 1: .write([1], .withResponse)
                case 2: .write([2], .withoutResponse)
                default: .notify(roll(2) == 0)
                }
            script.change { session in
                session.submit(work, for: attribute, on: user.number) { _ in end.append(true) }
            }
        }

        mutating func discover() {
            guard let user = users.last else { return }
            let end = Heard<Bool>()
            ends.append(end)
            script.change { $0.discoverServices(on: user.number) { _ in end.append(true) } }
        }

        mutating func act() {
            switch roll(8) {
            case 0: open()
            case 1 where !users.isEmpty:
                let user = users[roll(users.count)]
                script.change { $0.cancelLink(user.number) }
            case 2 where !users.isEmpty:
                let user = users[roll(users.count)]
                script.change { $0.closeLink(user.number) }
            case 3, 4: discover()
            default: ask()
            }
        }

        // MARK: The daemon

        private mutating func flag() -> DBusValue { .boolean(roll(2) == 0) }

        private mutating func change(
            _ path: DBusObjectPath, _ interface: String, _ values: Tree.Properties
        ) {
            script.say(Tree.changed(path, interface, values))
        }

        private mutating func exportServices() {
            for each in GATTTree.characteristics { script.say(each.added(mtu: 100)) }
            script.say(
                Tree.added(
                    GATTTree.service,
                    [
                        GattService1.interfaceName: [
                            GattService1.uuid: .string(GATTTree.serviceUUID.description),
                            GattService1.device: .objectPath(Tree.device),
                        ]
                    ]))
        }

        mutating func say() {
            let characteristic = GATTTree.characteristics[roll(3)]
            switch roll(16) {
            case 0, 1: change(Tree.device, Device1.interfaceName, [Device1.connected: flag()])
            case 2, 3:
                change(Tree.device, Device1.interfaceName, [Device1.servicesResolved: flag()])
            case 4, 5:
                script.say(
                    Tree.added(Tree.device, [Device1.interfaceName: Tree.deviceProperties]))
            case 6: script.say(Tree.removed(Tree.device, [Device1.interfaceName]))
            case 7, 8:
                exportServices()
            case 9:
                script.say(
                    Tree.removed(characteristic.path, [GattCharacteristic1.interfaceName]))
            case 10, 11:
                change(
                    characteristic.path, GattCharacteristic1.interfaceName,
                    [GattCharacteristic1.value: .bytes([UInt8(roll(256))])])
            case 12:
                change(
                    characteristic.path, GattCharacteristic1.interfaceName,
                    [GattCharacteristic1.mtu: .uint16(UInt16(roll(600)))])
            case 13: change(Tree.hci0, Adapter1.interfaceName, [Adapter1.powered: flag()])
            case 14:
                script.say(
                    Tree.added(
                        Tree.device,
                        [Battery1.interfaceName: [Battery1.percentage: .byte(UInt8(roll(200)))]]))
            default:
                script.say(
                    DBusSignal(
                        Device1.disconnected, of: Device1.interfaceName, at: Tree.device,
                        [.string(BlueZReason.timeout), .string("")]))
            }
        }

        private static let errors = [
            (BlueZErrorName.failed, DBusRefusal.abortedByLocal.details),
            (BlueZErrorName.failed, DBusRefusal.att(0x0E).details),
            (BlueZErrorName.failed, DBusRefusal.notConnected.details),
            (BlueZErrorName.failed, DBusRefusal.connectInProgress.details),
            (BlueZErrorName.inProgress, DBusRefusal.inProgress.details),
            (BlueZErrorName.notPermitted, DBusRefusal.notPaired.details),
            (BlueZErrorName.notPermitted, DBusRefusal.notifyAcquired.details),
            (DBusErrorName.unknownObject, ""),
            ("no name", "no text"),
        ]

        mutating func answer() {
            guard !script.asked.isEmpty else { return }
            let member = script.asked[roll(script.asked.count)].call.member
            switch roll(4) {
            case 0:
                let (name, text) = Self.errors[roll(Self.errors.count)]
                script.refuse(member, name, text)
            case 1 where roll(4) == 0:
                script.answer(member, .failure(DBusError(.timedOut)))
            case 1: script.answer(member, [.unixFD(0), .uint16(50)])
            case 2: script.answer(member, [.bytes([1, 2])])
            default: script.answer(member)
            }
        }

        mutating func step() {
            switch roll(10) {
            case 0...2: act()
            case 3...5: say()
            case 6...7: answer()
            default: script.pass(.milliseconds([1, 20, 200, 3000][roll(4)]))
            }
        }
    }

    @Test func everythingEndsOnceAndNothingIsLeft() async {
        var linkCount = 0
        for seed in 0..<400 as Range<UInt64> {
            // Others have deadlines to keep.
            await Task.yield()
            var course = Course(seed: seed)
            if !seed.isMultiple(of: 4) { course.begin() }
            for _ in 0..<150 { course.step() }
            course.script.own(nil)
            course.script.passAll(.seconds(300))
            for _ in 0..<200 where !course.script.asked.isEmpty {
                course.script.answer(course.script.asked[0].call.member)
            }
            course.script.passAll(.seconds(300))
            let session = course.script.session
            #expect(session.links.entries.isEmpty, "seed \(seed)")
            #expect(session.links.byDevice.isEmpty, "seed \(seed)")
            #expect(session.links.sources.isEmpty, "seed \(seed)")
            #expect(session.links.listening.isEmpty, "seed \(seed)")
            #expect(session.discovery.holdCount == 0, "seed \(seed)")
            #expect(session.discovery.searcherCount == 0, "seed \(seed)")
            #expect(course.ends.allSatisfy { $0.count == 1 }, "seed \(seed)")
            linkCount += course.users.count { $0.opened.all == [true] }
            for user in course.users {
                let ends = user.events.all.filter { event in
                    if case .disconnected = event { true } else { false }
                }
                #expect(ends.count == (user.opened.all == [true] ? 1 : 0), "seed \(seed)")
                #expect(ends.isEmpty || user.events.all.last == ends[0], "seed \(seed)")
            }
        }
        // Otherwise nothing was tried.
        #expect(linkCount > 200)
    }
}
