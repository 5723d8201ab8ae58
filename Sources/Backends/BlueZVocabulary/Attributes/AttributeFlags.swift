#if os(Linux)
package import HaloProtocol
package import HaloTransport

/// The daemon's flags of characteristics and descriptors: properties, and what they require.
package enum AttributeFlags {
    private static let words: [(word: String, property: GATTProperties)] = [
        ("broadcast", .broadcast), ("read", .read),
        ("write-without-response", .writeWithoutResponse), ("write", .write),
        ("notify", .notify), ("indicate", .indicate),
        ("authenticated-signed-writes", .signedWrite), ("extended-properties", .extended),
    ]

    /// Flags of hosted devices that require an encrypted link; clients never see them.
    private static let requirements:
        [(word: String, property: GATTProperties, permission: GATTPermissions)] = [
            ("encrypt-read", .read, .readEncrypted),
            ("encrypt-write", .write, .writeEncrypted),
            ("encrypt-notify", .notify, .subscribeEncrypted),
            ("encrypt-indicate", .indicate, .subscribeEncrypted),
        ]

    /// Flags that the daemon accepts of hosted devices, without a meaning here. Accepted by 5.66:
    /// `authorize` and `reliable-write`; the others are from its documentation.
    private static let others: Set<String> = [
        "authorize", "reliable-write", "writable-auxiliaries", "encrypt-authenticated-read",
        "encrypt-authenticated-write", "encrypt-authenticated-notify",
        "encrypt-authenticated-indicate", "secure-read", "secure-write", "secure-notify",
        "secure-indicate",
    ]

    /// `true` if the daemon registers an attribute with these flags: at least one, all known.
    package static func areAccepted(_ flags: some Collection<String>) -> Bool {
        !flags.isEmpty
            && flags.allSatisfy { flag in
                others.contains(flag) || words.contains { $0.word == flag }
                    || requirements.contains { $0.word == flag }
            }
    }

    /// Returns the flags of properties; of a hosted attribute with the encryption that it requires.
    package static func words(
        for properties: GATTProperties, requiring permissions: GATTPermissions = []
    ) -> [String] {
        words.flatMap { word, property -> [String] in
            guard properties.contains(property) else { return [] }
            let requirement = requirements.first {
                $0.property == property && permissions.contains($0.permission)
            }
            if let requirement { return [requirement.word] }
            // The daemon requires encryption of commands only together with requests.
            let isEncryptedCommand =
                property == .writeWithoutResponse && permissions.contains(.writeEncrypted)
                && !properties.contains(.write)
            return isEncryptedCommand ? [word, "encrypt-write"] : [word]
        }
    }

    /// Returns the properties of flags; unknown flags are ignored.
    package static func properties(of flags: some Sequence<String>) -> GATTProperties {
        flags.reduce(into: []) { properties, flag in
            for (word, property) in words where word == flag { properties.insert(property) }
            for requirement in requirements where requirement.word == flag {
                properties.insert(requirement.property)
            }
        }
    }

    package static func permissions(of flags: some Sequence<String>) -> GATTPermissions {
        flags.reduce(into: []) { permissions, flag in
            for requirement in requirements where requirement.word == flag {
                permissions.insert(requirement.permission)
            }
        }
    }
}

extension BluetoothUUID {
    /// The UUID as the daemon writes it: all 32 digits, in lower case.
    package var busText: String {
        let rest = short32 == nil ? "" : "-0000-1000-8000-00805F9B34FB"
        return ((short16 == nil ? "" : "0000") + description + rest).lowercased()
    }
}
#endif
