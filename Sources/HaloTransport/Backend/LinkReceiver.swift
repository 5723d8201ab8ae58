/// Whom a backend tells what happens on a link: values that came together are told together.
package struct LinkReceiver: Sendable {
    /// Something has happened.
    package let event: @Sendable (LinkEvent) -> Void
    /// A characteristic has had values, one after the other.
    package let values: @Sendable (AttributeID, [[UInt8]]) -> Void

    /// Whoever is told of one thing at a time.
    package init(_ event: @escaping @Sendable (LinkEvent) -> Void) {
        self.event = event
        values = { attribute, values in
            for value in values { event(.value(attribute, value)) }
        }
    }

    /// The centre of a link; who holds this does not hold that.
    init(_ hub: LinkHub) {
        event = { [weak hub] event in hub?.receive(event) }
        values = { [weak hub] attribute, values in hub?.receive(values, of: attribute) }
    }
}
