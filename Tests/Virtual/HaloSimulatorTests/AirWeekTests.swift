import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A ring, and an app that sends requests every ten minutes, in a week with all faults.
@Suite(.passesTime) struct AirWeekTests {
    /// An app that reconnects whenever the link ends, and counts its events.
    private struct App {
        let air: Air
        let device: DeviceNumber
        var link: AirLinkNumber?
        var isConnecting = false
        var attributes: [BluetoothUUID: AttributeID] = [:]
        var open: Set<UInt64> = []
        var tag: UInt64 = 1_000
        var links = 0
        var answers = 0
        var refusals = 0
        var digest: UInt64 = 0
        var mistakes: [String] = []

        mutating func makeTag() -> UInt64 {
            tag += 1
            open.insert(tag)
            return tag
        }

        mutating func ask() {
            guard let link else {
                guard !isConnecting else { return }
                isConnecting = true
                return air.connect(central: CentralNumber(0), to: device, tag: makeTag())
            }
            guard let write = attributes[RingServices.uartWrite] else { return }
            let day = HeartRateLog.Request(day: air.wallClock().local.date)
            for frame in [Battery.Request().frame, day.frame] {
                air.write(
                    Array(frame.bytes), to: write, .withResponse, on: link, tag: makeTag())
            }
        }

        mutating func receive(_ output: AirOutput) {
            for byte in "\(air.now) \(output)".utf8 {
                digest = (digest ^ UInt64(byte)) &* 0x1_0000_0001_B3
            }
            if let tag = output.tag, tag > 1_000, open.remove(tag) == nil {
                mistakes.append("ended twice: \(output)")
            }
            switch output {
            case .connected(let number, _):
                if link != nil { mistakes.append("two links") }
                link = number
                links += 1
                isConnecting = false
                air.discover(number, tag: makeTag())
            case .services(let services, _):
                guard let link else { return mistakes.append("services without a link") }
                for characteristic in services.flatMap(\.characteristics) {
                    attributes[characteristic.uuid] = characteristic.id
                }
                for uuid in [RingServices.uartNotify, RingServices.bigDataNotify] {
                    guard let id = attributes[uuid] else { continue }
                    air.setNotify(true, for: id, on: link, tag: makeTag())
                }
            case .failed(let error, _):
                if error.operation == .connect { isConnecting = false }
                if error.kind == .refused { refusals += 1 }
            case .event(let number, let event):
                if number != link { mistakes.append("an event of another link: \(event)") }
                if case .disconnected = event { link = nil }
                if case .value = event { answers += 1 }
            case .done, .value, .rssi, .heard, .timer: break
            }
        }
    }

    private static func week(_ plan: FaultPlan) -> App {
        let air = Air(seed: 8, startingAt: AirBench.start, faults: plan)
        let ring = VirtualRing(.r10, wearer: Wearer(restingHeartRate: 58), days: 2)
        var app = App(air: air, device: air.add(ring))
        for round in 1...(7 * 24 * 6) {
            app.ask()
            let end = Moment.origin + .seconds(600 * round)
            while let next = air.nextEventTime, next <= end {
                air.runNextEvent()
                while let output = air.nextOutput() { app.receive(output) }
            }
            air.advance(to: end)
            while let output = air.nextOutput() { app.receive(output) }
        }
        return app
    }

    @Test func withEveryFaultOnNothingIsLostTwiceOrEndsTwice() {
        let plan = FaultPlan(seed: 8, rates: .all(perMille: 5))
        let app = Self.week(plan)
        #expect(app.mistakes == [])
        #expect(app.open.count <= 8, "operations that have not ended: \(app.open)")
        #expect(app.links > 20)
        #expect(app.answers > 5_000)
        #expect(app.refusals > 0)
        let log = app.air.faultLog
        #expect(log.records.count > 200)
        #expect(app.air.losses.packets == 0)
        #expect(Self.week(plan).digest == app.digest)
        #expect(Self.week(FaultPlan(replaying: log)).digest == app.digest)
    }
}
