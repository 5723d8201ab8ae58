internal import HaloProtocol
internal import HaloTransport

/// The faults of a running plan: decides for each packet which fault applies.
struct FaultInjector {
    private struct Progress {
        let rule: FaultRule
        var isCounting: Bool
        var count = 0
    }

    let plan: FaultPlan
    private(set) var log = FaultLog()
    /// The number of packets of each subject of each device.
    private var counts: [UInt64: Int] = [:]
    private var pending: [Progress]
    /// The random faults by subject, with their rates.
    private let choices: [FaultSubject: [(fault: LinkFault, perMille: Int)]]
    private var nextIndex = 0
    private(set) var isIdle: Bool

    init(_ plan: FaultPlan) {
        self.plan = plan
        isIdle = plan.isEmpty
        choices = Dictionary(
            uniqueKeysWithValues: FaultSubject.allCases.map { ($0, plan.rates.choices(for: $0)) })
        pending = plan.rules.map { Progress(rule: $0, isCounting: $0.trigger.afterWriteOf == nil) }
        nextIndex = (plan.rules.compactMap(\.index).max() ?? -1) + 1
    }

    mutating func stop() { isIdle = true }

    mutating func evaluate(
        _ subject: FaultSubject, of device: DeviceNumber, _ characteristic: BluetoothUUID?,
        _ bytes: [UInt8], at moment: Moment
    ) -> LinkFault? {
        let place = UInt64(truncatingIfNeeded: device.rawValue) &<< 3 | subject.rawValue
        let number = counts[place, default: 0] + 1
        counts[place] = number
        let rule = due(subject, device, characteristic, bytes)
        let fault = rule.map(\.fault) ?? drawn(subject, place, number, bytes.count)
        guard let fault, subject.admits(fault),
            fault != .refusedCommand || characteristic == RingServices.uartWrite
        else { return nil }
        return record(
            FaultRecord(
                index: rule?.index ?? nextIndex, moment: moment, device: device, subject: subject,
                number: number, characteristic: characteristic, fault: fault, bytes: bytes))
    }

    mutating func evaluate(_ rule: FaultRule, of device: DeviceNumber, at moment: Moment)
        -> LinkFault?
    {
        record(
            FaultRecord(
                index: rule.index ?? nextIndex, moment: moment, device: device, subject: nil,
                number: 0, characteristic: nil, fault: rule.fault, bytes: []))
    }

    private mutating func record(_ record: FaultRecord) -> LinkFault? {
        nextIndex = max(nextIndex, record.index + 1)
        guard !plan.disabled.contains(record.index) else { return nil }
        log.append(record)
        return record.fault
    }

    /// Returns the first rule that this packet triggers; every matching rule counts the packet.
    private mutating func due(
        _ subject: FaultSubject, _ device: DeviceNumber, _ characteristic: BluetoothUUID?,
        _ bytes: [UInt8]
    ) -> FaultRule? {
        var due: (place: Int, rule: FaultRule)?
        for place in pending.indices {
            let rule = pending[place].rule
            guard rule.device == nil || rule.device == device else { continue }
            let trigger = rule.trigger
            if !pending[place].isCounting {
                let beginning = trigger.afterWriteOf ?? []
                pending[place].isCounting = subject == .write && bytes.starts(with: beginning)
                continue
            }
            guard trigger.occasion == .subject(subject), bytes.starts(with: trigger.beginning),
                trigger.characteristic == nil || trigger.characteristic == characteristic
            else { continue }
            pending[place].count += 1
            if due == nil, pending[place].count >= trigger.number { due = (place, rule) }
        }
        guard let due else { return nil }
        pending.remove(at: due.place)
        return due.rule
    }

    /// Returns the random fault. It depends on the seed and on the packet's index, not on earlier
    /// faults.
    private func drawn(
        _ subject: FaultSubject, _ place: UInt64, _ number: Int, _ length: Int
    ) -> LinkFault? {
        guard let choices = choices[subject] else { return nil }
        let first = SplitMix.mixed(plan.seed &+ SplitMix.mixed(place &+ 1))
        let draw = SplitMix.mixed(first &+ UInt64(truncatingIfNeeded: number))
        var rest = Int(draw % 1_000)
        for choice in choices {
            if rest < choice.perMille {
                return choice.fault.drawn(SplitMix.mixed(draw &+ 1), length: length)
            }
            rest -= max(choice.perMille, 0)
        }
        return nil
    }
}
