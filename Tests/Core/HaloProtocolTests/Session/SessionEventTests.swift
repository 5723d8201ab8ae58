import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 6: unsolicited frames.
@Suite(.computes) struct SessionEventTests {
    private var driver = SessionDriver()

    @Test mutating func notificationsAreEventsAtAnyMoment() throws {
        let push = try frame("73 0C 2B 01")
        let event = RingSession.Event.notification(try RingNotification.Reply(decoding: push))
        driver.ring(push)
        #expect(driver.drainEvents() == [event])
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.ring(push)
        #expect(driver.drainEvents() == [event])
        #expect(driver.session.openRequestCount == 1)
    }

    @Test mutating func framesOfKnownAndUnknownCommandsAreToldApart() throws {
        let size = try frame("2F F4")
        let unknown = try frame("B7 01 02")
        let refusal = try frame("9E EE")
        driver.ring(size, unknown, refusal)
        #expect(
            driver.drainEvents() == [.unsolicited(size), .unknown(unknown), .unsolicited(refusal)])
    }

    @Test mutating func aBrokenFrameIsReportedAndWaitedOut() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        var bytes = Array(Battery.Reply.level(9).bytes)
        bytes[15] ^= 1
        driver.ring(bytes: bytes)
        driver.ring(bytes: [])
        driver.ring(bytes: [UInt8](repeating: 3, count: 4000))
        let events = driver.drainEvents()
        #expect(events.count == 3)
        guard case .brokenFrame(bytes, let error) = events[0],
            case .brokenFrame([], let short) = events[1],
            case .brokenFrame(let long, _) = events[2]
        else {
            Issue.record("\(events)")
            return
        }
        #expect(error.kind == .wrongChecksum)
        #expect(short.kind == .wrongLength)
        #expect(long.count == 512)
        #expect(driver.completion(pending) == nil)
        driver.ring(Battery.Reply.level(9))
        #expect(try driver.answer(pending).value?.percent == 9)
    }

    @Test mutating func framesOfTheUARTChannelAreAcceptedOnTheOtherToo() throws {
        let pending = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.ring(bytes: Array(Battery.Reply.level(9).bytes), on: .bigData)
        #expect(try driver.answer(pending).value?.percent == 9)
    }

    @Test mutating func aSessionHasNoEffectsAfterItsLink() throws {
        let out = driver.app { $0.send(Battery.Request(), at: $1) }
        let waiting = driver.app { $0.send(TodayTotals.Request(), at: $1) }
        let stream = driver.app { $0.start(.rawSensors, at: $1) }
        driver.app { $0.disconnect(at: $1) }
        #expect(driver.failure(out) == .disconnected)
        #expect(driver.failure(waiting) == .disconnected)
        #expect(driver.drainReports() == [.ended(.disconnected)])
        #expect(driver.session.deadline == nil)
        let late = driver.app { $0.send(Battery.Request(), at: $1) }
        #expect(driver.failure(late) == .disconnected)
        _ = driver.app { $0.start(.rawSensors, at: $1) }
        #expect(driver.drainReports() == [.ended(.disconnected)])
        driver.ring(Battery.Reply.level(9))
        driver.app { session, now in
            session.cancel(out.number, at: now)
            session.stop(stream, at: now)
            session.disconnect(at: now)
        }
        driver.wait(.seconds(60))
        #expect(driver.drainEvents() == [])
        #expect(driver.repeatedEnds == 0)
    }

    /// A fault of the package's own code stops a debug build; a release build goes on and reports
    /// it.
    @Test mutating func faultsOfThePackageAreReported() async {
        let fault = RingSession.Event.fault("a test's")
        #expect(fault.description == "a fault of this package, please report it: a test's")
        #if DEBUG
        await #expect(processExitsWith: .failure) {
            var session = RingSession()
            session.reportFault("a test's")
        }
        #else
        driver.app { session, _ in session.reportFault("a test's") }
        #expect(driver.drainEvents() == [fault])
        #endif
    }

    @Test func errorsAreSentences() {
        let kinds: [SessionError.Kind] = [
            .timedOut, .incomplete, .malformed, .cancelled, .disconnected, .overloaded,
            .otherRequest, .tooLong,
        ]
        let texts = kinds.map { SessionError($0).description }
        #expect(Set(texts).count == kinds.count)
        #expect(texts.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true })
        let missing = PacketError(
            .missing, packet: PacketName("StressLog", "Part"), field: "index", at: 1,
            expected: 3...3)
        #expect(
            SessionError(.incomplete, packetError: missing).description
                == "The ring's reply is incomplete: StressLog.Part, index at byte 1: "
                + "part 3 never came.")
        let completion = Completion(number: RequestNumber(rawValue: 4), attempts: 1)
        #expect(completion.description == "#4: The ring has answered. (sent once)")
    }
}
