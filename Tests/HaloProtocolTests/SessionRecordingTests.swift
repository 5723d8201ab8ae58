import Testing

@testable import HaloProtocol

/// Rule 7 for the recordings of workouts: a layout, then as many packages as it says.
@Suite struct SessionRecordingTests {
    private let request = WorkoutDetail.Request(
        sport: Reported(.run), start: CivilDateTime(secondsSince1970: 1_785_000_000))
    private let layout = WorkoutDetail.Reply(WorkoutDetail.Layout(packages: 3))
    private let packages: [WorkoutSamples.Reply]

    init() throws {
        packages = try (1...3).map {
            try WorkoutSamples.Reply(package: $0, samples: [UInt8](repeating: $0, count: 4))
        }
    }

    @Test func layoutAndPackagesAreOneAnswer() throws {
        var driver = SessionDriver()
        let ticket = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(layout.frame, packages[0].frame, packages[1].frame, packages[2].frame)
        let recording = try #require(try driver.answer(ticket).value)
        #expect(recording.packages == packages)
        #expect(recording.heartRates == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
        #expect(driver.session.deadline == nil)
    }

    @Test func packagesMayComeTwiceAndInAnyOrder() throws {
        var driver = SessionDriver()
        let ticket = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(packages[1].frame, layout.frame, packages[0].frame, packages[0].frame)
        #expect(driver.completion(ticket) == nil)
        driver.ring(packages[2].frame)
        #expect(try driver.answer(ticket).value?.packages == packages)
    }

    @Test func aMissingPackageIsAskedForAtOnce() throws {
        var driver = SessionDriver()
        let ticket = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(layout.frame, packages[0].frame, packages[2].frame)
        driver.wait(.milliseconds(10))
        #expect(driver.takeRecords().count == 2)
        driver.ring(layout.frame, packages[0].frame, packages[1].frame)
        #expect(try driver.answer(ticket).value?.packages == packages)
    }

    @Test func whatCameOfARecordingCanBeRead() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let ticket = driver.app { [request] in $0.send(request, at: $1) }
        driver.ring(layout.frame, packages[0].frame, packages[2].frame)
        let completion = try #require(driver.completion(ticket))
        #expect(completion.error?.kind == .incomplete)
        #expect(completion.error?.packetError?.expected == 2...2)
        #expect(ticket.partial(completion)?.packages == [packages[0], packages[2]])
    }

    @Test func anUnknownWorkoutIsNoData() throws {
        for frame in [
            WorkoutDetail.Reply.unknownWorkout.frame,
            BigDataNothing(id: WorkoutDetail.replyID).frame,
        ] {
            var driver = SessionDriver()
            let ticket = driver.app { [request] in $0.send(request, at: $1) }
            driver.ring(frame)
            #expect(try driver.answer(ticket) == .noData)
        }
    }

    @Test func aPackageThatIsNotAnnouncedIsNoneOfIt() throws {
        var driver = SessionDriver()
        let ticket = driver.app { [request] in $0.send(request, at: $1) }
        let stray = try WorkoutSamples.Reply(package: 9, samples: []).frame
        driver.ring(layout.frame, stray)
        #expect(driver.takeEvents() == [.unsolicitedRecord(stray)])
        driver.ring(packages[0].frame, packages[1].frame, packages[2].frame)
        #expect(try driver.answer(ticket).value?.packages == packages)
    }
}
