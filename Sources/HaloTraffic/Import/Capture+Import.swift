public import HaloCapture

extension Capture {
    /// Takes a conversation out of the bytes of a file of traffic.
    ///
    /// The whole capture is held in memory; for large files there is ``CaptureImporter``.
    public init(
        importing bytes: some Sequence<UInt8>, _ options: ImportOptions = ImportOptions()
    ) throws(TrafficError) {
        let bytes = ContiguousArray(bytes)
        var survey = try TrafficSurvey(options)
        try survey.read(bytes.span)
        try survey.finish()
        var importer = try CaptureImporter(survey.report, options)
        try importer.read(bytes.span)
        try importer.finish()
        let limits = CaptureReader.Limits(lineLength: 65_536, length: .max, lineCount: .max)
        var reader = CaptureReader(limits: limits)
        do throws(CaptureError) {
            try reader.read(importer.takeText())
            self = try reader.finish()
        } catch {
            throw TrafficError(.malformed, at: 0, hint: "the capture made of it is not one")
        }
    }
}
