import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 7 for recordings of workouts: a layout, then its number of packages.
@Suite(.computes) struct SessionRecordingTests {
    private var driver = SessionDriver()

    private let request = WorkoutDetail.Request(
        sport: Reported(.run), start: CivilDateTime(secondsSince1970: 1_785_000_000))
    private let layout = WorkoutDetail.Reply(WorkoutDetail.Layout(packageCount: 3))
    private let packages: [WorkoutSamples.Reply]

    init() throws {
        packages = try (1...3).map {
            try WorkoutSamples.Reply(package: $0, samples: [UInt8](repeating: $0, count: 4))
        }
    }

    @Test mutating func layoutAndPackagesAreOneAnswer() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(layout.frame, packages[0].frame, packages[1].frame, packages[2].frame)
        let recording = try #require(try driver.answer(pending).value)
        #expect(recording.packages == packages)
        #expect(recording.heartRates == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
        #expect(driver.session.deadline == nil)
    }

    @Test mutating func packagesMayComeTwiceAndInAnyOrder() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(packages[1].frame, layout.frame, packages[0].frame, packages[0].frame)
        #expect(driver.completion(pending) == nil)
        driver.ring(packages[2].frame)
        #expect(try driver.answer(pending).value?.packages == packages)
    }

    @Test mutating func aMissingPackageIsAskedForAtOnce() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(layout.frame, packages[0].frame, packages[2].frame)
        driver.wait(.milliseconds(10))
        #expect(driver.drainRecords().count == 2)
        driver.ring(layout.frame, packages[0].frame, packages[1].frame)
        #expect(try driver.answer(pending).value?.packages == packages)
    }

    @Test func anIncompleteRecordingCanBeRead() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(layout.frame, packages[0].frame, packages[2].frame)
        let completion = try #require(driver.completion(pending))
        #expect(completion.error?.kind == .incomplete)
        #expect(completion.error?.packetError?.expected == 2...2)
        #expect(pending.partial(completion)?.packages == [packages[0], packages[2]])
    }

    @Test func anUnknownWorkoutIsNoData() throws {
        for frame in [
            WorkoutDetail.Reply.unknownWorkout.frame,
            BigDataNoData(id: WorkoutDetail.replyID).frame,
        ] {
            var driver = SessionDriver()
            let pending = driver.app { [request] in $0.send(request, at: $1) }
            driver.ring(frame)
            #expect(try driver.answer(pending) == .noData)
        }
    }

    @Test func packagesAreCountedFromOne() throws {
        let zero = try WorkoutSamples.Reply(package: 0, samples: []).frame
        var pieces = WorkoutPieces()
        let wrong = PacketError(
            .outOfOrder, packet: WorkoutSamples.Reply.name, field: "package", at: 0, found: 0)
        if case .broken(wrong) = pieces.receive(package: zero) {} else { Issue.record("package 0") }
    }

    @Test mutating func aPackageThatIsNotAnnouncedIsNoneOfIt() throws {
        let pending = driver.app { [request] in $0.send(request, at: $1) }
        let stray = try WorkoutSamples.Reply(package: 9, samples: []).frame
        driver.ring(stray, layout.frame, stray)
        #expect(driver.drainEvents() == [.unsolicitedRecord(stray)])
        driver.ring(packages[0].frame, packages[1].frame, packages[2].frame)
        #expect(try driver.answer(pending).value?.packages == packages)
    }
}
