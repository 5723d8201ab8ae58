import HaloDevices

struct FindVerb: Verb {
    private let request: DeviceRequest
    private let blinks: Bool

    private static let blink = Flag("blink", "blinks twice, instead of ten seconds of light")

    static let syntax = VerbSyntax(
        "find", "makes a ring light up, so that you can find it", options: [blink],
        deviceOptions: DeviceRequest.options,
        json: "one JSON object: type (find), name, address",
        examples: [
            "halo find",
            "halo find --device R02_A1B2",
        ],
        """
        Turns the ring's green light on for about ten seconds. Rings do not confirm
        this; an H59 band vibrates instead of blinking.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        blinks = arguments.has(Self.blink)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let ring = try await request.withRing(&console) { (ring, _) async throws(Failure) in
            try await using { () async throws(DeviceError) in
                if blinks { try await ring.blink() } else { try await ring.findMe() }
            }
            return ring
        }
        console.write(
            type: "find", ["name": ring.name, "address": ring.identity.rawValue],
            or: "\(ring.displayName.printable) was asked to \(blinks ? "blink" : "light up")\n")
        return .success
    }
}
