import HaloCapture
import HaloTraffic

/// A way of reading a file of traffic. It runs in a process of its own, so that its memory can be
/// measured.
enum ImportPass: String, CaseIterable {
    /// A survey of the file.
    case survey
    /// The whole file as the text of a capture, which is dropped.
    case text
    /// All packets, decoded and counted.
    case counts

    /// The result of a pass over a file.
    struct Outcome {
        var records = 0
        var seconds = 0.0
        var peakMegabytes = 0.0
    }

    /// The argument with which this program runs a pass.
    static let argument = "--import-pass"

    /// Runs a pass and prints its result, if the arguments request one.
    static func runIfAsked(_ arguments: [String]) -> Bool {
        guard arguments.count == 3, arguments[0] == argument,
            let pass = ImportPass(rawValue: arguments[1])
        else { return false }
        do {
            let stopwatch = Stopwatch()
            let records = try pass.run(arguments[2])
            let seconds = stopwatch.milliseconds / 1000
            print("\(records) \(seconds) \(peakMegabytes())")
        } catch {
            print("\(error)")
        }
        return true
    }

    /// Runs the pass; every import begins with a survey.
    private func run(_ path: String) throws -> Int {
        var survey = try TrafficSurvey()
        try FileInput.readPieces(of: path) { (bytes) throws(TrafficError) in
            try survey.read(bytes)
        }
        try survey.finish()
        let report = survey.report
        switch self {
        case .survey:
            break
        case .text:
            var importer = try CaptureImporter(report)
            var length = 0
            try FileInput.readPieces(of: path) { (bytes) throws(TrafficError) in
                try importer.read(bytes)
                importer.drain { length += $0.count }
            }
            try importer.finish()
            importer.drain { length += $0.count }
            guard length > report.byteCount / 2 else {
                throw WorkloadFault(reason: "only \(length) bytes of text")
            }
        case .counts:
            var counter = try PacketCounter(report)
            try FileInput.readPieces(of: path) { (bytes) throws(TrafficError) in
                try counter.read(bytes)
            }
            try counter.finish()
            let counted = counter.counts
            guard counted.faultCount == 0, counted.count > report.recordCount * 9 / 10 else {
                throw WorkloadFault(reason: "\(counted.faultCount) packets cannot be read")
            }
        }
        return report.recordCount
    }
}
