struct InfoVerb: Verb {
    private let request: DeviceRequest

    static let syntax = VerbSyntax(
        "info", "shows everything about a device: versions, battery, abilities, settings",
        options: [DeviceRequest.setClock],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: one of type device (kind, name, address, battery, isCharging, \
            information; of a ring firmware, hardware, abilities, abilitiesByBoard; of a strap \
            location; of a strip those of strip status), and, for a ring, one of type setting for \
            each setting
            """,
        difference: "a setting of the ring could not be read",
        examples: [
            "halo info",
            "halo info --virtual=r10 --json",
        ],
        """
        Connects to a device, and prints what it reports about itself. Changes nothing on
        the device, not even its clock, unless --set-clock is given.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        let access = try await DeviceAccess(request, isShown: false, &console)
        let device = try await access.connect(to: access.find())
        return try await device.whileConnected(&console) { (console) async throws(Failure) in
            device.remarkOnOldClock(&console)
            return try await device.show(&console)
        }
    }
}
