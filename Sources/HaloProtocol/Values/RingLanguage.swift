/// The languages that a ring with a screen can be told, as vendor notes number them.
@frozen
public enum RingLanguage: UInt8, FieldCode {
    /// Chinese, as written on the mainland.
    case simplifiedChinese = 0
    /// English, what apps send by default.
    case english = 1
    /// Chinese, as written in Taiwan and Hong Kong.
    case traditionalChinese = 2
    /// Greek.
    case greek = 3
    /// French.
    case french = 4
    /// German.
    case german = 5
    /// Italian.
    case italian = 6
    /// Spanish.
    case spanish = 7
    /// Dutch.
    case dutch = 8
    /// Portuguese.
    case portuguese = 9
    /// Russian.
    case russian = 10
    /// Turkish.
    case turkish = 11
    /// Japanese.
    case japanese = 12
    /// Korean.
    case korean = 13
    /// Polish.
    case polish = 14
    /// Romanian.
    case romanian = 15
    /// Arabic.
    case arabic = 16
    /// Thai.
    case thai = 17
    /// Vietnamese.
    case vietnamese = 18
    /// Indonesian.
    case indonesian = 19
    /// Hindi.
    case hindi = 20
    /// Czech.
    case czech = 21
    /// Slovak.
    case slovak = 22
    /// Hungarian.
    case hungarian = 23
    /// Hebrew.
    case hebrew = 24
    /// Croatian.
    case croatian = 25
    /// Slovenian.
    case slovenian = 26
    /// Urdu; the codes between Slovenian and it are not described.
    case urdu = 35

    /// The language in English.
    public var label: FieldName {
        switch self {
        case .simplifiedChinese: "Chinese (simplified)"
        case .english: "English"
        case .traditionalChinese: "Chinese (traditional)"
        case .greek: "Greek"
        case .french: "French"
        case .german: "German"
        case .italian: "Italian"
        case .spanish: "Spanish"
        case .dutch: "Dutch"
        case .portuguese: "Portuguese"
        case .russian: "Russian"
        case .turkish: "Turkish"
        case .japanese: "Japanese"
        case .korean: "Korean"
        case .polish: "Polish"
        case .romanian: "Romanian"
        case .arabic: "Arabic"
        case .thai: "Thai"
        case .vietnamese: "Vietnamese"
        case .indonesian: "Indonesian"
        case .hindi: "Hindi"
        case .czech: "Czech"
        case .slovak: "Slovak"
        case .hungarian: "Hungarian"
        case .hebrew: "Hebrew"
        case .croatian: "Croatian"
        case .slovenian: "Slovenian"
        case .urdu: "Urdu"
        }
    }
}
