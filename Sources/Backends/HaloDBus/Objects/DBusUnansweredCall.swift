#if os(Linux)
/// A call that no exported object answers.
package struct DBusUnansweredCall {
    package let member: String
    package let interface: String?
    package let arguments: [DBusValue]
    package let path: DBusObjectPath

    package var signature: String { arguments.map(\.type.code).joined() }
}
#endif
