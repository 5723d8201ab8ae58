import BlueZVocabulary
import HaloDBus
import TestSupport
import Testing

/// The vocabulary, and the introspection of the real daemon in `Tests/Tools/EndToEnd`.
@Suite("The daemon's words", .takesTurns)
struct VocabularyTests {
    static let interfaces = [
        Adapter1.interface, AgentManager1.interface, Battery1.interface, Device1.interface,
        GattCharacteristic1.interface, GattDescriptor1.interface, GattManager1.interface,
        GattService1.interface, LEAdvertisingManager1.interface,
    ]

    /// Interfaces without a relation to small devices.
    static let others = [
        "org.bluez.HealthManager1", "org.bluez.Media1", "org.bluez.ProfileManager1",
    ]

    @Test("each interface has the methods and properties that the daemon says it has")
    func sameAsTheDaemons() throws {
        var recorded = try RecordedSurface.read()
        for interface in Self.interfaces {
            let lines = recorded.removeValue(forKey: interface.name)
            #expect(lines == Self.lines(of: interface).sorted(), "\(interface.name)")
        }
        #expect(recorded.keys.sorted() == Self.others)
    }

    /// An interface's members in the notation of the machine in `Tests/Tools/EndToEnd`.
    static func lines(of interface: DBusInterface) -> [String] {
        interface.methods.map { method in
            let outputs = method.outputs.isEmpty ? "" : " -> \(text(method.outputs))"
            return "method \(method.name)(\(text(method.inputs)))\(outputs)"
        } + interface.properties.map { "property \($0.name) \($0.type) \($0.access.rawValue)" }
            + interface.signals.map { "signal \($0.name)() -> \(text($0.inputs))" }
    }

    private static func text(_ arguments: [DBusInterface.Argument]) -> String {
        arguments.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    }
}
