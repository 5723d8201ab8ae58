import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// Every command and record has a behaviour in every profile, and the ring follows it.
@Suite(.passesTime) struct VirtualRingBehaviourTests {
    /// Requests that are answered by a later report, or not at all.
    private static let streams: Set<UInt8> = [
        RealtimeMeasurement.opcode, LegacyRealtimeHeartRate.opcode, RawSensors.opcode,
    ]

    @Test func thereAreRequestsOfAllCommandsAndRecords() {
        let opcodes = Set(RingFixture.commands.flatMap(\.requests).compactMap(\.first))
        let missing = CommandCatalog.entries.filter {
            $0.request != nil && !opcodes.contains($0.opcode)
        }
        #expect(missing.map(\.name) == [])
        let ids = Set(RingFixture.records.flatMap(\.requests).map { $0[1] })
        let absent = BigDataCatalog.entries.filter { entry in
            entry.requestID.map { !ids.contains($0) } ?? false
        }
        #expect(absent.map(\.name) == [])
    }

    @Test func profilesAreCompared() {
        #expect(Set(RingProfile.all).count == RingProfile.all.count)
        var profile = RingProfile.r10
        #expect(profile == .r10)
        profile.commands = profile.commands.with(.silent, "a test", for: Battery.opcode)
        #expect(profile != .r10)
    }

    @Test(arguments: RingProfile.all) func keepsToItsConduct(_ profile: RingProfile) throws {
        let fresh = RingBench.connected(profile)
        for fixture in RingFixture.commands {
            var isAnswered = fixture.requests.isEmpty
            for bytes in fixture.requests {
                let request = try Frame(decoding: bytes)
                var bench = fresh
                bench.send(request)
                bench.advance(by: .seconds(4))
                let frames = bench.takeFrames().filter {
                    $0.opcode == request.opcode || $0.refusedOpcode == request.opcode
                }
                let comment: Comment = "\(profile) asked \(fixture.name) \(request)"
                switch profile.commands[request.opcode] {
                case .answers:
                    #expect(frames.allSatisfy { Self.isUnderstood($0) }, comment)
                    #expect(frames.allSatisfy { $0.refusedOpcode != request.opcode }, comment)
                    #expect(!frames.isEmpty || Self.streams.contains(request.opcode), comment)
                    isAnswered = isAnswered || !frames.isEmpty
                case .refuses:
                    let refusal = Refusal(of: request.opcode).frame
                    #expect(frames == [refusal], comment)
                    isAnswered = true
                case .silent:
                    #expect(frames.isEmpty, comment)
                    isAnswered = true
                }
            }
            #expect(
                isAnswered,
                """
                The tables of \(profile) say that it answers \(fixture.name), and no RingResponder \
                did.
                """)
        }
    }

    @Test(arguments: RingProfile.all.filter(\.hasBigData)) func keepsToItsConductWithRecords(
        _ profile: RingProfile
    ) throws {
        let fresh = RingBench.connected(profile)
        for fixture in RingFixture.records {
            for bytes in fixture.requests {
                let request = try BigDataFrame(decoding: bytes)
                var bench = fresh
                bench.send(request)
                bench.advance(by: .seconds(4))
                let records = bench.takeRecords()
                let comment: Comment = "\(profile) asked \(fixture.name) \(request)"
                switch profile.records[request.id] {
                case .answers:
                    #expect(records.allSatisfy { Self.isUnderstood($0) }, comment)
                    let isShort = request.id == Sleep.requestID && request.payload.count < 2
                    let isSilent = isShort && profile.quirks.contains(.sleepNeedsTwoBytes)
                    #expect(records.isEmpty == isSilent, comment)
                case .refuses:
                    #expect(records == [BigDataNoData(id: request.id).frame], comment)
                case .silent:
                    #expect(records.isEmpty, comment)
                }
            }
        }
    }

    /// A responder that no profile names is never called.
    @Test func everyResponderIsInATableOfBehaviour() {
        let commands = RingProfile.all.map(\.commands)
        for opcode in RingResponder.byOpcode.keys.sorted() {
            let isNamed = commands.contains { $0.fact(opcode).basis != $0.fact(0).basis }
            if isNamed { continue }
            let name = CommandCatalog.entry(opcode: opcode)?.name.description ?? "\(opcode)"
            Issue.record(
                """
                \(name) has a RingResponder, and every ring refuses it: RingBehaviourTable.swift \
                or a model's profile needs its opcode.
                """)
        }
        let records = RingProfile.all.map(\.records)
        for id in RingRecordResponder.byID.keys.sorted() {
            let isNamed = records.contains { $0.fact(id).basis != $0.fact(0).basis }
            if isNamed { continue }
            let name = BigDataCatalog.entry(id: id, .toDevice)?.name.description ?? "\(id)"
            Issue.record(
                """
                \(name) has a RingRecordResponder, and every ring refuses it: \
                RingBehaviourTable.swift or a model's profile needs its id.
                """)
        }
    }

    @Test(arguments: RingProfile.all) func refusesWhatNobodyKnows(_ profile: RingProfile) throws {
        let fresh = RingBench.connected(profile, days: 0)
        for opcode in UInt8.min...UInt8.max where CommandCatalog.entry(opcode: opcode) == nil {
            var bench = fresh
            bench.send(try Frame(opcode: opcode))
            bench.advance(by: .seconds(2))
            let refusal = Refusal(of: opcode)
            let isRefusable = refusal.opcode == opcode
            let frames = bench.takeFrames().filter {
                $0.opcode == opcode || $0.refusedOpcode != nil
            }
            #expect(frames == (isRefusable ? [refusal.frame] : []), "\(opcode)")
        }
        let known = Set(BigDataCatalog.entries.compactMap(\.requestID))
        for id in UInt8.min...UInt8.max where !known.contains(id) {
            var bench = fresh
            bench.send(try BigDataFrame(id: id, payload: []))
            bench.advance(by: .seconds(2))
            let nothing = profile.hasBigData ? [BigDataNoData(id: id).frame] : []
            #expect(bench.takeRecords() == nothing, "\(id)")
        }
    }

    @Test(arguments: RingProfile.all) func saysWhatEachConductRestsOn(_ profile: RingProfile) {
        for entry in CommandCatalog.entries {
            #expect(!profile.commands.fact(entry.opcode).basis.description.isEmpty)
        }
        for entry in BigDataCatalog.entries {
            guard let id = entry.requestID else { continue }
            #expect(!profile.records.fact(id).basis.description.isEmpty)
        }
    }

    @Test func profilesDifferWhereCapturesDo() {
        let legacy = RingProfile.all.filter {
            $0.commands[LegacyRealtimeHeartRate.opcode] == .answers
        }
        #expect(legacy.map(\.model) == ["R02"])
        let raw = RingProfile.all.filter { $0.commands[RawSensors.opcode] == .answers }
        #expect(raw.map(\.model) == ["R02", "R08"])
        let disturbed = RingProfile.all.filter { $0.commands[DoNotDisturb.opcode] != .refuses }
        #expect(disturbed.isEmpty)
        for profile in RingProfile.all {
            #expect((try? FirmwareVersion(parsing: profile.firmware)) != nil)
            #expect((try? HardwareVersion(parsing: profile.hardware)) != nil)
        }
    }

    /// `true` if the catalogue decodes the frame, and encodes the same one.
    private static func isUnderstood(_ frame: Frame) -> Bool {
        guard let form = CommandCatalog.entry(opcode: frame.opcode)?.reply else { return false }
        return (try? form.reencode(frame)) == frame
    }

    private static func isUnderstood(_ frame: BigDataFrame) -> Bool {
        if frame.isSingleZero { return true }
        let entry = BigDataCatalog.entries.first { $0.replyID == frame.id }
        guard let form = entry?.reply else { return false }
        return (try? form.reencode(frame.payload)) == frame.payload
    }
}
