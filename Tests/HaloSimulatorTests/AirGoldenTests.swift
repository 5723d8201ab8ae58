import HaloProtocol
import HaloTransport
import Testing

@testable import HaloSimulator

/// What travels in an air and when, compared with how it went when it was recorded.
@Suite struct AirGoldenTests {
    @Test func theScriptWithoutFaultsIsAsRecorded() throws {
        try GoldenText("Simulations/Air.txt").expect(AirScript.words())
    }

    private static let perSubject: [(FaultSubject, [Fault])] = [
        (
            .notification,
            [
                .loss, .duplication, .reordering, .corruption(bit: 5), .truncation(length: 1),
                .delay(.milliseconds(700)), .stall(.seconds(3)), .stall(.seconds(9)),
                .disconnection,
            ]
        ),
        (
            .write,
            [
                .loss, .duplication, .corruption(bit: 9), .truncation(length: 0),
                .delay(.milliseconds(700)), .stall(.seconds(3)), .stall(.seconds(9)),
                .disconnection, .refusal(.unlikely), .silence, .refusedCommand,
            ]
        ),
        (
            .read,
            [
                .delay(.seconds(1)), .stall(.seconds(3)), .stall(.seconds(9)), .disconnection,
                .refusal(.insufficientResources), .silence,
            ]
        ),
        (
            .subscription,
            [
                .loss, .delay(.seconds(1)), .stall(.seconds(3)), .stall(.seconds(9)),
                .disconnection, .refusal(.unlikely), .silence,
            ]
        ),
        (.connection, [.shortPackets, .failedConnection]),
    ]

    @Test func theScriptWithEachFaultIsAsRecorded() throws {
        var table = GoldenTable("AirFaults")
        for (subject, faults) in Self.perSubject {
            for fault in faults {
                for number in [1, 2, 6, 11] {
                    let plan = FaultPlan(rules: [FaultRule(fault, .nth(number, subject))])
                    try table.add(
                        "\(subject) \(number) \(fault)", AirScript.words(faults: plan))
                }
            }
        }
        for milliseconds in [0, 750, 1_000, 1_500, 3_000, 9_000] {
            for fault in [Fault.disconnection, .stall(.seconds(2)), .stall(.seconds(8)), .loss] {
                let moment = Moment.origin + .milliseconds(milliseconds)
                let plan = FaultPlan(rules: [FaultRule(fault, .at(moment))])
                try table.add("at \(moment) \(fault)", AirScript.words(faults: plan))
            }
        }
        for seed in 1...20 as ClosedRange<UInt64> {
            let plan = FaultPlan(seed: seed, rates: .everything(Int(seed) * 6))
            try table.add("chance \(seed)", AirScript.words(faults: plan, seed: seed))
        }
        try GoldenText("Simulations/AirFaults.txt").expect(table.lines)
    }

    @Test func theScriptAtOtherPlacesIsAsRecorded() throws {
        var table = GoldenTable("AirPlaces")
        for centimetres in [-1, 0, 1, 50, 1_000, 3_000, 6_000, 12_000] {
            for walls in [-5, 0, 12, 300] {
                var placement = AirPlacement(centimetres: centimetres, wallDecibels: walls)
                placement.mtu = centimetres + 20
                try table.add("\(centimetres) cm, \(walls) dB", AirScript.words(at: placement))
            }
        }
        for (interval, latency, timeout) in [
            (7_500, 0, 5_000), (30_000, 4, 2_000), (48_000, 30, 4_000), (500_000, 0, 2_000),
            (4_000_000, 0, 32_000),
        ] {
            let placement = AirPlacement(
                parameters: LinkParameters(
                    interval: .microseconds(interval), latency: latency,
                    supervisionTimeout: .milliseconds(timeout)))
            try table.add(
                "every \(interval) µs, latency \(latency)", AirScript.words(at: placement))
        }
        try GoldenText("Simulations/AirPlaces.txt").expect(table.lines)
    }

    @Test func anythingWithAnythingIsAsRecorded() throws {
        var table = GoldenTable("AirDrills")
        for seed in 1...60 as ClosedRange<UInt64> {
            try table.add("seed \(seed)", AirScript.drill(seed: seed))
        }
        try GoldenText("Simulations/AirDrills.txt").expect(table.lines)
    }
}
