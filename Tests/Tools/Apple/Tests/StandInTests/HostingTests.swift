import CoreBluetooth
import Foundation
import HaloSimulator
import HaloTransport
import Testing

/// The peripheral role: one phone hosts, another is the central.
@Suite struct HostingTests {
    /// Two phones in one air.
    private struct Pair {
        let air: VirtualBluetooth
        let hostPhone: Phone
        let host: TestHost
        let phone: Phone
        let app: TestApp

        /// The speed leaves a hosting app three seconds for an answer.
        init(traps: Set<Trap> = [], speed: Int = 10) {
            air = VirtualBluetooth(mode: .realTime(speed: speed))
            hostPhone = Phone(air: air, named: "host", traps: traps)
            hostPhone.recordFatalErrors()
            host = TestHost(hostPhone)
            phone = Phone(air: air, named: "central")
            app = TestApp(phone)
        }

        /// Connects, and discovers everything.
        func connect() async throws {
            try await app.wait("state 5")
            app.scan([CBUUID(string: "FFE0")])
            try await app.wait("discover Host")
            app.on {
                $0.manager.stopScan()
                $0.manager.connect($0.only)
            }
            try await app.wait("connect")
            app.on { $0.only.discoverServices(nil) }
            try await app.wait("services FFE0")
            app.on { app in
                for service in app.only.services ?? [] {
                    app.only.discoverCharacteristics(nil, for: service)
                }
            }
            try await app.wait("characteristics FFE0 FFE1,FFE2,FFE3,FFE4,FFE5")
        }

        func wait(_ what: String, _ isMet: () -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(10)
            while !isMet() {
                try #require(ContinuousClock.now < end, "never: \(what)")
                await Task.yield()
            }
        }
    }

    private func connected(_ traps: Set<Trap> = [], speed: Int = 10) async throws -> Pair {
        let pair = Pair(traps: traps, speed: speed)
        try await pair.host.begin()
        try await pair.connect()
        return pair
    }

    @Test func advertisesTwoKeysOnly() async throws {
        let pair = Pair()
        try await pair.host.begin()
        #expect(pair.host.on { $0.manager.isAdvertising })
        try await pair.app.wait("state 5")
        pair.app.scan([CBUUID(string: "FFE0")])
        try await pair.app.wait("discover Host")
        let data = pair.app.on { $0.lastAdvertisement }
        #expect(data[CBAdvertisementDataManufacturerDataKey] == nil)
        pair.host.on { $0.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "New"]) }
        try await pair.host.wait("advertising CB9")
        pair.host.on { $0.manager.stopAdvertising() }
        #expect(!pair.host.on { $0.manager.isAdvertising })
        pair.host.on { $0.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "New"]) }
        try await pair.host.wait("advertising", count: 2)
        pair.app.scan()
        try await pair.app.wait("discover New")
    }

    @Test func longNamesAreCutInTheScanResponse() async throws {
        let pair = Pair()
        try await pair.host.wait("state 5")
        pair.host.on {
            $0.manager.startAdvertising([
                CBAdvertisementDataLocalNameKey: "A rather long name",
                CBAdvertisementDataServiceUUIDsKey: [
                    CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"),
                    CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"),
                ],
            ])
        }
        try await pair.app.wait("state 5")
        pair.app.scan()
        try await pair.app.wait("discover A rather l")
        let data = pair.app.on { $0.lastAdvertisement }
        let services = data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        #expect(services == [CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")])
    }

    @Test func writesWithoutResponseComeInBatches() async throws {
        let pair = try await connected()
        let isMet = pair.host.on { _ in
            pair.app.on { app in
                for index in UInt8(0)..<3 {
                    app.only.writeValue(
                        Data([index]), for: app.characteristic("FFE1"), type: .withoutResponse)
                }
                app.only.writeValue(
                    Data([9]), for: app.characteristic("FFE1"), type: .withResponse)
            }
            return true
        }
        #expect(isMet)
        try await pair.app.wait("written FFE1")
        let text = pair.host.log.all.filter { $0.hasPrefix("write") }.joined(separator: " ")
        #expect(text.replacing("write ", with: "") == "[0] [1] [2] [9]")
    }

    @Test func secondAnswersAreIgnored() async throws {
        let pair = try await connected()
        pair.host.on { $0.responses = 2 }
        pair.app.on { $0.only.readValue(for: $0.characteristic("FFE1")) }
        try await pair.app.wait("value FFE1 [5, 6, 7, 8]")
        try await pair.wait("the log") {
            pair.hostPhone.log.contains { $0.contains("was answered already") }
        }
    }

    @Test func silenceEndsTheLink() async throws {
        let pair = try await connected(speed: 50)
        pair.host.on { $0.responses = 0 }
        pair.app.on {
            $0.only.setNotifyValue(true, for: $0.characteristic("FFE2"))
            $0.only.readValue(for: $0.characteristic("FFE1"))
        }
        try await pair.app.wait("disconnect CB6")
        try await pair.host.wait("unsubscribed FFE2")
    }

    @Test func updatesHaveARoom() async throws {
        let pair = try await connected()
        pair.app.on { $0.only.setNotifyValue(true, for: $0.characteristic("FFE2")) }
        try await pair.host.wait("subscribed FFE2")
        try await pair.wait("MTU") {
            pair.host.on { $0.stream.subscribedCentrals?.first?.maximumUpdateValueLength } == 244
        }
        let sent = pair.host.on { host in
            (UInt8(0)..<20).map { index in
                host.manager.updateValue(
                    Data([index]), for: host.stream, onSubscribedCentrals: nil)
            }
        }
        #expect(sent.prefix(5).allSatisfy { $0 })
        #expect(sent.contains(false))
        try await pair.host.wait("ready")
        try await pair.app.wait("value FFE2 [4]")
        pair.host.on {
            _ = $0.manager.updateValue(
                Data(count: 300), for: $0.stream, onSubscribedCentrals: nil)
        }
        try await pair.app.wait("value FFE2 \([UInt8](repeating: 0, count: 244))")
    }

    @Test func roomIsAnnouncedTooEarly() async throws {
        let pair = try await connected([.readyToUpdateBeforeFalse])
        pair.app.on { $0.only.setNotifyValue(true, for: $0.characteristic("FFE2")) }
        try await pair.host.wait("subscribed FFE2")
        let (last, events) = pair.host.on { host in
            let sent = (0..<6).map { _ in
                host.manager.updateValue(
                    Data([1]), for: host.stream, onSubscribedCentrals: nil)
            }
            return (sent[5], host.log.all)
        }
        #expect(!last)
        #expect(events.last == "ready")
    }

    @Test func exceptionsAndRefusals() async throws {
        let pair = Pair()
        try await pair.host.begin()
        pair.host.on { $0.manager.add($0.service) }
        let wrong = CBMutableService(type: CBUUID(string: "FFE9"), primary: true)
        wrong.characteristics = [
            CBMutableCharacteristic(
                type: CBUUID(string: "FFEA"), properties: [.read, .write], value: Data([1]),
                permissions: .readable)
        ]
        pair.host.on { _ in pair.host.manager.add(wrong) }
        #expect(
            pair.hostPhone.fatalErrors == [
                "Services cannot be added more than once",
                "Characteristics with cached values must be read-only",
            ])
        pair.host.on {
            $0.manager.add(CBMutableService(type: CBUUID(string: "180F"), primary: true))
        }
        try await pair.host.wait("added 180F CB8")
        pair.host.on {
            let long = CBUUID(string: "0000180F-0000-1000-8000-00805F9B34FB")
            $0.manager.add(CBMutableService(type: long, primary: true))
        }
        try await pair.host.wait("added 180F")
    }

    @Test func quittingKeepsTheLink() async throws {
        let pair = try await connected()
        pair.hostPhone.terminateApp()
        try await pair.app.wait("modified FFE0")
        #expect(pair.app.on { $0.only.state } == .connected)
    }

    @Test func removedServicesAreGone() async throws {
        let pair = try await connected()
        pair.host.on { $0.manager.removeAllServices() }
        try await pair.app.wait("modified FFE0")
        pair.host.on { $0.manager.add($0.service) }
        try await pair.host.wait("added FFE0", count: 2)
        pair.host.on { $0.manager.remove($0.service) }
        pair.host.on { $0.manager.add($0.service) }
        try await pair.host.wait("added FFE0", count: 3)
    }

    @Test func switchingOffClearsTheServices() async throws {
        let pair = try await connected()
        pair.hostPhone.powerOff()
        try await pair.app.wait("disconnect CB7")
        pair.hostPhone.powerOn()
        try await pair.host.wait("state 5", count: 2)
        #expect(!pair.host.on { $0.manager.isAdvertising })
        pair.host.on { $0.manager.add($0.service) }
        try await pair.host.wait("added FFE0", count: 2)
        #expect(pair.hostPhone.fatalErrors.isEmpty)
    }

    @Test func servicesMaySurviveSwitchingOff() async throws {
        let pair = try await connected([.servicesSurvivePowerOff])
        pair.hostPhone.powerOff()
        try await pair.app.wait("disconnect CB7")
        pair.hostPhone.powerOn()
        try await pair.host.wait("state 5", count: 2)
        #expect(pair.host.on { $0.manager.isAdvertising })
        pair.app.on { $0.manager.connect($0.only) }
        try await pair.app.wait("connect", count: 2)
        pair.app.on { $0.only.discoverServices(nil) }
        try await pair.app.wait("services FFE0", count: 2)
        pair.host.on { $0.manager.add($0.service) }
        #expect(pair.hostPhone.fatalErrors.count == 1)
    }
}
