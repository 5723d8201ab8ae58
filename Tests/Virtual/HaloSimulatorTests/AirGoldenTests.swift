import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// The packets of an air with their moments, compared with a recording.
@Suite(.passesTime) struct AirGoldenTests {
    @Test func theScriptWithoutFaultsIsAsRecorded() throws {
        try GoldenText("Golden/Simulations/Air.txt").expect(AirScript.words())
    }

    private static let perSubject: [(FaultSubject, [LinkFault])] = [
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
            for fault in [LinkFault.disconnection, .stall(.seconds(2)), .stall(.seconds(8)), .loss]
            {
                let moment = Moment.origin + .milliseconds(milliseconds)
                let plan = FaultPlan(rules: [FaultRule(fault, .at(moment))])
                try table.add("at \(moment) \(fault)", AirScript.words(faults: plan))
            }
        }
        for seed in 1...20 as ClosedRange<UInt64> {
            let plan = FaultPlan(seed: seed, rates: .all(perMille: Int(seed) * 6))
            try table.add("chance \(seed)", AirScript.words(faults: plan, seed: seed))
        }
        try GoldenText("Golden/Simulations/AirFaults.txt").expect(table.lines)
    }

    @Test func scriptedFaultsWaitForTheirTriggersAsRecorded() throws {
        let frame = Array(try Frame(opcode: HeartRateLog.opcode).bytes)
        let values = BluetoothUUID(0x1003)
        let triggers: [(String, LinkFault, FaultTrigger)] = [
            ("notifications that begin so", .loss, .notification(2, beginning: [3])),
            ("of a characteristic", .loss, .notification(4, of: values)),
            ("of another", .loss, .notification(1, of: RingServices.uartNotify)),
            ("after a write", .loss, .notification(3, afterWriteOf: [HeartRateLog.opcode])),
            ("after no write", .loss, .notification(1, afterWriteOf: [0xEE])),
            ("writes that begin so", .duplication, .write(2, beginning: [244, 244])),
            ("writes to", .duplication, .write(1, to: RingServices.uartWrite)),
            ("after another write", .loss, .write(1, beginning: [7], afterWriteOf: [4])),
            ("of a whole frame", .refusedCommand, .write(1, beginning: frame)),
            ("of what is longer", .loss, .write(1, beginning: frame + [1])),
            ("reads of", .refusal(.unlikely), .read(2, of: BluetoothUUID(0x1001))),
            ("subscriptions of", .loss, .subscription(2, of: values)),
            ("the second link", .shortPackets, .connection(2)),
            ("what cannot be", .shortPackets, .notification()),
            ("never", .loss, .notification(0)),
        ]
        var table = GoldenTable("AirTriggers")
        for (name, fault, trigger) in triggers {
            for device in [nil, DeviceNumber(0), DeviceNumber(1)] {
                let rule = FaultRule(fault, trigger, device: device)
                let plan = FaultPlan(rules: [rule, FaultRule(.duplication, trigger)])
                let name = "\(name), \(device.map { "\($0)" } ?? "any device")"
                try table.add(name, AirScript.words(faults: plan))
                try table.add("\(name), without", AirScript.words(faults: plan.disabling([0])))
            }
        }
        try GoldenText("Golden/Simulations/AirTriggers.txt").expect(table.lines)
    }

    /// The possible faults: a row for each fault, a column for each subject.
    @Test func faultsHappenToTheirSubjectsOnly() {
        let subjects: [FaultSubject] = [.notification, .write, .read, .subscription, .connection]
        #expect(FaultSubject.allCases == subjects)
        let rows: [(LinkFault, String)] = [
            (.loss, "11010"), (.duplication, "11000"), (.reordering, "10000"),
            (.corruption(bit: 0), "11000"), (.truncation(length: 0), "11000"),
            (.delay(.zero), "11110"), (.stall(.zero), "11110"), (.disconnection, "11110"),
            (.refusal(.unlikely), "01110"), (.silence, "01110"), (.refusedCommand, "01000"),
            (.shortPackets, "00001"), (.failedConnection, "00001"),
        ]
        for (fault, row) in rows {
            let found = subjects.map { $0.admits(fault) ? "1" : "0" }.joined()
            #expect(found == row, "\(fault)")
        }
    }

    @Test func theScriptAtOtherPlacesIsAsRecorded() throws {
        var table = GoldenTable("AirPlaces")
        for centimetres in [-1, 0, 1, 50, 1_000, 3_000, 6_000, 12_000] {
            for walls in [-5, 0, 12, 300] {
                var placement = AirPlacement(distanceCentimetres: centimetres, wallDecibels: walls)
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
        try GoldenText("Golden/Simulations/AirPlaces.txt").expect(table.lines)
    }

    @Test func anythingWithAnythingIsAsRecorded() throws {
        var table = GoldenTable("AirDrills")
        for seed in 1...60 as ClosedRange<UInt64> {
            try table.add("seed \(seed)", AirScript.drill(seed: seed))
        }
        try GoldenText("Golden/Simulations/AirDrills.txt").expect(table.lines)
    }
}
