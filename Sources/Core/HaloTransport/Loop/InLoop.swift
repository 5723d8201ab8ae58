/// A state that is used in the turns of a loop only.
@usableFromInline
package final class InLoop<State>: @unchecked Sendable {
    @usableFromInline package let loop: TransportLoop
    @usableFromInline var state: State

    package init(_ loop: TransportLoop, _ state: sending State) {
        self.loop = loop
        self.state = state
    }

    /// Calls a function with the state. It must not lead to another call with the same state.
    @discardableResult
    @inlinable
    package func run<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try loop.run { () throws(Failure) in try body(&state) }
    }
}
