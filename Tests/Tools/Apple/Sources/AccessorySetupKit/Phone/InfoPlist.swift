public import CoreBluetooth
import Foundation

/// The entries of an app's Info.plist that concern accessories.
///
/// The entries that an app must have are documented below
/// <https://developer.apple.com/documentation/accessorysetupkit/>, on the page
/// `discovering-and-configuring-accessories`.
public struct InfoPlist: Hashable, Sendable {
    /// The names of the entries.
    public enum Key {
        /// The technologies, `Bluetooth` and `WiFi`.
        public static let kitSupports = "NSAccessorySetupKitSupports"
        /// The same, under a name that Apple documents too, without a discussion.
        public static let supports = "NSAccessorySetupSupports"
        /// The services of descriptors.
        public static let services = "NSAccessorySetupBluetoothServices"
        /// The parts of names of descriptors.
        public static let names = "NSAccessorySetupBluetoothNames"
        /// The companies of descriptors, in hexadecimal digits.
        public static let companies = "NSAccessorySetupBluetoothCompanyIdentifiers"
    }

    /// The entries: lists of texts by name.
    public var entries: [String: [String]]

    /// Creates a list of entries; without any, the app does not use accessories.
    public init(_ entries: [String: [String]] = [:]) { self.entries = entries }

    /// Reads the entries that are lists of texts from the text of a property list.
    public init(xml: String) throws {
        let list = try PropertyListSerialization.propertyList(from: Data(xml.utf8), format: nil)
        let values = list as? [String: Any] ?? [:]
        entries = values.compactMapValues { $0 as? [String] }
    }

    /// Creates the entries that some services and parts of names need.
    public static func bluetooth(services: [CBUUID] = [], names: [String] = []) -> InfoPlist {
        InfoPlist([
            Key.kitSupports: ["Bluetooth"], Key.supports: ["Bluetooth"],
            Key.services: services.map(\.uuidString), Key.names: names,
        ])
    }

    private func list(_ key: String) -> [String] { entries[key] ?? [] }

    /// `true` if the app declares a technology under either name.
    func supports(_ technology: String) -> Bool {
        list(Key.kitSupports).contains(technology) || list(Key.supports).contains(technology)
    }

    /// `true` if the app declares that it uses accessories.
    var usesAccessories: Bool { supports("Bluetooth") || supports("WiFi") }

    /// `true` if a service is listed, in upper case.
    func lists(_ service: CBUUID) -> Bool {
        let forms = [service.uuidString, CBUUID.longForm(service)]
        return list(Key.services).contains(where: forms.contains)
    }

    /// `true` if a part of a name is listed.
    func lists(name: String) -> Bool { list(Key.names).contains(name) }

    /// `true` if a company is listed, in hexadecimal digits.
    func lists(_ company: ASBluetoothCompanyIdentifier) -> Bool {
        list(Key.companies).contains { text in
            let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
            return UInt16(digits, radix: 16) == company.rawValue
        }
    }
}

extension CBUUID {
    /// The text of 36 characters.
    static func longForm(_ uuid: CBUUID) -> String {
        let short = uuid.uuidString
        guard short.count < 36 else { return short }
        let padded = String(repeating: "0", count: max(0, 8 - short.count)) + short
        return padded + "-0000-1000-8000-00805F9B34FB"
    }
}
