/// A way in which systems or devices were seen to behave apart from the documentation, and that a
/// test switches on. Each has the address of a report.
public enum Trap: Hashable, Sendable {
    // Connecting.

    /// Every attempt ends in `didFailToConnect` with `CBError` 0.
    /// https://developer.apple.com/forums/thread/105652
    case connectFails
    /// Every attempt ends in `didDisconnectPeripheral` with `CBError` 6, without `didConnect`.
    /// https://github.com/dotintent/react-native-ble-plx/issues/332
    case connectFailsAsDisconnect
    /// Every link ends with `CBError` 7 right after `didConnect`.
    /// https://developer.apple.com/forums/thread/775811
    case connectThenDrops
    /// A cancelled pending attempt is answered by `didFailToConnect`.
    /// https://github.com/rhummelmose/BluetoothKit/issues/26
    case cancelAnswersAsFailure
    /// A cancelled pending attempt is not answered. No report: the documentation promises the call
    /// for peripherals that were connected.
    case cancelIsNotAnswered
    /// The `didDisconnectPeripheral` of a cancelled link comes after the `didConnect` of the next
    /// one. https://github.com/boardsesh/boardsesh/issues/4139
    case lateDisconnect
    /// Each `didConnect` comes twice. https://github.com/mhamilt/maxmsp-ble/issues/26
    case duplicateConnect
    /// At most so many links; a further attempt fails with `CBError` 11.
    /// https://github.com/manolofdez/AsyncBluetooth/issues/7
    case connectionLimit(Int)
    /// The device has deleted the bond: an error in one of the forms that were seen.
    /// https://github.com/meshtastic/Meshtastic-Apple/issues/2400
    case bondLost(BondLoss)

    /// A link that the device or the radio ends is reported without an error.
    /// https://github.com/dotintent/react-native-ble-plx/issues/566
    case disconnectsWithoutError
    /// Every link that the device or the radio ends is reported with `CBError` 0.
    /// https://github.com/lionheart/openradar-mirror/issues/16466
    case disconnectsWithUnknownError

    // Discovery.

    /// The services of the first link are reported for ever, also after a change.
    /// https://github.com/nordicsemi/IOS-DFU-Library/issues/51
    case staleServices
    /// `didDiscoverServices` never comes.
    /// https://github.com/dotintent/react-native-ble-plx/issues/566
    case discoveryNeverAnswers
    /// Each answer to a discovery comes twice.
    /// https://github.com/chipweinberger/flutter_blue_plus/issues/1296
    case discoveryAnswersTwice
    /// The first discovery of services finds none, without an error.
    /// https://github.com/nordicsemi/IOS-BLE-Library/issues/68
    case firstDiscoveryIsEmpty
    /// The last service becomes invalid once, right after the services were discovered. No report:
    /// the documentation allows it at any time.
    case servicesChangeWhileDiscovered
    /// Services that are no longer valid have no characteristics any more. No report: the
    /// documentation says only that they cannot be used.
    case emptiesInvalidServices

    // Values.

    /// The first values come before the subscription is confirmed.
    /// https://github.com/hbldh/bleak/issues/156
    case valuesBeforeAcknowledgement
    /// Writes without response are answered too, with code 114 of the attribute protocol.
    /// https://github.com/lionheart/openradar-mirror/issues/15876
    case answersWritesWithoutResponse
    /// `canSendWriteWithoutResponse` is `false` until something was written.
    /// https://github.com/dotintent/react-native-ble-plx/issues/366
    case readyFirstFalse
    /// `canSendWriteWithoutResponse` stays `false` after the first write; writing works.
    /// https://github.com/JuulLabs/kable/issues/1185
    case readyStuckFalse
    /// `canSendWriteWithoutResponse` becomes `true` without a call of the delegate.
    /// https://github.com/boardsesh/boardsesh/issues/3365
    case readyWithoutCallback
    /// The delegate is called while `canSendWriteWithoutResponse` is read as `false`, and not
    /// again. https://github.com/Polidea/RxBluetoothKit/issues/282
    case readyBeforeFalseReturns
    /// The maximum write length without response is 20 until services were discovered.
    /// https://github.com/pauldemarco/flutter_blue/issues/369
    case lateMTU
    /// The maximum write length without response stays 20.
    /// https://github.com/Reedyuk/blue-falcon/issues/267
    case smallMTU

    /// The maximum write length without response is 20 until something was written. No report: the
    /// documentation does not say when it grows.
    case lengthGrowsWithWriting

    // Scanning and identity.

    /// `retrievePeripherals` returns only devices of which the app has an object. No report: the
    /// documentation does not say which devices are known.
    case forgetsDevices
    /// The name comes in a second report, as from a scan response.
    /// https://github.com/don/cordova-plugin-ble-central/issues/203
    case splitAdvertisement
    /// The name is missing unless duplicates or services are asked for.
    /// https://github.com/don/cordova-plugin-ble-central/issues/961
    case missingName
    /// `name` stays the first one that the phone knew.
    /// https://github.com/nordicsemi/IOS-CoreBluetooth-Mock/issues/80
    case staleName
    /// The signal strength is 127: not known.
    /// https://github.com/torlando-tech/Columba-iOS/issues/80
    case unknownRSSI
    /// `didReadRSSI` never comes.
    /// https://github.com/randdusing/cordova-plugin-bluetoothle/issues/149
    case rssiNeverComes
    /// Identifiers change whenever Bluetooth is switched on.
    /// https://developer.apple.com/forums/thread/851067
    case rotatesIdentifiers

    // Hosting.

    /// The hosted services survive switching Bluetooth off, and advertising continues afterwards.
    /// https://github.com/mcginty/blew/pull/47
    case servicesSurvivePowerOff
    /// The delegate is told of room before `updateValue` returns `false`, and not again.
    /// https://github.com/yanshouwang/bluetooth_low_energy/issues/133
    case readyToUpdateBeforeFalse

    // A system that has lost its order.

    /// Each call of a delegate of a peripheral, and each end of a link or an attempt, comes twice.
    /// https://github.com/chipweinberger/flutter_blue_plus/issues/1296
    case callsBackTwice
    /// Before each call of a delegate of a peripheral, and before each beginning and end of a link,
    /// the same call comes for a peripheral that the app does not know. No report: the protocol
    /// allows it.
    case callsBackForStranger
    /// After switching off, links are reported as ended. No report: the documentation leaves it
    /// open.
    case disconnectsAfterPowerOff
    /// The first state that a manager reports is `poweredOff`, a moment before the true one.
    /// https://github.com/dronetag/flutter-opendroneid/issues/47
    case poweredOffFirst
    /// The program has no usage description for Bluetooth: creating a manager is fatal.
    /// https://github.com/LoopKit/CGMBLEKit/issues/132
    case missingUsageDescription
}

/// The error and the callback by which a lost bond shows.
public struct BondLoss: Hashable, Sendable {
    /// The domain and the code that were seen.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// `CBError.peerRemovedPairingInformation`.
        case peerRemovedPairing
        /// 14 in the domain of the attribute protocol, with the words of the former.
        case attribute14
        /// `CBError.encryptionTimedOut`.
        case encryptionTimedOut
        /// `CBATTError.insufficientAuthentication`.
        case insufficientAuthentication
        /// `CBATTError.insufficientEncryption`.
        case insufficientEncryption
    }

    /// The callback that brings the error.
    public enum Callback: Hashable, Sendable, CaseIterable {
        /// `didFailToConnect`.
        case failedConnect
        /// `didDisconnectPeripheral`, after `didConnect`.
        case disconnect
        /// The answers to reads, writes and subscriptions.
        case operation
    }

    /// The domain and the code.
    public let code: Code
    /// The callback.
    public let callback: Callback

    /// Creates a form of the error.
    public init(_ code: Code, in callback: Callback) {
        self.code = code
        self.callback = callback
    }

    /// The error.
    var error: any Error {
        switch code {
        case .peerRemovedPairing: CBError(.peerRemovedPairingInformation)
        case .attribute14:
            CBATTError(
                .unlikelyError,
                userInfo: [
                    "NSLocalizedDescription": CBError(.peerRemovedPairingInformation).text
                ])
        case .encryptionTimedOut: CBError(.encryptionTimedOut)
        case .insufficientAuthentication: CBATTError(.insufficientAuthentication)
        case .insufficientEncryption: CBATTError(.insufficientEncryption)
        }
    }
}

extension Set<Trap> {
    /// The form of a lost bond in a callback.
    func bondLoss(in callback: BondLoss.Callback) -> BondLoss? {
        for case .bondLost(let loss) in self where loss.callback == callback { return loss }
        return nil
    }

    /// The maximum number of links.
    var connectionLimit: Int? {
        for case .connectionLimit(let limit) in self { return limit }
        return nil
    }
}
