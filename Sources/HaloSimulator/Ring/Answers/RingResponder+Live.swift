internal import HaloProtocol

extension RingResponder {
    /// Measurements that run now, and gestures.
    static let live = [
        RingResponder(ReceivedRealtimeRequest.self) { ring, request, now in
            ring.measure(request, at: now)
            return .silence
        },
        RingResponder(StopMeasurement.self) { ring, request, now in
            .frames(ring.stopMeasuring(request.quantity, at: now))
        },
        RingResponder(LegacyRealtimeHeartRate.self) { ring, request, now in
            switch request.action {
            case .start: ring.legacy = LegacyStream(at: now)
            case .continue, .continueAsDigit:
                ring.legacy?.goOn(at: now)
            case .stop: ring.legacy = nil
            }
            ring.loadChanged(at: now)
            return .silence
        },
        RingResponder(RawSensors.self) { ring, request, now in
            switch request.action {
            case .start: ring.rawStream = now
            case .stop: ring.rawStream = nil
            case .once: return .frames(ring.rawFrames(at: now))
            }
            ring.loadChanged(at: now)
            return .silence
        },
        RingResponder(Camera.self) { ring, request, _ in
            switch request.action {
            case .enter:
                ring.isCameraOpen = true
                return .reply(Camera.Reply(.entered))
            case .keepAlive:
                return .reply(Camera.Reply(.nothing))
            case .leave:
                ring.isCameraOpen = false
                return .reply(Camera.Reply(.finished))
            }
        },
    ]
}
