import Foundation
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTesting

/// The harness of the backend with mistakes.
private struct MadeUpHarness: TransportHarness {
    let transport: MadeUpBluetooth
    let absentDevice = PeripheralIdentity("nobody")
    var timeout: Duration = .seconds(600)

    func order(
        _ instructions: [ContractPeripheral.Instruction]
    ) async throws -> ContractPeripheral {
        transport.modify { $0.order(instructions) }
    }
}

private typealias Contract = TransportContract<MadeUpHarness>

@Suite(.passesTime) struct TransportContractTests {
    /// A device in another process: only bytes pass between it and its harness.
    @Test func aDeviceBehindAPipeKeepsIt() throws {
        struct Piped: TransportHarness {
            let transport = MadeUpBluetooth()
            let absentDevice = PeripheralIdentity("nobody")
            let timeout: Duration = .seconds(600)

            func order(
                _ instructions: [ContractPeripheral.Instruction]
            ) async throws -> ContractPeripheral {
                let request = try JSONEncoder().encode(instructions)
                let received = try JSONDecoder().decode(
                    [ContractPeripheral.Instruction].self, from: request)
                let reply = try JSONEncoder().encode(
                    transport.modify { $0.order(received) })
                return try JSONDecoder().decode(ContractPeripheral.self, from: reply)
            }
        }
        for check in TransportContract<Piped>.checks {
            let harness = Piped()
            let wasMade = try runDeterministically(
                step: { harness.transport.stepped.step() }) { try await check.run(on: harness) }
            #expect(wasMade, "\(check.claim)")
        }
    }

    @Test(arguments: Contract.checks.map(\.claim))
    func anHonestBackendKeepsIt(_ claim: String) throws {
        #expect(complaint(of: claim, nil) == nil)
    }

    @Test func claimsAreDifferent() {
        #expect(Set(Contract.checks.map(\.claim)).count == Contract.checks.count)
    }

    @Test(arguments: MadeUpBluetooth.Mistake.allCases)
    func everyMistakeIsFound(_ mistake: MadeUpBluetooth.Mistake) throws {
        let broken = Set(
            Contract.checks.map(\.claim).filter { complaint(of: $0, mistake) != nil })
        let expected = Self.expected(mistake)
        #expect(broken.isSuperset(of: expected), "found: \(broken)")
        #expect(broken.isEmpty == expected.isEmpty, "found: \(broken)")
    }

    /// The time of this backend does not pass, so its scan finds nothing.
    @Test func aWaitWithoutAnEndNamesItsStep() async throws {
        let check = try #require(Contract.checks.first)
        let stopped = MadeUpHarness(transport: MadeUpBluetooth(), timeout: .milliseconds(200))
        let violation = await #expect(throws: ContractViolation.self) {
            try await check.run(on: stopped)
        }
        #expect(
            violation?.what == "a wait does not end; the last step: looking for the device")
    }

    @Test func anOperationWithoutAReplyIsNamed() {
        let steps = ContractSteps()
        func note(_ kind: LinkTrace.Kind, _ operation: BLEError.Operation, _ number: UInt64?) {
            var trace = LinkTrace(kind, PeripheralIdentity("made up"), at: .origin)
            trace.operation = operation
            trace.number = number
            steps.note(trace)
        }
        note(.request, .connect, 1)
        note(.reply, .connect, 1)
        #expect(steps.endlessWait == "a wait does not end; the last step: connecting has ended")
        note(.request, .read, 2)
        note(.request, .disconnect, nil)
        #expect(
            steps.endlessWait
                == "a wait does not end; the last step: closing the link; without a reply: reading")
    }

    @Test func aCheckThatCannotBeMadeSaysSo() throws {
        struct Poor: TransportHarness {
            let transport = MadeUpBluetooth()
            let absentDevice = PeripheralIdentity("nobody")
            let abilities: TransportAbilities = []

            func order(
                _ instructions: [ContractPeripheral.Instruction]
            ) async throws -> ContractPeripheral { transport.modify { $0.order(instructions) } }
        }
        let harness = Poor()
        let wereMade = try runDeterministically(step: { harness.transport.stepped.step() }) {
            var wereMade: [Bool] = []
            for check in TransportContract<Poor>.checks.filter({
                $0.claim.contains("never answers") || $0.claim.contains("adapter's state")
            }) {
                wereMade.append(try await check.run(on: harness))
            }
            return wereMade
        }
        #expect(wereMade == [true, false])
    }

    /// The violation of a claim, if any; also checks that no wait is left.
    private func complaint(of claim: String, _ mistake: MadeUpBluetooth.Mistake?) -> String? {
        guard let check = Contract.checks.first(where: { $0.claim == claim }) else {
            return "no such check"
        }
        let bluetooth = MadeUpBluetooth(mistake)
        do {
            try runDeterministically(step: { bluetooth.stepped.step() }, idleStepLimit: 10_000) {
                _ = try await check.run(on: MadeUpHarness(transport: bluetooth))
            }
        } catch {
            return "\(error)"
        }
        let stepped = bluetooth.stepped
        guard stepped.waiterCount == 0, stepped.listenerCount == 0 else {
            return "\(stepped.waiterCount) wait, \(stepped.listenerCount) listen at the end"
        }
        return nil
    }

    private static func expected(_ mistake: MadeUpBluetooth.Mistake) -> Set<String> {
        switch mistake {
        case .dropsWhatComesBeforeTheSubscriptionIsAnswered:
            ["a value that is sent as soon as somebody subscribes is not lost"]
        case .swapsValues, .sendsValuesTwice:
            ["values come in the order in which they were sent, none twice"]
        case .answersBeforeEarlierValues:
            ["what a device sends before it answers comes before the answer"]
        case .losesWritesWithoutResponse:
            ["writes without a response all arrive, in order"]
        case .swapsKindsOfWrites:
            [
                "writes of both kinds keep their order among each other",
                "what is asked for at once is carried out in the order of asking",
            ]
        case .staysConnectedAfterCancelling:
            ["cancelled at any time, connecting leaves nothing behind"]
        case .connectsTwice: ["a device that is connected cannot be connected again"]
        case .mistakesWhoClosed: ["when the device closes the link, all ends with that"]
        case .forgetsErrorCodes:
            ["a device's refusal arrives with its code, and the link stays open"]
        case .cutsLongValues: ["a value is read whole, however long"]
        case .writesNoLongValues: ["the longest value can be written, and no longer one"]
        case .neverSaysThatTheDeviceClosed:
            [
                "when the device closes the link, all ends with that",
                "what is under way ends with the link, once",
            ]
        case .waitsForSilentDevices: ["a device that never answers loses its link"]
        case .keepsOldServices: ["new services are found after the device has said so"]
        case .keepsDevicesSwitchedOn:
            [
                "several listeners share one subscription, which the last one ends",
                "a cancelled subscription leaves the device switched off",
            ]
        case .losesDescriptors: ["a descriptor can be read"]
        case .losesProperties:
            ["discovery finds every characteristic, with its properties, in order"]
        case .hidesNames:
            ["a scan finds a device by the beginning of its name, in either case"]
        case .finishesNothingAtTheEnd: []  // the link does it
        case .doesNotCloseLinks:
            [
                "a disconnected device can be connected again",
                "a link that is no longer referenced is closed",
                "a cancelled disconnect still closes the link",
            ]
        case .saysNoToConfirmedValues: ["a value that is to be confirmed arrives"]
        case .answersReadsOfTheWrongCharacteristic: ["a value is read whole, however long"]
        case .createsALoopForEachUse: ["the transport and its links have one loop"]
        }
    }
}
