#if os(Linux)
package import HaloDBus

/// `org.bluez.AgentManager1`: registers agents.
package enum AgentManager1 {
    package static let interfaceName = "org.bluez.AgentManager1"

    package static let registerAgent = "RegisterAgent"
    package static let unregisterAgent = "UnregisterAgent"
    /// Makes the agent the default one, which is also called for other programs.
    package static let requestDefaultAgent = "RequestDefaultAgent"

    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(registerAgent, [.init("agent", .objectPath), .init("capability", .string)]),
            .init(unregisterAgent, [.init("agent", .objectPath)]),
            .init(requestDefaultAgent, [.init("agent", .objectPath)]),
        ])
}
#endif
