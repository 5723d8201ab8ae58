import HaloProtocol
import HaloSimulator
import HaloTransport

/// The keys that control a simulated device, pressed at the terminal.
enum SimulatorKeys {
    /// What a key does.
    enum Action: Hashable, Sendable, CaseIterable {
        case wear, drain, charge, walk, sleep, loseLink

        var key: Character {
            switch self {
            case .wear: "w"
            case .drain: "d"
            case .charge: "c"
            case .walk: "g"
            case .sleep: "s"
            case .loseLink: "l"
            }
        }

        var words: String {
            switch self {
            case .wear: "take it off, or put it on"
            case .drain: "drain the battery by 20 %"
            case .charge: "put the ring on its charger, or take it off"
            case .walk: "go for a walk of 10 minutes"
            case .sleep: "fall asleep for an hour"
            case .loseLink: "lose the link"
            }
        }
    }

    /// The keys in a paragraph of the help text.
    static var help: String {
        let rows = Action.allCases.map { "  \($0.key)  \($0.words)" }
        return "At a terminal, these keys control the device:\n" + rows.joined(separator: "\n")
    }

    /// The keys of a device on one line.
    static func line(_ actions: [Action]) -> String {
        "keys: " + actions.map { "\($0.key) \($0.words)" }.joined(separator: " · ")
    }

    static func action(_ key: Character) -> Action? {
        Action.allCases.first { String($0.key) == key.lowercased() }
    }
}

/// A virtual device that keys control.
protocol KeyControlled: GATTPeripheral {
    /// What keys can do to the device.
    var actions: [SimulatorKeys.Action] { get }

    /// Does what a key says, and returns what has happened; `nil` if the device cannot do it.
    mutating func perform(_ action: SimulatorKeys.Action) -> String?
}

extension VirtualRing: KeyControlled {
    var actions: [SimulatorKeys.Action] { SimulatorKeys.Action.allCases }

    mutating func perform(_ action: SimulatorKeys.Action) -> String? {
        switch action {
        case .wear:
            if isWorn { takeOff() } else { putOn() }
            return isWorn ? "the ring is on the finger" : "the ring is off the finger"
        case .drain:
            setBattery(percent: max(Int(batteryPercent) - 20, 0))
            return "the battery has \(batteryPercent) %"
        case .charge:
            if isDocked { undock() } else { dock() }
            return isDocked ? "the ring is on its charger" : "the ring is off its charger"
        case .walk:
            return walk(minutes: 10)
                ? "its wearer walks" : "no walk: its wearer moves already, or the day is over"
        case .sleep:
            return fallAsleep(minutes: 60)
                ? "its wearer sleeps" : "no nap: its wearer sleeps already, or goes to bed soon"
        case .loseLink: return nil
        }
    }
}

extension VirtualHeartRateSensor: KeyControlled {
    var actions: [SimulatorKeys.Action] { [.wear, .drain, .loseLink] }

    mutating func perform(_ action: SimulatorKeys.Action) -> String? {
        switch action {
        case .wear:
            if isWorn { takeOff() } else { putOn() }
            return isWorn ? "the strap is on the skin" : "the strap is off the skin"
        case .drain:
            setBattery(batteryPercent - min(batteryPercent, 20))
            return "the battery has \(batteryPercent) %"
        case .charge, .walk, .sleep, .loseLink: return nil
        }
    }
}
