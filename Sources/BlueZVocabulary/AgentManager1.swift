#if os(Linux)
package import HaloDBus

/// `org.bluez.AgentManager1`. Where programs register who answers when a device pairs.
package enum AgentManager1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.AgentManager1"

    /// Has an agent asked.
    package static let registerAgent = "RegisterAgent"
    /// Ends that.
    package static let unregisterAgent = "UnregisterAgent"
    /// Has it asked for others, too.
    package static let requestDefaultAgent = "RequestDefaultAgent"

    /// What the daemon says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(registerAgent, [.init("agent", .objectPath), .init("capability", .string)]),
            .init(unregisterAgent, [.init("agent", .objectPath)]),
            .init(requestDefaultAgent, [.init("agent", .objectPath)]),
        ])
}
#endif
