internal import HaloProtocol

/// An error of a health database.
public struct HealthStoreError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind in a sentence.
        public let description: String
        let advice: String?

        private init(_ description: String, advice: String? = nil) {
            self.description = description
            self.advice = advice
        }

        /// The system has no SQLite.
        package static let noLibrary = Kind(
            "the SQLite library, libsqlite3.so.0, cannot be loaded",
            advice: "'sudo apt install libsqlite3-0' installs it on Debian and Ubuntu.")
        /// The file cannot be opened or created.
        package static let notOpened = Kind(
            "the file cannot be opened", advice: "Check its folder and its permissions.")
        /// The file is no database, or a damaged one.
        public static let damaged = Kind(
            "the file is not a database, or is damaged",
            advice: "Take an earlier copy of it, or begin another file.")
        /// The file is the database of another program.
        public static let ofOtherProgram = Kind(
            "the file belongs to another program", advice: "It is unchanged: choose another name."
        )
        /// The file is of this package, but another program has added something that could act or
        /// compute when values are added, such as a trigger, or has changed a table.
        public static let changedByOtherProgram = Kind(
            "another program has changed the file",
            advice: "It is unchanged: undo that change, or take an earlier copy.")
        /// The path is a `file:` URI.
        public static let isURI = Kind(
            "the path of the file is a URI", advice: "Give the path itself, without 'file:'.")
        /// The file to import is no database of the Python client.
        package static let notOfClient = Kind(
            "the file is no database of colmi_r02_client", advice: "Choose another file.")
        /// The file was written by a later version of this package.
        public static let newer = Kind(
            "the file was written by a later version of this program",
            advice: "It is unchanged: use that version.")
        /// Another program has been writing for too long.
        public static let busy = Kind(
            "another program is writing to the file", advice: "Try again in a moment.")
        /// There is no space left.
        public static let full = Kind(
            "there is no space left for the file", advice: "Free some space, and try again.")
        /// The file or its folder cannot be written.
        public static let readOnly = Kind(
            "the file cannot be written", advice: "Check the permissions of it and its folder.")
        /// Any other error, with SQLite's words.
        package static let other = Kind(
            "the database reported an error", advice: "Try again in a moment.")
    }

    /// The kind of error.
    public let kind: Kind
    /// What has failed, in one sentence for the user of an app, without the path: the title of an
    /// alert.
    public var title: String {
        kind.description.prefix(1).uppercased() + kind.description.dropFirst() + "."
    }
    /// What the user can do about it; `nil` where there is nothing to say.
    public var advice: String? { kind.advice }
    /// The path of the file.
    public let path: String
    /// The system's or SQLite's own words; empty without any.
    public let details: String

    /// Creates an error.
    package init(_ kind: Kind, path: String, details: String = "") {
        self.kind = kind
        self.path = path
        self.details = details
    }

    /// Creates the error of a result code of SQLite: the lower byte is its kind.
    init(code: Int32, path: String, details: String) {
        let kind: Kind =
            switch code & 0xFF {
            case 5, 6: .busy
            case 3, 8, 23: .readOnly
            case 11, 26: .damaged
            case 13: .full
            case 14: .notOpened
            default: .other
            }
        self.init(kind, path: path, details: details)
    }
}

extension HealthStoreError: CustomStringConvertible {
    /// The path, and the kind in a sentence, with the details in brackets.
    public var description: String {
        "\(PrintableText.quoted(path.utf8)): \(kind.description)"
            + (details == "" ? "" : " (\(PrintableText.escaped(Array(details.utf8))))")
    }
}
