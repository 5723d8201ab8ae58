/// How much an air keeps at most: what a device or an app sends beyond it is dropped and counted,
/// or refused.
public enum AirLimits {
    /// Packets of a device that wait for a link to carry them; more are dropped.
    public static let packetsToCentral = 1_024
    /// Writes without response that wait for the radio; the next one waits its turn.
    public static let commandsInController = 8
    /// Operations of a link that wait for their turn; more are refused as overloaded.
    public static let operations = 256
    /// The longest value of an attribute; what a device sends beyond it is cut.
    public static let valueLength = 512
    /// Things to be told that nobody has taken; more values and discoveries are dropped.
    public static let outputs = 65_536
    /// How long a device may take to answer a request, in microseconds: thirty seconds.
    public static let answerMicroseconds: Int64 = 30_000_000
    /// The MTU of a link on which nothing else was agreed.
    public static let defaultMTU = 23
    /// The MTU that this air's centrals agree to at most.
    public static let centralMTU = 247
}
