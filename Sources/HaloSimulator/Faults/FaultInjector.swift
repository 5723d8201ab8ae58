internal import HaloProtocol
internal import HaloTransport

/// Carries out a plan: decides for each thing that comes by whether it goes wrong.
struct FaultInjector {
    private struct Key: Hashable {
        let device: DeviceNumber
        let subject: FaultSubject
    }

    private struct Progress {
        let rule: FaultRule
        var isCounting: Bool
        var count = 0
    }

    let plan: FaultPlan
    private(set) var log = FaultLog()
    private var counts: [Key: Int] = [:]
    private var pending: [Progress]
    private let hasRates: Bool
    private var nextIndex = 0
    private(set) var isIdle: Bool

    init(_ plan: FaultPlan) {
        self.plan = plan
        isIdle = plan.isEmpty
        hasRates = plan.rates != FaultRates()
        pending = plan.rules.filter {
            if case .moment = $0.trigger.occasion { false } else { true }
        }.map { Progress(rule: $0, isCounting: $0.trigger.afterWriteOf == nil) }
        nextIndex = (plan.rules.compactMap(\.index).max() ?? -1) + 1
    }

    /// Nothing goes wrong any more; what has gone wrong stays recorded.
    mutating func stop() { isIdle = true }

    /// The rules that wait for a moment.
    var timed: [(rule: FaultRule, moment: Moment)] {
        plan.rules.compactMap { rule in
            if case .moment(let moment) = rule.trigger.occasion { (rule, moment) } else { nil }
        }
    }

    /// What goes wrong with something that comes by, recorded if anything does.
    mutating func judge(
        _ subject: FaultSubject, of device: DeviceNumber, _ characteristic: BluetoothUUID?,
        _ bytes: [UInt8], at moment: Moment
    ) -> Fault? {
        let key = Key(device: device, subject: subject)
        let number = counts[key, default: 0] + 1
        counts[key] = number
        let rule = due(subject, device, characteristic, bytes)
        let fault =
            rule.map(\.fault)
            ?? (hasRates ? drawn(subject, device, number, bytes.count) : nil)
        guard let fault, subject.admits(fault),
            fault != .refusedCommand || characteristic == RingServices.uartWrite
        else { return nil }
        return record(
            fault, index: rule?.index,
            { index in
                FaultRecord(
                    index: index, moment: moment, device: device, subject: subject,
                    number: number, characteristic: characteristic, fault: fault, bytes: bytes)
            })
    }

    /// What goes wrong at a moment of its own.
    mutating func judge(_ rule: FaultRule, of device: DeviceNumber, at moment: Moment) -> Fault? {
        record(
            rule.fault, index: rule.index,
            { index in
                FaultRecord(
                    index: index, moment: moment, device: device, subject: nil, number: 0,
                    characteristic: nil, fault: rule.fault, bytes: [])
            })
    }

    private mutating func record(
        _ fault: Fault, index: Int?, _ make: (Int) -> FaultRecord
    ) -> Fault? {
        let index = index ?? nextIndex
        nextIndex = max(nextIndex, index + 1)
        guard !plan.disabled.contains(index) else { return nil }
        log.append(make(index))
        return fault
    }

    /// The first rule that is fulfilled now; all rules count on.
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

    /// What chance decides: it depends on the seed and on what comes by, not on what went wrong
    /// before.
    private func drawn(
        _ subject: FaultSubject, _ device: DeviceNumber, _ number: Int, _ length: Int
    ) -> Fault? {
        let place = UInt64(truncatingIfNeeded: device.rawValue) &<< 3 | subject.code
        let first = SplitMix.mixed(plan.seed &+ SplitMix.mixed(place &+ 1))
        let draw = SplitMix.mixed(first &+ UInt64(truncatingIfNeeded: number))
        var rest = Int(draw % 1_000)
        for choice in plan.rates.choices(for: subject) {
            if rest < choice.perMille {
                return choice.kind.fault(SplitMix.mixed(draw &+ 1), length: length)
            }
            rest -= max(choice.perMille, 0)
        }
        return nil
    }
}

extension FaultSubject {
    /// A number of its own.
    fileprivate var code: UInt64 {
        switch self {
        case .notification: 0
        case .write: 1
        case .read: 2
        case .subscription: 3
        case .connection: 4
        }
    }
}
