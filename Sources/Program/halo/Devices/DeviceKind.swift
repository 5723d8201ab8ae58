import HaloDevices
import HaloProtocol
import HaloTransport

/// A kind of device that the program uses and simulates; ``all`` lists them.
struct DeviceKind: Sendable {
    let name: String
    /// The device in a sentence, with its article: `a ring`.
    let withArticle: String
    let classification: RingRecognition.Classification
    /// The services by which a device is found that the system is connected to.
    let services: [BluetoothUUID]
    /// The names of its virtual devices, the usual one first.
    let models: [String]
    /// What `halo live` can measure with it, on some models at least.
    let measures: [LiveKind]
    let simulated: any ControlledDevice.Type
    let virtual: @Sendable (_ model: String, VirtualWear) -> (any ControlledDevice)?
    /// With `setsClock`, a device with a clock gets the time of this computer.
    let connect:
        @Sendable (
            Discovery, any BLETransport, _ setsClock: Bool
        ) async throws(DeviceError) -> any ConnectedDevice

    /// All kinds. If no device is named, the first one that is there is used.
    static let all: [DeviceKind] = [.ring, .strap, .strip]

    static let names = all.map { $0.name }
    static let quotedNames = TextLayout.alternatives(names.map { "'\($0)'" })
    /// All kinds in a sentence: `rings and straps`.
    static let plurals = TextLayout.enumeration(all.map { $0.noun + "s" })
    static let models = all.flatMap { $0.models }

    /// The kind with a name, in upper or lower case.
    static func named(_ name: String) -> DeviceKind? {
        all.first { $0.name == name.lowercased() }
    }

    static func measuring(_ live: LiveKind) -> [DeviceKind] {
        all.filter { $0.measures.contains(live) }
    }

    static func virtual(_ model: String, _ wear: VirtualWear) -> (any ControlledDevice)? {
        all.first { $0.models.contains(model) }?.virtual(model, wear)
    }

    /// A ring with another protocol and the Heart Rate service is read as a strap.
    static func of(_ discovery: Discovery) -> DeviceKind? {
        let recognition = discovery.recognition
        return all.first { $0.classification == recognition.classification }
            ?? (recognition.clues.contains(.heartRateService) ? .strap : nil)
    }

    var keys: [SimulatorKey] { simulated.keys }

    var commands: [SimulatorCommand] { simulated.commands }

    /// The device in a sentence: `ring`.
    var noun: String { String(withArticle.drop { $0 != " " }.dropFirst()) }

    /// Words that begin with a noun, with its article: `an LED strip`.
    static func withArticle(_ words: String) -> String {
        let kind = all.first { words.hasPrefix($0.noun) }
        return "\(kind?.withArticle.prefix { $0 != " " } ?? "a") \(words)"
    }

    /// Kinds in a sentence: `ring or strap`.
    static func words(_ kinds: [DeviceKind]) -> String {
        TextLayout.alternatives(kinds.map { $0.noun })
    }
}

extension DeviceKind: Equatable {
    static func == (left: DeviceKind, right: DeviceKind) -> Bool { left.name == right.name }
}

/// Calls a function that receives what a device sends, until a moment. A device that sends nothing
/// more, or whose link is lost, is not waited for: the function is cancelled a little later.
///
/// - Parameter body: A function that gets another one, which shows how much of the time is over.
nonisolated(nonsending) func receive(
    until end: Moment, _ time: any TransportTime, _ progress: Progress,
    _ body: @escaping @Sendable (_ showProgress: () -> Void) async throws(DeviceError) -> Void
) async throws(DeviceError) {
    let isOver = Locked(false)
    let begun = time.now()
    let work = Task {
        var progress = progress
        defer { progress.end() }
        return await Result.catching { () async throws(DeviceError) in
            try await body {
                progress.show(time.now().duration(since: begun) / end.duration(since: begun))
            }
        }
    }
    let timer = time.schedule(at: end + .seconds(5)) {
        isOver.withLock { $0 = true }
        work.cancel()
    }
    defer { timer.cancel() }
    let result = await withTaskCancellationHandler {
        await work.value
    } onCancel: {
        work.cancel()
    }
    if Task.isCancelled { throw DeviceError(.cancelled) }
    if case .failure(let error) = result, !isOver.withLock({ $0 }) { throw error }
}
