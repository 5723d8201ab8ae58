import HaloCapture
import HaloSimulator
import HaloTraffic

/// A recorded device as one of this program's: only its link is controlled.
extension ReplayDevice: ControlledDevice {
    static var keys: [SimulatorKey] { [] }

    mutating func execute(_ command: SimulatorCommand, percent: Int?) -> String? { nil }

    var conclusion: String? { "\(report)" }

    private static let advice =
        "'halo import' reads logs, and parts of them, and makes a capture that can be played."

    /// Reads the recording: a capture, or traffic in another format.
    init(reading path: FilePath, _ console: inout Console) throws(Failure) {
        var options = ImportOptions()
        options.device = .all
        let held = HeldConversation(InputFile(path, options), &console)
        if let problem = held.end.problem {
            // No verb that plays a file can do so with one that it cannot read.
            throw Failure(
                .unusable, problem.message, advice: problem.advice ?? Self.advice, problem.members)
        }
        // A recording of some days stands in for a ring that holds no others.
        var replay = ReplayOptions.lenient
        replay.unrecordedValues = .noData
        self.init(held.capture, replay)
    }
}
