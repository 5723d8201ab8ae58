import HaloDevices
import HaloProtocol

struct RingAbilities {
    let ring: Ring

    private var reported: [(name: String, isSupported: Bool?)] { ring.capabilities.entries }

    private var byBoard: [(name: String, fact: RingFact<Bool>)] {
        let (capabilities, dialect) = (ring.capabilities, ring.dialect)
        var all = [(name: "raw sensor values", fact: dialect.rawSensors)]
        if capabilities.heartRateVariability == nil {
            all.append(("heart-rate variability", dialect.heartRateVariability))
        }
        if capabilities.temperature == nil { all.append(("temperature", dialect.temperature)) }
        return all
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
        // Most abilities are in the reply to the clock being set.
        guard ring.capabilities.bloodOxygen == nil else { return all }
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
