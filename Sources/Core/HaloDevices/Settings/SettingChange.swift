/// A change of parts of a setting, for ``Ring/change(_:_:)``.
public struct SettingChange<Value> {
    private(set) var value: Value
    /// The places of the parts; `nil` for all.
    private var parts: Set<PartialKeyPath<Value>>?

    init(ofAll value: Value) {
        self.value = value
    }

    /// Creates a change without parts of a value that was read.
    init(of value: Value) {
        self.value = value
        parts = []
    }

    /// Sets a part. It is written even if it has the same value as before.
    public mutating func set<Part>(_ path: WritableKeyPath<Value, Part>, to part: Part) {
        value[keyPath: path] = part
        parts?.insert(path)
    }

    /// The new value of a part; `nil` if it is not written.
    subscript<Part>(_ path: KeyPath<Value, Part>) -> Part? {
        parts?.contains(path) ?? true ? value[keyPath: path] : nil
    }
}
