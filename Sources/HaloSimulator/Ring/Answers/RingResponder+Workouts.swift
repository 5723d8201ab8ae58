internal import HaloProtocol

extension RingResponder {
    /// Workouts while they run.
    static let workouts = [
        RingResponder(WorkoutControl.self) { ring, request, now in
            .frames(ring.control(request, at: now))
        }
    ]
}

extension RingRecordResponder {
    /// Workouts that were stored.
    static let recordings = [
        RingRecordResponder(WorkoutList.self) { ring, request, _ in
            let list = ring.memory.workouts.filter { ring.key(of: $0.start) > request.after }
                .compactMap { ring.record(of: $0) }
            guard !list.isEmpty, let reply = try? WorkoutList.Reply(workouts: list) else {
                return .records([BigDataNothing(id: WorkoutList.replyID).frame])
            }
            return .record(reply)
        },
        RingRecordResponder(WorkoutDetail.self) { ring, request, _ in
            let found = ring.memory.workouts.first {
                ring.key(of: $0.start) == request.start && Reported($0.sport) == request.sport
            }
            guard let found else { return .record(WorkoutDetail.Reply.unknownWorkout) }
            return .records(ring.recording(of: found))
        },
    ]
}
