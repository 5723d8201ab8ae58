import HaloProtocol
import HaloTransport

@testable import HaloSimulator

/// An air with one gadget and one central, for tests.
final class AirBench {
    let air: Air
    let device: DeviceNumber
    private(set) var outputs: [(moment: Moment, output: AirOutput)] = []
    private var tag: UInt64 = 0

    static let start = WallClock(
        local: CivilDateTime(secondsSince1970: 1_767_603_600), secondsFromUTC: 3_600)

    init(
        _ gadget: AirGadget = AirGadget(), seed: UInt64 = 1, faults: FaultPlan = .none,
        at placement: AirPlacement = AirPlacement()
    ) {
        air = Air(seed: seed, startingAt: Self.start, faults: faults)
        device = air.add(gadget, at: placement)
    }

    var gadget: AirGadget { air.device(device, as: AirGadget.self) ?? AirGadget() }

    func makeTag() -> UInt64 {
        tag += 1
        return tag
    }

    private func collect() {
        while let output = air.nextOutput() { outputs.append((air.now, output)) }
    }

    /// Advances time, and collects the air's outputs.
    func run(_ duration: Duration) {
        let end = air.now + duration
        collect()
        while let next = air.nextEventTime, next <= end {
            air.runNextEvent()
            collect()
        }
        air.advance(to: end)
        collect()
    }

    /// The result of an operation, which has to end within a minute.
    func result(_ ask: (UInt64) -> Void) -> AirOutput? {
        let tag = makeTag()
        let first = outputs.count
        ask(tag)
        let end = air.now + .seconds(60)
        while true {
            collect()
            if let found = outputs[first...].first(where: { $0.output.tag == tag }) {
                return found.output
            }
            guard let next = air.nextEventTime, next <= end else { return nil }
            air.runNextEvent()
        }
    }

    /// Connects. A test without a link can use it, too.
    func connect(central: CentralNumber = CentralNumber(0)) -> AirLinkNumber {
        if case .connected(let link, _) = result({
            air.connect(central: central, to: device, tag: $0)
        }) {
            return link
        }
        return AirLinkNumber(device: device, serial: 0)
    }

    /// Connects, waits for the MTU, and subscribes to the three characteristics that can notify.
    func connectAndSubscribe() -> AirLinkNumber {
        let link = connect()
        run(.milliseconds(300))
        for id in [AirGadget.notifying, AirGadget.indicating, AirGadget.frameNotify] {
            _ = result { air.setNotify(true, for: id, on: link, tag: $0) }
        }
        return link
    }

    func act(_ body: (inout AirGadget) -> Void) {
        _ = air.modify(device, as: AirGadget.self, body)
    }

    /// Makes the device emit effects, all at once.
    func emit(_ effects: [PeripheralEffect]) {
        act { gadget in
            gadget.reaction = { event, _, all in
                guard event == .changed else { return }
                for effect in effects { all.append(effect) }
            }
        }
        act { $0.reaction = { _, _, _ in } }
    }

    /// Makes the device send notifications, all at once.
    func notify(_ values: [[UInt8]], on id: AttributeID = AirGadget.notifying) {
        emit(values.map { id == AirGadget.indicating ? .indicate(id, $0) : .notify(id, $0) })
    }

    /// The notified values.
    var values: [[UInt8]] {
        outputs.compactMap {
            if case .event(_, .value(_, let value)) = $0.output { value } else { nil }
        }
    }

    /// The reason for the end of the link, or `nil`.
    var end: DisconnectReason? {
        outputs.lazy.compactMap {
            if case .event(_, .disconnected(let reason)) = $0.output { reason } else { nil }
        }.first
    }
}

extension AirOutput {
    var tag: UInt64? {
        switch self {
        case .heard(_, _, let tag), .connected(_, let tag), .services(_, let tag),
            .value(_, let tag), .done(let tag), .rssi(_, let tag), .failed(_, let tag),
            .timer(let tag):
            tag
        case .event: nil
        }
    }

    var error: BLEError? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    var value: [UInt8]? {
        if case .value(let value, _) = self { value } else { nil }
    }

    var isDone: Bool { if case .done = self { true } else { false } }
}

/// The operations of a link in the words of a transport.
extension Air {
    func discover(_ link: AirLinkNumber, tag: UInt64) { ask(.discover, on: link, tag: tag) }

    func read(_ attribute: AttributeID, on link: AirLinkNumber, tag: UInt64) {
        ask(.read(attribute), on: link, tag: tag)
    }

    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode, on link: AirLinkNumber,
        tag: UInt64
    ) {
        let kind: AirOperation.Kind =
            switch mode {
            case .withResponse: .write(attribute, value)
            case .withoutResponse: .command(attribute, value)
            }
        ask(kind, on: link, tag: tag)
    }

    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, on link: AirLinkNumber, tag: UInt64
    ) {
        ask(.subscribe(attribute, isOn: isOn), on: link, tag: tag)
    }
}
