#if os(Linux)
package import HaloTransport

/// The words of the bus for what can be done with a characteristic or a descriptor, and what a
/// link needs for it.
package enum AttributeFlags {
    private static let words: [(word: String, property: GATTProperties)] = [
        ("broadcast", .broadcast), ("read", .read),
        ("write-without-response", .writeWithoutResponse), ("write", .write),
        ("notify", .notify), ("indicate", .indicate),
        ("authenticated-signed-writes", .signedWrite), ("extended-properties", .extended),
    ]

    /// Words of devices that want an encrypted link: each means the property, too. A client is
    /// never told of them.
    private static let demands:
        [(word: String, property: GATTProperties, permission: GATTPermissions)] = [
            ("encrypt-read", .read, .readEncrypted),
            ("encrypt-write", .write, .writeEncrypted),
            ("encrypt-notify", .notify, .subscribeEncrypted),
            ("encrypt-indicate", .indicate, .subscribeEncrypted),
        ]

    /// Words that the daemon takes from a device, too, and that mean nothing here. Taken by 5.66:
    /// `authorize` and `reliable-write`; the others are from its documentation.
    private static let others: Set<String> = [
        "authorize", "reliable-write", "writable-auxiliaries", "encrypt-authenticated-read",
        "encrypt-authenticated-write", "encrypt-authenticated-notify",
        "encrypt-authenticated-indicate", "secure-read", "secure-write", "secure-notify",
        "secure-indicate",
    ]

    /// Whether the daemon takes a device that says this: there has to be a word, and none that
    /// nobody knows.
    package static func areTaken(_ flags: some Collection<String>) -> Bool {
        !flags.isEmpty
            && flags.allSatisfy { flag in
                others.contains(flag) || words.contains { $0.word == flag }
                    || demands.contains { $0.word == flag }
            }
    }

    /// The words by which a client is told what can be done.
    package static func words(for properties: GATTProperties) -> [String] {
        words.filter { properties.contains($0.property) }.map(\.word)
    }

    /// The words by which a device says what can be done, and what it demands before.
    package static func words(
        for properties: GATTProperties, demanding permissions: GATTPermissions
    ) -> [String] {
        words.flatMap { word, property -> [String] in
            guard properties.contains(property) else { return [] }
            let demand = demands.first {
                $0.property == property && permissions.contains($0.permission)
            }
            if let demand { return [demand.word] }
            // The daemon demands encryption of commands only together with requests.
            let isEncryptedCommand =
                property == .writeWithoutResponse && permissions.contains(.writeEncrypted)
                && !properties.contains(.write)
            return isEncryptedCommand ? [word, "encrypt-write"] : [word]
        }
    }

    /// What can be done, by such words; unknown ones mean nothing.
    package static func properties(of flags: some Sequence<String>) -> GATTProperties {
        flags.reduce(into: []) { properties, flag in
            for (word, property) in words where word == flag { properties.insert(property) }
            for demand in demands where demand.word == flag { properties.insert(demand.property) }
        }
    }

    /// What is demanded before, by such words.
    package static func permissions(of flags: some Sequence<String>) -> GATTPermissions {
        flags.reduce(into: []) { permissions, flag in
            for demand in demands where demand.word == flag {
                permissions.insert(demand.permission)
            }
        }
    }
}
#endif
