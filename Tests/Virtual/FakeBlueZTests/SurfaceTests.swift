import BlueZVocabulary
import FakeBlueZ
import Foundation
import HaloDBus
import HaloTransport
import TestSupport
import Testing

/// The methods and properties of objects, compared with the real daemon's introspection.
@Suite("Surface", .takesTurns) struct SurfaceTests {
    /// The properties with a value, by the object's kind.
    private static let adapterProperties = [
        "Address", "AddressType", "Alias", "Class", "Discoverable", "DiscoverableTimeout",
        "Discovering", "Modalias", "Name", "Pairable", "PairableTimeout", "Powered", "Roles",
        "UUIDs",
    ]
    private static let foundProperties = [
        "Adapter", "Address", "AddressType", "Alias", "Blocked", "Bonded", "Connected",
        "LegacyPairing", "ManufacturerData", "Name", "Paired", "RSSI", "ServicesResolved",
        "Trusted", "UUIDs",
    ]

    private func names(_ value: DBusValue?) -> [String] {
        (value?.entries ?? []).compactMap(\.key.string).sorted()
    }

    @Test func objectsCanDoWhatTheyShould() async throws {
        let bench = try await FakeBench.connected()
        let paths = [
            "/org/bluez", FakeBench.adapter, FakeBench.device, FakeBench.device + "/service000c",
            FakeBench.path(.values), FakeBench.path(.values) + "/desc0015",
        ]
        var found: [String: [String]] = [:]
        for path in paths {
            let reply = try await bench.client.call(
                "Introspect", "org.freedesktop.DBus.Introspectable", path
            ).get()
            let description = try #require(try reply.first().string)
            found.merge(Self.read(description)) { $1 }
        }
        let recorded = try RecordedSurface.read()
        for (interface, members) in recorded {
            #expect(found[interface]?.sorted() == members, "\(interface)")
        }
        let ours = found.keys.filter { $0.hasPrefix("org.bluez.") }
        #expect(ours.sorted() == recorded.keys.sorted())
    }

    /// The members of each interface in a description, in the machine's notation.
    private static func read(_ description: String) -> [String: [String]] {
        func attribute(_ name: String, _ line: Substring) -> String {
            let parts = line.split(separator: " \(name)=\"", maxSplits: 1)
            guard let value = parts.dropFirst().first else { return "" }
            return String(value.prefix { $0 != "\"" })
        }
        var interfaces: [String: [String]] = [:]
        var interface = ""
        var method: (name: String, inputs: [String], outputs: [String])?
        func finish() {
            guard let done = method else { return }
            let outputs = done.outputs.joined(separator: ", ")
            interfaces[interface, default: []].append(
                "method \(done.name)(\(done.inputs.joined(separator: ", ")))"
                    + (outputs.isEmpty ? "" : " -> \(outputs)"))
            method = nil
        }
        for line in description.split(separator: "\n") {
            let name = attribute("name", line)
            if line.contains("<interface ") {
                interface = name
                interfaces[interface] = []
            } else if line.contains("<method ") {
                finish()
                method = (name, [], [])
            } else if line.contains("<arg ") {
                let argument = "\(name) \(attribute("type", line))"
                if line.contains("direction=\"in\"") { method?.inputs.append(argument) }
                if line.contains("direction=\"out\"") { method?.outputs.append(argument) }
            } else if line.contains("<property ") {
                finish()
                interfaces[interface, default: []].append(
                    "property \(name) \(attribute("type", line)) \(attribute("access", line))")
            } else if line.contains("</interface>") {
                finish()
            }
        }
        return interfaces
    }

    @Test func propertiesAreThereWhenTheyShould() async throws {
        let bench = try await FakeBench.found()
        let found = try await bench.client.objects()
        #expect(
            names(found[FakeBench.adapter]?["org.bluez.Adapter1"]) == Self.adapterProperties)
        #expect(names(found[FakeBench.device]?["org.bluez.Device1"]) == Self.foundProperties)
        _ = await bench.ask(Adapter1.stopDiscovery)
        _ = await bench.tell(Device1.connect)
        try await bench.client.hears("+\(FakeBench.short) Battery1")
        let connected = try await bench.client.objects()
        #expect(
            names(connected[FakeBench.device]?["org.bluez.Device1"])
                == Self.foundProperties.filter { $0 != "RSSI" })
        let common = ["Flags", "MTU", "Service", "UUID", "Value"]
        let cases: [(TestDevice.Attribute, [String])] = [
            (.plain, []), (.values, ["NotifyAcquired", "Notifying"]), (.confirmed, ["Notifying"]),
            (.commands, ["WriteAcquired"]),
        ]
        for (attribute, more) in cases {
            let object = connected[FakeBench.path(attribute)]
            #expect(
                names(object?["org.bluez.GattCharacteristic1"]) == (common + more).sorted(),
                "\(attribute)")
        }
        let services = connected.values.compactMap {
            $0["org.bluez.GattService1"]?["UUID"]?.string?.prefix(8)
        }
        #expect(services.sorted() == ["00001801", "0000180f", "0000aa00"])
    }

    @Test func theTreeHasTheDaemonsNames() async throws {
        let bench = try await FakeBench.connected()
        let objects = try await bench.client.objects()
        let generic = "\(FakeBench.device)/service0008"
        for path in [
            "/org/bluez", FakeBench.adapter, FakeBench.device, generic, "\(generic)/char0009",
            "\(generic)/char0009/desc000b", FakeBench.path(.battery),
        ] {
            #expect(objects[path] != nil, "\(path)")
        }
        let indication = objects["\(generic)/char0009"]?["org.bluez.GattCharacteristic1"]
        #expect(indication?["UUID"]?.string == "00002a05-0000-1000-8000-00805f9b34fb")
        #expect(indication?["Flags"]?.elements == [.string("indicate")])
        let device = objects[FakeBench.device]?["org.bluez.Device1"]
        #expect(
            device?["UUIDs"]?.elements?.compactMap(\.string).map { $0.prefix(8) }
                == ["00001800", "00001801", "0000180f", "0000aa00"])
        #expect(device?["Name"]?.string == TestDevice.name)
        #expect(device?["AddressType"]?.string == "public")
        #expect(device?["ManufacturerData"]?.entries?.first?.value == .variant(.bytes([1, 2, 3])))
    }
}
