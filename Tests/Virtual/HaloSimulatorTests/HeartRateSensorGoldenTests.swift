import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The notifications of virtual straps, compared with a recording.
@Suite(.passesTime) struct HeartRateSensorGoldenTests {
    private static func options(_ choice: inout FuzzBytes) -> VirtualHeartRateSensorOptions {
        var options = VirtualHeartRateSensorOptions()
        options.width = [nil, .oneByte, .twoBytes][Int(choice.byte() % 3)]
        options.reportsContact = choice.flag()
        options.countsEnergy = choice.flag()
        options.measurementsPerEnergy = Int(choice.byte() % 4)
        options.sendsIntervals = choice.byte() > 40
        options.reportsZeroWithoutContact = choice.flag()
        options.hasBattery = choice.byte() > 60
        options.batteryLife = .seconds(Int(choice.byte()) * 20)
        options.interval = .milliseconds(Int(choice.byte()) * 13)
        return options
    }

    private static func strap(_ choice: inout FuzzBytes) -> VirtualHeartRateSensor {
        let options = options(&choice)
        let place: BodySensorLocation.Location? = choice.flag() ? .wrist : nil
        switch choice.byte() % 3 {
        case 0:
            return VirtualHeartRateSensor(
                location: place, wearer: Wearer(seed: UInt64(choice.byte())), options: options)
        case 1:
            return VirtualHeartRateSensor(
                location: place, beatsPerMinute: choice.integer(UInt16.self) % 320,
                seed: UInt64(choice.byte()), options: options)
        default:
            let script = choice.bytes(5).compactMap {
                try? HeartRateMeasurement(
                    beatsPerMinute: UInt16($0), energyKilojoules: 900,
                    rrIntervals: [UInt16](repeating: 800, count: Int($0) / 4))
            }
            return VirtualHeartRateSensor(
                location: place, playing: script, repeats: choice.flag(), options: options)
        }
    }

    /// A strap with random events.
    private static func drill(seed: UInt64) throws -> [String] {
        var choice = FuzzBytes(seed: seed, count: 400)
        var probe = StrapProbe(strap(&choice))
        var lines = ["\(probe.advertisement.map { "\($0)" } ?? "-")", "\(probe.device.services)"]
        probe.handle(.connected)
        try probe.subscribe(CharacteristicCatalog.heartRateMeasurement)
        let ids = probe.device.services.flatMap(\.characteristics).flatMap {
            [$0.id] + $0.descriptors.map(\.id)
        }
        while choice.remaining > 4 {
            let number = Int(choice.byte())
            let entries = [
                CharacteristicCatalog.heartRateMeasurement, CharacteristicCatalog.batteryLevel,
            ]
            switch choice.byte() % 14 {
            case 0: probe.modify { $0.takeOff() }
            case 1: probe.modify { $0.putOn() }
            case 2: probe.modify { $0.setBattery(percent: number) }
            case 3: probe.modify { $0.setEnergy(kilojoules: UInt16(number) * 257) }
            case 4: probe.modify { $0.beat(atBeatsPerMinute: UInt16(number), seed: 3) }
            case 5: probe.modify { $0.send([UInt8](repeating: 1, count: number % 30)) }
            case 6: probe.handle(number < 60 ? .disconnected : .connected)
            case 7: probe.handle(.maximumLength(20 + number))
            case 8:
                let entry = entries[number % 2]
                guard probe.characteristic(entry) != nil else { continue }
                try probe.subscribe(entry, isOn: number % 5 > 0)
            case 9:
                for id in ids + [AttributeID(999)] {
                    probe.handle(.read(id, offset: number % 4, token: ResponseToken(7)))
                    lines.append(
                        "\(id) \(probe.answer(to: ResponseToken(7)).map { "\($0)" } ?? "-")")
                }
            case 10:
                let value = number % 3 == 0 ? [1] : [UInt8](repeating: 2, count: number % 3)
                let token = number % 2 == 0 ? ResponseToken(8) : nil
                probe.handle(.write(ids[number % ids.count], value, token: token))
                lines.append("\(probe.answer(to: ResponseToken(8)).map { "\($0)" } ?? "-")")
            default: probe.advance(by: .milliseconds(number * 70))
            }
            let device = probe.device
            lines.append(
                "\(probe.now) worn \(device.isWorn), \(device.batteryPercent) %, "
                    + "\(device.energyKilojoules) kJ, last \(device.lastBeatsPerMinute ?? 0), "
                    + "measuring \(device.isMeasuring), wakes \(probe.wake.map { "\($0)" } ?? "-")")
        }
        return lines
            + probe.sent.map {
                "\($0.moment) \($0.uuid.map { "\($0)" } ?? "-") \(HexText.bytes($0.bytes))"
            }
    }

    @Test func anythingIsAsRecorded() throws {
        var table = GoldenTable("StrapDrills")
        for seed in 1...80 as ClosedRange<UInt64> {
            try table.add("seed \(seed)", Self.drill(seed: seed))
        }
        try GoldenText("Golden/Simulations/StrapDrills.txt").expect(table.lines)
    }

    /// A person's heart over a day: every sixtieth measurement.
    @Test func aWornStrapIsAsRecorded() throws {
        var options = VirtualHeartRateSensorOptions()
        options.interval = .seconds(60)
        var probe = try StrapProbe.measuring(
            VirtualHeartRateSensor(wearer: Wearer(seed: 5), options: options))
        probe.advance(by: .seconds(86_400))
        let lines = probe.sent.enumerated().filter { $0.offset % 60 == 30 }.map {
            "\($0.element.moment) \(HexText.bytes($0.element.bytes, separator: " "))"
        }
        try GoldenText("Golden/Simulations/WornStrap.txt").expect(lines)
    }
}
