#if os(Linux)
/// The defaults of ``DBusErrorStyle``.
struct StandardErrors: DBusErrorStyle {}
#endif
