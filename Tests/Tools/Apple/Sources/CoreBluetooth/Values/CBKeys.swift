// The keys of options and dictionaries. An app uses the names; the texts are the stand-in's own,
// except those of the advertisement, which logs show.

/// Shows an alert if Bluetooth is off when the manager is created: a Boolean.
public let CBCentralManagerOptionShowPowerAlertKey = "CBCentralManagerOptionShowPowerAlertKey"
/// The identifier of a manager whose state the system restores: text.
public let CBCentralManagerOptionRestoreIdentifierKey =
    "CBCentralManagerOptionRestoreIdentifierKey"
/// Reports every advertisement of a device: a Boolean.
public let CBCentralManagerScanOptionAllowDuplicatesKey =
    "CBCentralManagerScanOptionAllowDuplicatesKey"
/// Also reports devices that ask for one of these services: an array of UUIDs.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey =
    "CBCentralManagerScanOptionSolicitedServiceUUIDsKey"
/// Tells the user of a connection while the app is suspended: a Boolean.
public let CBConnectPeripheralOptionNotifyOnConnectionKey =
    "CBConnectPeripheralOptionNotifyOnConnectionKey"
/// Tells the user of a disconnection while the app is suspended: a Boolean.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey =
    "CBConnectPeripheralOptionNotifyOnDisconnectionKey"
/// Tells the user of notifications while the app is suspended: a Boolean.
public let CBConnectPeripheralOptionNotifyOnNotificationKey =
    "CBConnectPeripheralOptionNotifyOnNotificationKey"
/// The seconds before the attempt begins: a number.
public let CBConnectPeripheralOptionStartDelayKey = "CBConnectPeripheralOptionStartDelayKey"
/// Connects again by itself after a disconnection: a Boolean.
public let CBConnectPeripheralOptionEnableAutoReconnect =
    "CBConnectPeripheralOptionEnableAutoReconnect"
/// The restored peripherals: an array of `CBPeripheral`.
public let CBCentralManagerRestoredStatePeripheralsKey =
    "CBCentralManagerRestoredStatePeripheralsKey"
/// The services of the restored scan: an array of `CBUUID`.
public let CBCentralManagerRestoredStateScanServicesKey =
    "CBCentralManagerRestoredStateScanServicesKey"
/// The options of the restored scan: a dictionary.
public let CBCentralManagerRestoredStateScanOptionsKey =
    "CBCentralManagerRestoredStateScanOptionsKey"

/// Shows an alert if Bluetooth is off when the manager is created: a Boolean.
public let CBPeripheralManagerOptionShowPowerAlertKey =
    "CBPeripheralManagerOptionShowPowerAlertKey"
/// The identifier of a manager whose state the system restores: text.
public let CBPeripheralManagerOptionRestoreIdentifierKey =
    "CBPeripheralManagerOptionRestoreIdentifierKey"
/// The restored services: an array of `CBMutableService`.
public let CBPeripheralManagerRestoredStateServicesKey =
    "CBPeripheralManagerRestoredStateServicesKey"
/// The restored advertisement: a dictionary.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey =
    "CBPeripheralManagerRestoredStateAdvertisementDataKey"

/// The advertised name: text.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The transmit power in dBm: a number.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// The advertised services: an array of `CBUUID`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// The data of services: a dictionary from `CBUUID` to `Data`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// The manufacturer data with its company identifier: `Data`.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// The services in the overflow area: an array of `CBUUID`.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// `true` if the device accepts connections: a Boolean number.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// The services that the device asks for: an array of `CBUUID`.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"

/// The text of the descriptor for extended properties.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// The text of the descriptor for a user description.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// The text of the descriptor that switches notifications.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// The text of the descriptor that switches broadcasts.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// The text of the descriptor for the presentation format.
public let CBUUIDCharacteristicFormatString = "2904"
/// The text of the descriptor for an aggregate format.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// The text of the descriptor for the valid range.
public let CBUUIDCharacteristicValidRangeString = "2906"
