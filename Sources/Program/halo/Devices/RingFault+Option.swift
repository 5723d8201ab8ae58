import HaloProtocol
import HaloSimulator

extension Option<RingFault> {
    /// An option that takes faults of a ring.
    static func faults(_ name: String) -> Option {
        Option(
            name, .text("PACKET:EFFECT[:N]"),
            """
            a fault of the ring for the next N requests of a kind, for all if left out. PACKET is \
            a name of 'halo packets' or an opcode as 0x15; EFFECT is silence, refuse, disconnect \
            or delay=TIME. Can be repeated
            """, isRepeatable: true
        ) { (argument) throws(ArgumentError) in
            try RingFault(argument.text, of: "--\(name)")
        }
    }
}

extension RingFault {
    private static let effects: [(word: String, effect: Effect)] = [
        ("silence", .silence), ("refuse", .refusal), ("disconnect", .disconnection),
    ]

    /// Reads `heart-rate-log:delay=2s:3`.
    fileprivate init(_ text: String, of option: String) throws(ArgumentError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard 2...3 ~= parts.count else {
            throw .wrongUsage(
                "\(option) takes PACKET:EFFECT or PACKET:EFFECT:N, as in Battery:silence:2, not "
                    + "'\(text)'")
        }
        let request = try Self.request(parts[0], of: option)
        let effect = try Self.effect(parts[1], of: option)
        if effect == .refusal, case .command(let code) = request, Refusal(of: code).opcode != code {
            throw .wrongUsage("\(option): a ring cannot refuse \(HexText.byte(code))")
        }
        guard let number = parts.dropFirst(2).first else {
            self.init(effect, of: request)
            return
        }
        guard let count = Int(number), count > 0 else {
            throw .wrongUsage("\(option): a number of requests is from 1 on, not '\(number)'")
        }
        self.init(effect, of: request, count: count)
    }

    private static func effect(
        _ text: String, of option: String
    ) throws(ArgumentError) -> Effect {
        if text.hasPrefix("delay=") {
            guard let delay = SimulatorScript.duration(text.dropFirst("delay=".count)) else {
                throw .wrongUsage("\(option): a delay is like \(SimulatorScript.durations)")
            }
            return .delay(delay)
        }
        return try Choice.value(
            text, of: option, from: effects.map(\.word) + ["delay=TIME"]
        ) { word in effects.first { $0.word == word.lowercased() }?.effect }
    }

    /// The requests by the names of their types.
    private static let requests: [(name: String, request: Request)] =
        CommandCatalog.entries.filter { $0.request != nil }.map {
            ("\($0.name)", .command($0.opcode))
        }
        + BigDataCatalog.entries.compactMap { entry in
            entry.requestID.map { ("\(entry.name)", .record($0)) }
        }

    /// The request of a name, with or without hyphens, or of an opcode behind `0x`.
    private static func request(
        _ text: String, of option: String
    ) throws(ArgumentError) -> Request {
        let digits = text.dropFirst(2)
        if text.hasPrefix("0x"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
            let code = UInt8(digits, radix: 16)
        {
            return .command(code)
        }
        let plain = text.lowercased().filter { $0 != "-" }
        if let known = requests.first(where: { $0.name.lowercased() == plain }) {
            return known.request
        }
        throw .wrongUsage(
            "\(option): no request is called '\(text)'; 'halo packets' lists them"
                + Suggestion.text(for: plain, among: requests.map(\.name)))
    }
}
