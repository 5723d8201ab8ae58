internal import HaloProtocol
internal import HaloTransport

/// The reply to a request, which the request itself decodes: what a task, or a step of preparing a
/// link, waits for.
struct RingReply: Sendable {
    /// The frames of a complete reply, or the error. The error has the frames of an incomplete one.
    let result: Result<ReceivedAnswer, DeviceError>
    let asked: Moment
    /// The moment at which the request has ended.
    let answered: Moment
}

extension RingRequest {
    func answer(_ reply: RingReply) -> Result<Answer<Value>, DeviceError> {
        reply.result.flatMap { received in
            do throws(PacketError) {
                return .success(try answer(received))
            } catch {
                let malformed = SessionError(.malformed, packetError: error, received: received)
                return .failure(DeviceError(malformed, command: command))
            }
        }
    }

    /// Decodes an incomplete reply as far as possible, or returns `nil`.
    func partial(_ reply: RingReply) -> Value? {
        guard case .failure(let error) = reply.result else { return nil }
        return error.sessionError.flatMap { partial($0.received) }
    }
}
