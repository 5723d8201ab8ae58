#if os(Linux)
package import HaloDBus

/// The faults of the fake daemon: a switch for each fault that was seen or reported of daemons.
///
/// All switches can be changed at any time. A number is the number of times that the fault is still
/// to happen; a fault of a device affects all clients.
public struct FakeQuirks: Hashable, Sendable {
    // MARK: - Services

    /// The time from `ServicesResolved` to the export of the services (bluez#1489, bleak#1806; seen
    /// with a device that is hosted by the same daemon, with no time in between). The objects are
    /// then removed with the link. `nil` exports the services first.
    public var exportsLate: Duration?
    /// The number of times that a link's services are resolved, withdrawn, removed, exported again,
    /// and resolved (bleak#625, #376).
    public var exportsAgain = 0
    /// The services are never resolved (bleak#1489, btleplug#164).
    public var neverResolves = false
    /// The number of links that end before their services are resolved (bleak#1491, bluez#712).
    public var dropsBeforeResolved = 0
    /// The objects of a device's services stay as they were when it comes back with others
    /// (`[GATT] Cache`, the README of bluer).
    public var keepsStaleServices = false
    /// A device whose link was disconnected before its services were known loses its `UUIDs`, even
    /// the advertised ones (5.66, in the virtual machine).
    public var forgetsUUIDsOfShortLinks = false

    // MARK: - Finding and connecting

    /// The number of times that `Connect` fails with `le-connection-abort-by-local` after a short
    /// connection (bleak#239, #993, bluez#615).
    public var abortsByLocal = 0
    /// The number of times that discovery cannot be started because of another one (bleak#178 to
    /// #1825).
    public var searchInProgress = 0
    /// The daemon crashes during a discovery with a filter of services, as soon as it receives a
    /// device that advertises some (5.87, in the virtual machine). `restart()` brings it back.
    public var diesOfServiceFilters = false
    /// A device without a connection is removed when discovery ends (bleak#971).
    public var forgetsWhenSearchEnds = false
    /// `Connected` stays false without a signal, though `Connect` succeeds; the disconnection is
    /// signalled. 5.66 does so each time with a device that it hosts itself.
    public var concealsConnected = false
    /// `Connect` never completes (tinygo#320).
    public var connectHangs = false
    /// A link is established although `Disconnect` has cancelled `Connect`, after both replies
    /// (5.66, in the virtual machine).
    public var connectsAfterAll = false
    /// `Disconnect` ends the link and never replies (bluez#947).
    public var disconnectNeverReplies = false
    /// The end of a link is signalled in two signals, as after the client's `Disconnect`, and not
    /// in one.
    public var endsInTwoSignals = false
    /// The signal `Disconnected` gives the reason just before `Connected` becomes false: from 5.83
    /// on (its source; seen on 5.87).
    public var tellsReasons = false
    /// An operation that demands encryption is refused at once with 0E, and pairing goes on (5.82
    /// and 5.87, sometimes, in the virtual machine).
    public var refusesWhatPairs = false
    /// The address of a device after pairing (bleak#1737); `nil` keeps the address.
    public var addressAfterPairing: String?

    // MARK: - Reading, writing, values

    /// The number of times that a read or a write is refused with `InProgress` (bleak's client
    /// retries).
    public var operationInProgress = 0
    /// The value of a read is also signalled, as by every daemon that was seen (bleak, bluer).
    public var announcesReads = true
    /// The first value of each subscription is lost (bleak#374).
    public var losesFirstValue = false
    /// Each value is signalled twice (tinygo#260), as while two programs have subscribed.
    public var doublesValues = false
    /// Each pair of values is swapped, as over several channels of enhanced ATT (`[GATT] Channels`,
    /// the README of bluer).
    public var swapsValues = false
    /// A device's first value is signalled before the reply to `StartNotify`.
    public var valuesBeforeAnswer = false
    /// The last value of a link is signalled once more after `Connected` has become false; only
    /// simulated, never seen.
    public var valuesAfterEnd = false
    /// Subscriptions end with the link. Otherwise values are signalled again after the next
    /// `Connect` without a new `StartNotify`, as on 5.66 (bleak, tinygo#260).
    public var forgetsSubscriptions = false
    /// The second `StartNotify` of a characteristic is never answered (bleak#484).
    public var secondStartNotifyHangs = false

    // MARK: - Sizes and sockets

    /// The MTU of a link, in bytes.
    public var mtu = 517
    /// The property `MTU` is missing, as before 5.62.
    public var hidesMTU = false
    /// The properties `NotifyAcquired` and `WriteAcquired` are missing, and there are no sockets.
    public var hidesSockets = false
    /// Sockets are refused as if the characteristic did not exist (bleak#1945).
    public var refusesSockets = false

    // MARK: - Programs that host devices

    /// A central that subscribes to a hosted characteristic, or writes one that can be written
    /// without response, gets its confirmation before the program's reply, and regardless of it.
    /// 5.66 does so; otherwise this daemon waits for the program, so that tests can rely on the
    /// order.
    public var answersForPrograms = false

    // MARK: - The daemon

    /// The service 180F is hidden from programs, which have `Battery1` (gattlib#84, #89).
    public var hidesBatteryService = false
    /// False values of properties, of any type, by interface and name: `org.bluez.Device1.RSSI`.
    /// They apply to objects that are exported from now on, and to all signals; only simulated,
    /// never seen.
    package var falseValues: [String: DBusValue] = [:]

    /// Creates quirks without faults.
    public init() {}
}
#endif
