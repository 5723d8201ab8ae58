import CoreBluetooth
import Foundation

/// The values of a descriptor, with their rules.
struct Conditions: @unchecked Sendable {
    var supportedOptions: ASAccessory.SupportOptions = []
    var company = ASBluetoothCompanyIdentifier(0)
    var manufacturerBlob: Data?
    var manufacturerMask: Data?
    var nameSubstring: String?
    var nameOptions: NSString.CompareOptions = []
    var range = ASDiscoveryDescriptor.Range.default
    var serviceBlob: Data?
    var serviceMask: Data?
    var service: CBUUID?
    var ssid: String?
    var ssidPrefix: String?
    var wifiAwareServiceName: String?
    var wifiAwareServiceRole = ASDiscoveryDescriptor.WiFiAwareServiceRole.subscriber
    var wifiAwareModel: ASPropertyCompareString?
    var wifiAwareVendor: ASPropertyCompareString?

    /// The least RSSI in dBm of an accessory in immediate range; the system's limit is not known.
    static let leastImmediateRSSI = -50

    /// `true` if there is a condition on Bluetooth.
    var usesBluetooth: Bool {
        service != nil || hasCompany || nameSubstring != nil || manufacturerBlob != nil
            || manufacturerMask != nil || serviceBlob != nil || serviceMask != nil
    }

    /// `true` if there is a condition on Wi-Fi.
    var usesWiFi: Bool { ssid != nil || ssidPrefix != nil || wifiAwareServiceName != nil }

    /// The number 0 stands for no condition: a descriptor begins with it.
    private var hasCompany: Bool { company.rawValue != 0 }

    /// `true` if the values follow the rules of the documentation: a company or a service for
    /// Bluetooth, and pairs of data and mask of the same length.
    var isValid: Bool {
        guard usesBluetooth else { return usesWiFi }
        guard hasCompany || service != nil else { return false }
        return isPair(manufacturerBlob, manufacturerMask, hasCompany)
            && isPair(serviceBlob, serviceMask, service != nil)
    }

    private func isPair(_ blob: Data?, _ mask: Data?, _ hasOwner: Bool) -> Bool {
        guard blob != nil || mask != nil else { return true }
        return hasOwner && blob?.count == mask?.count
    }

    /// The conditions whose values Info.plist must list, and does not.
    func missing(in plist: InfoPlist) -> [String] {
        var missing: [String] = []
        if usesBluetooth, !plist.supports("Bluetooth") {
            missing.append("\(InfoPlist.Key.kitSupports): Bluetooth")
        }
        if usesWiFi, !plist.supports("WiFi") {
            missing.append("\(InfoPlist.Key.kitSupports): WiFi")
        }
        if let service, !plist.lists(service) {
            missing.append("\(InfoPlist.Key.services): \(service.uuidString)")
        }
        if let nameSubstring, !plist.lists(name: nameSubstring) {
            missing.append("\(InfoPlist.Key.names): \(nameSubstring)")
        }
        if hasCompany, !plist.lists(company) {
            let number = String(company.rawValue, radix: 16, uppercase: true)
            missing.append("\(InfoPlist.Key.companies): \(number)")
        }
        return missing
    }

    /// Returns `true` if an accessory fulfils every condition.
    func match(_ sighting: Sighting) -> Bool {
        guard usesBluetooth else { return false }
        if hasCompany {
            guard let data = sighting.manufacturerData[company.rawValue],
                Self.match(data, manufacturerBlob, manufacturerMask)
            else { return false }
        }
        if let service {
            let data = sighting.serviceData[service]
            guard data != nil || sighting.services.contains(service),
                Self.match(data ?? Data(), serviceBlob, serviceMask)
            else { return false }
        }
        if let nameSubstring {
            let found = sighting.name?.range(of: nameSubstring, options: nameOptions)
            guard found != nil else { return false }
        }
        if range == .immediate, let rssi = sighting.rssi {
            return rssi >= Self.leastImmediateRSSI
        }
        return true
    }

    /// Compares the bits of the mask. A bit of the blob outside of the mask never matches.
    private static func match(_ data: Data, _ blob: Data?, _ mask: Data?) -> Bool {
        guard let blob, let mask else { return true }
        guard data.count >= blob.count else { return false }
        return zip(zip(data, mask), blob).allSatisfy { $0.0 & $0.1 == $1 }
    }
}

/// A device that the picker has found, with what its advertisements have told so far.
struct Sighting: @unchecked Sendable {
    let identifier: UUID
    /// The identity for the radio.
    var identity = ""
    var name: String?
    var services: [CBUUID] = []
    /// The bytes after the company's number, by company.
    var manufacturerData: [UInt16: Data] = [:]
    var serviceData: [CBUUID: Data] = [:]
    var rssi: Int?

    /// Adds a later advertisement: what it does not contain stays.
    mutating func merge(_ later: Sighting) {
        name = later.name ?? name
        services += later.services.filter { !services.contains($0) }
        manufacturerData.merge(later.manufacturerData) { $1 }
        serviceData.merge(later.serviceData) { $1 }
        rssi = later.rssi ?? rssi
    }

    /// The advertisement as a central manager reports it.
    var advertisement: [AnyHashable: Any] {
        var values: [AnyHashable: Any] = [:]
        if let name { values[CBAdvertisementDataLocalNameKey] = name }
        if !services.isEmpty { values[CBAdvertisementDataServiceUUIDsKey] = services }
        if !serviceData.isEmpty { values[CBAdvertisementDataServiceDataKey] = serviceData }
        if let (company, bytes) = manufacturerData.min(by: { $0.key < $1.key }) {
            let number = [UInt8(truncatingIfNeeded: company), UInt8(company >> 8)]
            values[CBAdvertisementDataManufacturerDataKey] = Data(number) + bytes
        }
        return values
    }
}
