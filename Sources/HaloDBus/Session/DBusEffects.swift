#if os(Linux)
/// What has happened and nobody was told yet, in order. Values of one property that come one after
/// the other are one thing that has happened.
struct DBusEffects: Sendable {
    private var effects: [DBusSession.Effect] = []
    /// Values that came last, to which more may come.
    private var row: (values: DBusPropertyValues, subscriptions: [UInt32])?

    /// How much there is, each value counted.
    var count: Int { effects.count + (row?.values.values.count ?? 0) }

    mutating func append(_ effect: DBusSession.Effect) {
        endRow()
        effects.append(effect)
    }

    /// Whether the values that came last are of the same property.
    func expects(_ news: DBusNews) -> Bool { row?.values.source === news.source }

    /// Adds a value: behind the others if they are of the same property, or for those who want it.
    mutating func append(_ news: DBusNews, for subscriptions: [UInt32]) {
        guard !expects(news) else {
            row?.values.values.append(news.value)
            return
        }
        endRow()
        row = (DBusPropertyValues(source: news.source, values: [news.value]), subscriptions)
    }

    mutating func take() -> [DBusSession.Effect] {
        endRow()
        defer { effects = [] }
        return effects
    }

    private mutating func endRow() {
        guard let row else { return }
        effects.append(.values(row.values, row.subscriptions))
        self.row = nil
    }
}
#endif
