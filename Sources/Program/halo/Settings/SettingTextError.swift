/// An error of a text that shall change a setting.
struct SettingTextError: Error, Hashable, CustomStringConvertible {
    /// One sentence: the setting, the words found, and the accepted ones.
    let description: String
}
