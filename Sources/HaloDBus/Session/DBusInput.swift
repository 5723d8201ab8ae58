#if os(Linux)
/// Messages that have come and are not looked at yet.
///
/// They are read without the session: who wants something of it does not wait for that.
struct DBusInput: Sendable {
    enum Item: Sendable {
        /// Values of one property that came one after the other, and where its header is kept.
        case values(DBusPropertyValues, place: Int)
        case message(DBusMessage, DBusDescriptors?)
        /// What cannot be read; nothing comes after it.
        case malformed(DBusWireError)
    }

    private var stream = DBusMessageStream()
    /// Nothing but messages comes from now on.
    private var isLetIn = false
    private var items: [Item?] = []
    /// The values that came last, to which more may come.
    private var row: (values: DBusPropertyValues, place: Int)?

    /// Whether a message has begun that is not complete.
    var isInsideMessage: Bool { stream.isInsideMessage }

    /// Reads what came; `authenticate` takes what comes before messages do, and says where those
    /// begin, once they do.
    mutating func append(
        _ bytes: Span<UInt8>, _ descriptors: DBusDescriptors? = nil,
        authenticate: (Span<UInt8>) -> Int?
    ) {
        let start = isLetIn ? 0 : authenticate(bytes)
        isLetIn = start != nil
        stream.append(bytes.extracting((start ?? bytes.count)..<bytes.count), descriptors)
        do throws(DBusWireError) {
            while true {
                if let news = stream.nextNews() {
                    add(news)
                } else if let (message, descriptors) = try stream.next() {
                    endRow()
                    items.append(.message(message, descriptors))
                } else {
                    return endRow()
                }
            }
        } catch {
            endRow()
            items.append(.malformed(error))
        }
    }

    /// Hands out all that was read, in order, as long as it is wanted.
    mutating func takeAll(while isWanted: (consuming Item) -> Bool) {
        for index in items.indices {
            guard let item = items[index].take(), isWanted(item) else { break }
        }
        items.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ news: DBusNews) {
        guard row?.values.source !== news.source else {
            row?.values.values.append(news.value)
            return
        }
        endRow()
        row = (DBusPropertyValues(source: news.source, values: [news.value]), news.place)
    }

    private mutating func endRow() {
        guard let (values, place) = row.take() else { return }
        items.append(.values(values, place: place))
    }
}
#endif
