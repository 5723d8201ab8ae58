import HaloCapture
import HaloTraffic

/// One way of reading a file of traffic, done in a process of its own, so that its memory can be
/// told from everybody else's.
enum ImportPass: String, CaseIterable {
    /// What is in it.
    case survey
    /// All of it as a capture's text, which is thrown away.
    case text
    /// Every packet decoded and counted.
    case census

    /// What a pass over a file came to.
    struct Outcome {
        var records = 0
        var seconds = 0.0
        var peakMegabytes = 0.0
    }

    /// The argument that makes this program do a pass.
    static let argument = "--import-pass"

    /// Does it and prints what came of it, if the arguments ask for it.
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

    /// Every import begins with a survey.
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
                importer.takeText { length += $0.count }
            }
            try importer.finish()
            importer.takeText { length += $0.count }
            guard length > report.byteCount / 2 else {
                throw WorkloadFault(reason: "only \(length) bytes of text")
            }
        case .census:
            var census = try TrafficCensus(report)
            try FileInput.readPieces(of: path) { (bytes) throws(TrafficError) in
                try census.read(bytes)
            }
            try census.finish()
            let counted = census.census
            guard counted.faultCount == 0, counted.count > report.recordCount * 9 / 10 else {
                throw WorkloadFault(reason: "\(counted.faultCount) packets cannot be read")
            }
        }
        return report.recordCount
    }
}
