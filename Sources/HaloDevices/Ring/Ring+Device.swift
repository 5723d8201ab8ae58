public import HaloProtocol
internal import HaloTransport

/// What a ring says of itself, and what it can be told to do at once.
extension Ring {
    /// How full the battery is.
    public nonisolated(nonsending) func battery() async throws(DeviceError) -> BatteryCharge {
        BatteryCharge(try await need(Inquiry(Battery.Request())))
    }

    /// What the ring says in its Device Information service, as far as it says anything.
    public nonisolated(nonsending) func deviceInformation() async throws(DeviceError)
        -> DeviceInformation
    {
        try await core.readInformation()
    }

    /// Lights the ring's green light for about ten seconds.
    ///
    /// Whether rings answer is not known: silence is taken for a yes.
    public nonisolated(nonsending) func findMe() async throws(DeviceError) {
        try await tell(Inquiry(FindDevice.Request()))
    }

    /// Blinks the ring's green light twice; the H59 band vibrates instead.
    ///
    /// Not all firmware answers: silence is taken for a yes.
    public nonisolated(nonsending) func blink() async throws(DeviceError) {
        try await tell(Inquiry(BlinkLight.Request()))
    }

    private nonisolated(nonsending) func tell<Value: Sendable>(
        _ inquiry: Inquiry<Value>
    ) async throws(DeviceError) {
        do throws(DeviceError) {
            _ = try await value(inquiry)
        } catch {
            guard error.kind == .timedOut, error.bleError == nil else { throw error }
        }
    }

    /// Sets the clock anew, when the wall clock or the time zone has changed; gives what the ring
    /// says that it can do.
    ///
    /// Nothing is read before, unlike when connecting: what the ring has stored keeps the day and
    /// the time of the old clock.
    @discardableResult
    public nonisolated(nonsending) func setClock(
        _ zone: ClockPolicy.Zone = .local
    ) async throws(DeviceError) -> Capabilities {
        try await core.setClock(zone, language: options.language)
        return capabilities
    }

    /// Pairs with the ring if it is known to want that, as ``Dialect/bondIsUseful`` says.
    ///
    /// No ring demands a bond: what is here works without. Some are reported to be lost without
    /// one where a phone's app is in the background. Gives `false` where nothing is known of the
    /// kind, and where the backend leaves pairing to the system; ``BLELink/pair()`` of ``link``
    /// pairs with any device.
    @discardableResult
    public nonisolated(nonsending) func pairIfUseful() async throws(DeviceError) -> Bool {
        guard dialect.bondIsUseful.value == true else { return false }
        guard let link else { throw DeviceError(.disconnected) }
        do throws(BLEError) {
            try await link.pair()
        } catch {
            guard error.kind == .notSupportedHere else { throw DeviceError(error) }
            return false
        }
        return true
    }
}
