import HaloDevices

/// Turns the nearest LED strip on and orange.
func lightStrip(over bluetooth: some BLETransport) async throws {
    let strip = try await LEDStrip.connect(over: bluetooth)
    try await strip.turnOn()
    try await strip.set(LEDColour(red: 255, green: 128))
    let state = try await strip.state()
    print("strip: \(state.isOn == true ? "on" : "off"), red \(state.lastColour.red)")
    await strip.disconnect()
    print("disconnected")
}
