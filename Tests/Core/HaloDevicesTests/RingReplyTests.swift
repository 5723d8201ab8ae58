import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices
@testable import HaloProtocol

/// Replies as a task awaits them, decoded by the request that was sent.
@Suite(.passesTime) struct RingReplyTests {
    private static let log = try? HeartRateLog.Reply(
        day: HeartRateLog.Day(time: CivilDateTime(secondsSince1970: 0)), minutesPerSample: 5,
        samples: [UInt8](repeating: 60, count: 288))
    private static let request = RingRequest(
        HeartRateLog.Request(day: CivilDateTime(secondsSince1970: 0).date))

    private static func reply(_ result: Result<ReceivedAnswer, DeviceError>) -> RingReply {
        RingReply(result: result, asked: .origin, answered: .origin + .seconds(1))
    }

    private static func received(of parts: Range<Int>) throws -> ReceivedAnswer {
        ReceivedAnswer(frames: Array(try #require(log).frames[parts]))
    }

    @Test func aCompleteReplyIsDecodedByItsRequest() throws {
        let frames = try #require(Self.log).frames
        let reply = Self.reply(.success(ReceivedAnswer(frames: frames)))
        #expect(try Self.request.answer(reply).get() == .value(try #require(Self.log)))
        #expect(Self.request.partial(reply) == nil)
    }

    @Test func aReplyThatCannotBeDecodedIsAnErrorOfItsCommand() throws {
        // The session has taken it for complete, so it is no reply with gaps.
        let received = try Self.received(of: 0..<3)
        let reply = Self.reply(.success(received))
        #expect(throws: DeviceError.self) { try Self.request.answer(reply).get() }
        guard case .failure(let error) = Self.request.answer(reply) else { return }
        #expect(error.kind == .badReply && error.command == HeartRateLog.name)
        #expect(error.sessionError?.kind == .malformed)
        #expect(error.sessionError?.received == received)
        #expect(Self.request.partial(reply) == nil)
    }

    @Test func aReplyWithGapsIsAnErrorWithAPart() throws {
        let incomplete = SessionError(.incomplete, received: try Self.received(of: 0..<3))
        let error = DeviceError(incomplete, command: HeartRateLog.name)
        let reply = Self.reply(.failure(error))
        #expect(Self.request.answer(reply) == .failure(error))
        let part = try #require(Self.request.partial(reply))
        #expect(part.samples.contains(60) && part.samples.contains(0))
        let count = Self.request.map { $0.samples.count { $0 != 0 } }
        #expect(count.partial(reply) == part.samples.count { $0 != 0 })
        #expect(count.answer(reply) == .failure(error))
    }

    @Test func aValueMadeOfAReplyKeepsTheRulesOfItsRequest() {
        var request = Self.request
        for isUrgent in [false, true] {
            request.overtakesLateReplies = isUrgent
            #expect(request.map { $0.samples.count }.overtakesLateReplies == isUrgent)
            #expect(request.untyped.overtakesLateReplies == isUrgent)
            #expect(request.untyped.repeats == request.repeats)
        }
    }

    @Test func aRequestThatWasNotSentHasNoPart() {
        let reply = Self.reply(.failure(DeviceError(.disconnected)))
        #expect(Self.request.answer(reply) == .failure(DeviceError(.disconnected)))
        #expect(Self.request.partial(reply) == nil)
    }

    @Test func aValueMadeOfAReplyKeepsRefusalsAndNoData() throws {
        let refusal = Refusal(of: HeartRateLog.opcode).frame
        let none = try Frame(decoding: [0x15, 0xFF] + [UInt8](repeating: 0, count: 13) + [0x14])
        for (frame, answer) in [(refusal, Answer<Int>.refused), (none, .noData)] {
            let received = ReceivedAnswer(frames: [frame])
            let reply = Self.reply(.success(received))
            let mapped = Self.request.map { $0.samples.count }
            #expect(mapped.answer(reply) == .success(answer))
            #expect(mapped.command == Self.request.command && mapped.channel == .uart)
            #expect(mapped.untyped.answer(reply) == .success(.value(received)))
        }
    }
}
