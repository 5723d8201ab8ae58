import HaloProtocol
import HaloTesting
import HaloTransport

@testable import HaloSimulator

/// The same actions of a central and a gadget in every run, with different faults and placements.
enum AirScript {
    /// Every output, action and trace entry, in order of time.
    static func words(
        faults: FaultPlan = .none, seed: UInt64 = 1, at placement: AirPlacement = AirPlacement()
    ) -> [String] {
        var gadget = AirGadget()
        gadget.value = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let bench = AirBench(gadget, seed: seed, faults: faults, at: placement)
        bench.air.keepTrace(1_000)
        let air = bench.air
        for round in 0..<2 {
            air.startScan(central: CentralNumber(0), tag: bench.makeTag())
            bench.run(.milliseconds(700))
            let link = bench.connectAndSubscribe()
            _ = bench.result { air.discover(link, tag: $0) }
            ask(bench, link)
            speak(bench)
            if round == 0 { changeRhythm(bench, link) }
            _ = bench.result { air.setNotify(false, for: AirGadget.notifying, on: link, tag: $0) }
            bench.notify([[9, 9]])
            bench.run(.seconds(round == 0 ? 2 : 40))
            air.disconnect(link)
            _ = bench.result { air.readRSSI(on: link, tag: $0) }
            bench.run(.seconds(1))
        }
        let told = bench.outputs.map { "\($0.moment) told \($0.output)" }
        let met = bench.gadget.events.map { "\($0.moment) met \($0.event)" }
        return told + met + air.trace.description.split(separator: "\n").map(String.init)
            + air.faultLog.records.map(\.description) + ["\(air.losses)", "\(air.now)"]
    }

    /// Reads, writes and commands, one after the other and many at once.
    private static func ask(_ bench: AirBench, _ link: AirLinkNumber) {
        let air = bench.air
        for id in [AirGadget.readable, AirGadget.descriptor, AirGadget.encrypted, .init(99)] {
            _ = bench.result { air.read(id, on: link, tag: $0) }
        }
        for length in [0, 3, 20, 21, 244, 245, 400, 512, 513] {
            let value = [UInt8](repeating: UInt8(length & 0xFF), count: length)
            for mode in WriteMode.allCases {
                _ = bench.result {
                    air.write(value, to: AirGadget.writable, mode, on: link, tag: $0)
                }
            }
        }
        _ = bench.result {
            air.write([1], to: AirGadget.readable, .withResponse, on: link, tag: $0)
        }
        _ = bench.result {
            air.write([1], to: AirGadget.encrypted, .withResponse, on: link, tag: $0)
        }
        for number in 0..<12 as Range<UInt8> {
            air.write(
                [number], to: AirGadget.writable, .withoutResponse, on: link,
                tag: bench.makeTag())
        }
        for opcode in [Battery.opcode, HeartRateLog.opcode] {
            guard let frame = try? Frame(opcode: opcode) else { continue }
            _ = bench.result {
                air.write(
                    Array(frame.bytes), to: AirGadget.frameWrite, .withResponse, on: link, tag: $0)
            }
        }
        _ = bench.result { air.readRSSI(on: link, tag: $0) }
        bench.run(.seconds(1))
    }

    /// Sends notifications and indications from the gadget.
    private static func speak(_ bench: AirBench) {
        bench.notify((0..<9).map { [$0, 1] })
        bench.run(.milliseconds(900))
        bench.notify([[1], [2], [3]], on: AirGadget.indicating)
        bench.run(.milliseconds(900))
        bench.notify([[5]], on: AirGadget.frameNotify)
        bench.notify([(0..<250).map { UInt8($0) }])
        bench.run(.seconds(1))
    }

    /// Changes the connection parameters, then sends a packet in each direction.
    private static func changeRhythm(_ bench: AirBench, _ link: AirLinkNumber) {
        bench.emit([
            .requestParameters(
                LinkParameters(
                    interval: .milliseconds(120), latency: 3, supervisionTimeout: .seconds(4)))
        ])
        bench.run(.seconds(3))
        for number in 0..<5 as Range<UInt8> {
            _ = bench.result {
                bench.air.write(
                    [number], to: AirGadget.writable, .withResponse, on: link, tag: $0)
            }
            bench.run(.milliseconds(130))
            bench.notify([[number]])
            bench.run(.milliseconds(170))
        }
        bench.air.setAway(true, bench.device)
        bench.run(.seconds(3))
        bench.air.setAway(false, bench.device)
        bench.run(.seconds(2))
        bench.notify([[77]])
        bench.run(.milliseconds(800))
    }
}

extension AirScript {
    /// Random actions of three gadgets and two centrals, from a seed.
    static func drill(seed: UInt64) -> [String] {
        var choice = FuzzBytes(seed: seed, count: 2_000)
        let plan = FaultPlan(seed: seed, rates: .all(perMille: seed % 3 == 0 ? 40 : 0))
        let air = Air(seed: seed, startingAt: AirBench.start, faults: plan)
        air.keepTrace(200)
        _ = air.addCentral()
        for distance in [100, 900, 2_500] {
            var gadget = AirGadget()
            gadget.value = [UInt8](repeating: 7, count: Int(choice.byte()) * 2)
            gadget.answersReads = choice.byte() > 20
            gadget.answersWrites = choice.byte() > 20
            var placement = AirPlacement(distanceCentimetres: distance)
            placement.mtu = [23, 50, 247, 600][Int(choice.byte() % 4)]
            placement.wallDecibels = Int(choice.byte() % 25)
            air.add(gadget, at: placement)
        }
        var lines: [String] = []
        var links: [AirLinkNumber] = []
        var tag: UInt64 = 0
        func collect() {
            while let output = air.nextOutput() {
                lines.append("\(air.now) \(output)")
                if case .connected(let link, _) = output { links.append(link) }
            }
        }
        while choice.remaining > 12 {
            tag += 1
            act(air, &choice, tag, links)
            collect()
            let end = air.now + .milliseconds(Int(choice.byte()) * Int(choice.byte() % 12))
            while let next = air.nextEventTime, next <= end {
                air.runNextEvent()
                collect()
            }
            air.advance(to: end)
        }
        for number in 0..<4 {
            let gadget = air.device(DeviceNumber(number), as: AirGadget.self)
            lines += gadget?.events.map { "\(number) \($0.moment) \($0.event)" } ?? ["gone"]
            lines.append("connected: \(air.isConnected(DeviceNumber(number)))")
        }
        return lines + [air.trace.description] + air.faultLog.records.map(\.description) + [
            "\(air.losses)", "\(air.wallClock())", "\(air.nextEventTime.map { "\($0)" } ?? "-")",
        ]
    }

    private static func act(
        _ air: Air, _ choice: inout FuzzBytes, _ tag: UInt64, _ links: [AirLinkNumber]
    ) {
        let device = DeviceNumber(Int(choice.byte() % 4))
        let central = CentralNumber(Int(choice.byte() % 8 == 0 ? 2 : choice.byte() % 2))
        let link =
            links.suffix(3).randomElement(&choice) ?? AirLinkNumber(device: device, serial: 1)
        let id = AttributeID(UInt32(choice.byte() % 10))
        let old = tag > 3 ? tag - UInt64(choice.byte() % 3) - 1 : 0
        switch choice.byte() % 26 {
        case 0: air.startScan(central: central, reportsDuplicates: choice.flag(), tag: tag)
        case 1: air.stopScan(tag: old)
        case 2...6: air.connect(central: central, to: device, tag: tag)
        case 7: air.cancelConnect(tag: old)
        case 8: air.discover(link, tag: tag)
        case 9, 10: air.read(id, on: link, tag: tag)
        case 11...13:
            let value = choice.bytes(Int(choice.byte() % 40))
            let mode: WriteMode = choice.flag() ? .withResponse : .withoutResponse
            for _ in 0..<Int(choice.byte() % 14) {
                air.write(value, to: id, mode, on: link, tag: tag)
            }
        case 14, 15: air.setNotify(choice.byte() > 50, for: id, on: link, tag: tag)
        case 16: air.readRSSI(on: link, tag: tag)
        case 17: air.disconnect(link)
        case 18: air.place(device, atCentimetres: Int(choice.byte()) * 40)
        case 19: air.setAway(choice.flag(), device)
        case 20:
            let state = AdapterState.allCases[Int(choice.byte()) % AdapterState.allCases.count]
            air.setAdapterState(choice.flag() ? .poweredOn : state, of: central)
        case 21: air.schedule(at: air.now + .milliseconds(Int(choice.byte())), tag: tag)
        case 22:
            if choice.flag() { air.cancelTimer(tag: old) } else { air.setZone(secondsFromUTC: 60) }
        case 23 where choice.byte() < 25: air.remove(device)
        default: speak(air, device, &choice)
        }
    }

    /// Performs an action of the gadget.
    private static func speak(_ air: Air, _ device: DeviceNumber, _ choice: inout FuzzBytes) {
        let effect: PeripheralEffect
        let value = choice.bytes(Int(choice.byte() % 30))
        switch choice.byte() % 10 {
        case 0: effect = .disconnect
        case 1: effect = .servicesChanged
        case 2: effect = .advertise(choice.flag() ? nil : AirGadget().advertisement)
        case 3:
            effect = .requestParameters(
                LinkParameters(
                    interval: .milliseconds(Int(choice.byte())), latency: Int(choice.byte() % 6),
                    supervisionTimeout: .milliseconds(Int(choice.byte()) * 20)))
        case 4: effect = .wake(air.now + .milliseconds(Int(choice.byte())))
        case 5, 6: effect = .indicate(AirGadget.indicating, value)
        default: effect = .notify(AirGadget.notifying, value)
        }
        let count = Int(choice.byte() % 12)
        let all = [PeripheralEffect](repeating: effect, count: count)
        _ = air.modify(device, as: AirGadget.self) { gadget in
            gadget.reaction = { event, _, effects in
                guard event == .changed else { return }
                for effect in all { effects.append(effect) }
            }
        }
        _ = air.modify(device, as: AirGadget.self) { $0.reaction = { _, _, _ in } }
    }
}

extension BidirectionalCollection {
    /// An element chosen by bytes, or `nil` if there is none.
    fileprivate func randomElement(_ bytes: inout FuzzBytes) -> Element? {
        let place = Int(bytes.byte())
        return isEmpty ? nil : self[index(startIndex, offsetBy: place % count)]
    }
}
