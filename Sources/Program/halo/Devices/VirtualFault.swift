import HaloProtocol
import HaloSimulator

enum VirtualFault: Hashable, Sendable {
    /// A fault of its replies: `battery:silence:2`.
    case reply(RingFault)
    /// An anomaly of what it stores and reports: `lost-slots`.
    case anomaly(RingAnomalies)
    /// The anomalies that the seed of the ring picks.
    case badWeek

    private static let badWeekName = "bad-week"

    static let names = RingAnomalies.all.names + [badWeekName]

    /// Reads the name of an anomaly, or `PACKET:EFFECT:N`.
    init(_ text: String, of option: String) throws(Failure) {
        guard !text.contains(":") else {
            self = .reply(try RingFault(text, of: option))
            return
        }
        let name = text.lowercased()
        if name == Self.badWeekName {
            self = .badWeek
        } else if let anomaly = RingAnomalies(named: name) {
            self = .anomaly(anomaly)
        } else {
            throw .wrongUsage(
                "\(option) takes \(RingFault.forms), or "
                    + Choice.refusal(of: text, among: Self.names))
        }
    }
}

extension Option<VirtualFault> {
    static func faults(_ name: String) -> Option {
        Option(
            name, .choice("FAULT", VirtualFault.names),
            """
            a fault of the ring: PACKET:EFFECT[:N] for the next N requests of a kind, or all; \
            or an anomaly of what it stores and reports. PACKET is a name of \
            'halo packets' or an opcode like 0x15; EFFECT is silence, refuse, disconnect or \
            delay=TIME. The anomalies are \(RingAnomalies.all.names.joined(separator: ", ")), \
            and bad-week, which picks some of them by the seed. Can be repeated
            """, isRepeatable: true
        ) { (argument) throws(Failure) in
            try VirtualFault(argument.text, of: "--\(name)")
        }
    }
}

extension VirtualRingOptions {
    mutating func add(_ fault: VirtualFault) {
        switch fault {
        case .reply(let fault): faults.append(fault)
        case .anomaly(let anomaly): anomalies.insert(anomaly)
        case .badWeek:
            let week = VirtualRingOptions.badWeek(seed: seed)
            anomalies.formUnion(week.anomalies)
            isWorn = week.isWorn
        }
    }
}

extension RingFault {
    fileprivate static let forms =
        "PACKET:EFFECT or PACKET:EFFECT:N, as in Battery:silence:2"

    private static let effects: [(word: String, effect: Effect)] = [
        ("silence", .silence), ("refuse", .refusal), ("disconnect", .disconnection),
    ]

    /// Reads `heart-rate-log:delay=2s:3`.
    fileprivate init(_ text: String, of option: String) throws(Failure) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard 2...3 ~= parts.count else {
            throw .wrongUsage("\(option) takes \(Self.forms), not '\(text)'")
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
            throw .wrongUsage("\(option): the number of requests is 1 or more, not '\(number)'")
        }
        self.init(effect, of: request, count: count)
    }

    private static func effect(
        _ text: String, of option: String
    ) throws(Failure) -> Effect {
        if text.hasPrefix("delay=") {
            guard let delay = TimeNotation.duration(text.dropFirst("delay=".count)) else {
                throw .wrongUsage("\(option): a delay looks like \(TimeNotation.words)")
            }
            return .delay(delay)
        }
        return try Choice.value(
            text, of: option, from: effects.map(\.word) + ["delay=TIME"]
        ) { word in effects.first { $0.word == word.lowercased() }?.effect }
    }

    private static let requests: [(name: String, request: Request)] =
        CommandCatalog.entries.filter { $0.request != nil }.map {
            ("\($0.name)", .command($0.opcode))
        }
        + BigDataCatalog.entries.compactMap { entry in
            entry.requestID.map { ("\(entry.name)", .record($0)) }
        }

    /// The request of a name, with or without hyphens, or of an opcode after `0x`.
    private static func request(
        _ text: String, of option: String
    ) throws(Failure) -> Request {
        if let match = text.wholeMatch(of: /0x([0-9A-Fa-f]{2})/),
            let code = UInt8(match.1, radix: 16)
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
