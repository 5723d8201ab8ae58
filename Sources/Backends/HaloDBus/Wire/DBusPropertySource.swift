#if os(Linux)
/// The property of a repeated signal: one instance for each stored header.
package final class DBusPropertySource: Sendable {
    package let path: DBusObjectPath
    package let sender: String?
    package let interface: String
    package let name: String

    package init(
        _ path: DBusObjectPath, _ interface: String, _ name: String, sender: String? = nil
    ) {
        self.path = path
        self.interface = interface
        self.name = name
        self.sender = sender
    }

    /// Creates the property of a template; `nil` if its header is not of `PropertiesChanged`.
    convenience init?(_ header: DBusHeader, _ template: DBusPropertyTemplate) {
        guard
            case .signal(let path, DBusProperties.interfaceName, DBusProperties.propertiesChanged) =
                header.kind, header.descriptorCount == 0,
            let interface = template.interface.string, let name = template.name.string
        else { return nil }
        self.init(path, interface, name, sender: header.sender)
    }
}
#endif
