struct ByWay<Value: Sendable>: Sendable {
    var toController: Value
    var toHost: Value

    init(_ value: Value) {
        toController = value
        toHost = value
    }

    // A coroutine with two yields is not inlined: only changes in place need one.
    @inline(__always) subscript(way: HCIDirection) -> Value {
        get {
            switch way {
            case .toController: toController
            case .toHost: toHost
            }
        }
        _modify {
            switch way {
            case .toController: yield &toController
            case .toHost: yield &toHost
            }
        }
    }
}
