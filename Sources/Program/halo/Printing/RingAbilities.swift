import HaloDevices
import HaloProtocol

struct RingAbilities {
    private let reported: [(name: String, isSupported: Bool?)]
    private let byBoard: [(name: String, fact: RingFact<Bool>)]

    /// `true` if the ring has replied to its clock being set: most abilities are in that reply.
    private let isClockSet: Bool

    init(_ ring: Ring) {
        let (capabilities, dialect) = (ring.capabilities, ring.dialect)
        reported = capabilities.entries
        isClockSet = capabilities.bloodOxygen != nil
        var byBoard = [("raw sensor values", dialect.rawSensors)]
        if capabilities.heartRateVariability == nil {
            byBoard.append(("heart-rate variability", dialect.heartRateVariability))
        }
        if capabilities.temperature == nil { byBoard.append(("temperature", dialect.temperature)) }
        self.byBoard = byBoard
    }

    var rows: [[String]] {
        var all = [("can", true), ("cannot", false), ("not reported", nil)].map { label, value in
            [
                label,
                reported.filter { $0.isSupported == value }.map { $0.name }.joined(separator: ", "),
            ]
        }
        for (index, (name, fact)) in byBoard.enumerated() {
            let words = fact.value.map { $0 ? "yes" : "no" } ?? "not known"
            all.append([
                index == 0 ? "by its board" : "", "\(name): \(words) (\(fact.basis))",
            ])
        }
        guard !isClockSet else { return all }
        let advice = "requests the rest: a ring reports it only when its clock is set"
        return all + [["--set-clock", advice]]
    }

    var members: JSONObject {
        [
            "abilities": JSONObject(reported.map { ($0.name, $0.isSupported) }),
            "abilitiesByBoard": JSONObject(
                byBoard.map { name, fact in
                    (name, ["value": fact.value, "evidence": "\(fact.basis)"] as JSONObject)
                }),
        ]
    }
}
