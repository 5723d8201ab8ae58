#if os(Linux)
public import HaloDBus

/// What the daemon does badly: a switch for each thing that daemons were seen or heard to do.
///
/// All switches can be used at any time. A number is how often it still happens; a device that
/// misbehaves does so for everybody.
public struct FakeQuirks: Hashable, Sendable {
    // MARK: - Services

    /// `ServicesResolved` becomes true so long before the services are there (bluez#1489,
    /// bleak#1806; so it was seen with a device that is hosted by the same daemon, without any
    /// time in between). The objects go with the link then. Nothing means that they come first.
    public var exportsLate: Duration?
    /// How often a link's services are resolved, then not, taken away, exported again, and
    /// resolved (bleak#625, #376).
    public var exportsAgain = 0
    /// The services are never resolved (bleak#1489, btleplug#164).
    public var neverResolves = false
    /// How many links end before their services are resolved (bleak#1491, bluez#712).
    public var dropsBeforeResolved = 0
    /// The objects of a device's services stay as they were when it comes back with others
    /// (`[GATT] Cache`, the README of bluer).
    public var keepsStaleServices = false
    /// A device whose link was to end before its services were known has no `UUIDs` any more, not
    /// even those that it advertises (5.66, in the virtual machine).
    public var forgetsUUIDsOfShortLinks = false

    // MARK: - Finding and connecting

    /// How many times `Connect` fails with `le-connection-abort-by-local` while the link seems to
    /// be there for a moment (bleak#239, #993, bluez#615).
    public var abortsByLocal = 0
    /// How many times a search cannot be begun because of another one (bleak#178 to #1825).
    public var searchInProgress = 0
    /// The daemon dies during a search with a filter of services, as soon as it hears a device that
    /// advertises some (5.87, in the virtual machine). `restart()` brings it back.
    public var diesOfServiceFilters = false
    /// A device to which nobody is connected is forgotten when the search ends (bleak#971).
    public var forgetsWhenSearchEnds = false
    /// That a device is connected is not told, though it is so and `Connect` says yes; that it is
    /// no longer, is. So 5.66 does each time with a device that it hosts itself.
    public var concealsConnected = false
    /// `Connect` never comes to an end by itself (tinygo#320).
    public var connectHangs = false
    /// A link comes although `Disconnect` has called `Connect` off, after both were answered
    /// (5.66, in the virtual machine).
    public var connectsAfterAll = false
    /// `Disconnect` ends the link and does not say so (bluez#947).
    public var disconnectNeverReplies = false
    /// What happens at the end of a link is told in two signals, as after one's own `Disconnect`,
    /// and not in one.
    public var endsInTwoSignals = false
    /// Why a link ends is told just before `Connected` becomes false, by the signal
    /// `Disconnected`: from 5.83 on (its source; seen on 5.87).
    public var tellsReasons = false
    /// What wants keys is refused at once with 0E, and pairing goes on (5.82 and 5.87, sometimes,
    /// in the virtual machine).
    public var refusesWhatPairs = false
    /// A device has this address when it was paired with (bleak#1737).
    public var addressAfterPairing: String?

    // MARK: - Reading, writing, values

    /// How many times a read or a write is refused with `InProgress` (bleak's client tries again).
    public var operationInProgress = 0
    /// What is read is told as a value, too; so does every daemon that was seen (bleak, bluer).
    public var announcesReads = true
    /// The first value of each subscription is lost (bleak#374).
    public var losesFirstValue = false
    /// Each value comes twice (tinygo#260), as it does while two programs have subscribed.
    public var doublesValues = false
    /// Of each two values the second comes first, as over several channels of enhanced ATT
    /// (`[GATT] Channels`, the README of bluer).
    public var swapsValues = false
    /// A device's first value is told before `StartNotify` is answered.
    public var valuesBeforeAnswer = false
    /// The last value of a link is told once more after `Connected` has become false; by switch
    /// only, never seen.
    public var valuesAfterEnd = false
    /// Subscriptions end with the link. Otherwise values come again after the next `Connect`
    /// without anybody asking for them, as they do on 5.66 (bleak, tinygo#260).
    public var forgetsSubscriptions = false
    /// The second `StartNotify` of a characteristic is never answered (bleak#484).
    public var secondStartNotifyHangs = false

    // MARK: - Sizes and sockets

    /// The longest packet of the attribute protocol that a link has.
    public var mtu = 517
    /// There is no property `MTU`, as before 5.62.
    public var hidesMTU = false
    /// There are no properties `NotifyAcquired` and `WriteAcquired`, and no sockets.
    public var hidesSockets = false
    /// Sockets are refused as if the characteristic were not there (bleak#1945).
    public var refusesSockets = false

    // MARK: - Programs that are devices

    /// Who subscribes to a characteristic of a program that is a device, or writes one that can be
    /// written without a response, is answered before the program is, whatever it says then. So
    /// 5.66 does; otherwise this daemon waits for the program, so that tests can.
    public var answersForPrograms = false

    // MARK: - The daemon

    /// The service 180F is kept from programs, which have `Battery1` (gattlib#84, #89).
    public var hidesBatteryService = false
    /// Values that properties have instead of their own, of any type, by interface and name:
    /// `org.bluez.Device1.RSSI`. They count for objects that are exported from now on, and for
    /// what is told of any; by switch only, never seen.
    public var falseValues: [String: DBusValue] = [:]

    /// A daemon that does nothing badly.
    public init() {}
}

/// How long the daemon takes for what it does.
public struct FakeTiming: Hashable, Sendable {
    /// From the beginning of a search to the first that is found.
    public var finding: Duration
    /// How long a device is heard equally strong; then it is weaker, or as before, so that the
    /// daemon tells of it again. Nothing means for ever, as with the emulator of BlueZ, where
    /// programs that listen too late hear nothing more (bleak missed 8 of 12 so).
    public var fading: Duration?
    /// From `Connect` to the link.
    public var connecting: Duration
    /// From the link to the word of it, where the adapter is the device: until then the central's
    /// object says that it is not connected.
    public var meeting: Duration
    /// From the link to its services.
    public var resolving: Duration
    /// From `Disconnect` to the end of the link; values still come meanwhile.
    public var disconnecting: Duration
    /// After how long `Connect` gives up a device that is not there.
    public var unreachable: Duration
    /// After how long a device is forgotten that nobody connected to, and that is not seen.
    public var forgetting: Duration
    /// After how long without an answer of the device the link is ended: not before this, and
    /// not after twice as long.
    public var answering: Duration

    /// Everything as fast as it goes, except that what is absent is waited for, and that how
    /// strong a device is heard changes once a second.
    public init(
        finding: Duration = .zero, fading: Duration? = .seconds(1), connecting: Duration = .zero,
        meeting: Duration = .zero, resolving: Duration = .zero, disconnecting: Duration = .zero,
        unreachable: Duration = .seconds(2),
        forgetting: Duration = .seconds(30), answering: Duration = .seconds(30)
    ) {
        self.finding = finding
        self.fading = fading
        self.connecting = connecting
        self.meeting = meeting
        self.resolving = resolving
        self.disconnecting = disconnecting
        self.unreachable = unreachable
        self.forgetting = forgetting
        self.answering = answering
    }

    /// As 5.66 was seen: `Disconnect` takes more than two seconds, `Connect` to an absent device
    /// forty, and a central is told of after 76 to 267 milliseconds.
    /// How long a device is remembered is as the daemon's source has it; that a radio hears it
    /// sometimes stronger and sometimes weaker, a choice.
    public static let realistic = FakeTiming(
        finding: .milliseconds(26), fading: .seconds(1), connecting: .milliseconds(36),
        meeting: .milliseconds(150), resolving: .milliseconds(155),
        disconnecting: .milliseconds(2600), unreachable: .milliseconds(40_460))
}
#endif
