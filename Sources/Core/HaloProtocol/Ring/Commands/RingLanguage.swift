/// The languages of a ring with a screen, as vendor notes number them.
@frozen
public enum RingLanguage: UInt8, FieldCode {
    case simplifiedChinese = 0
    /// English, the default of apps.
    case english = 1
    case traditionalChinese = 2
    case greek = 3
    case french = 4
    case german = 5
    case italian = 6
    case spanish = 7
    case dutch = 8
    case portuguese = 9
    case russian = 10
    case turkish = 11
    case japanese = 12
    case korean = 13
    case polish = 14
    case romanian = 15
    case arabic = 16
    case thai = 17
    case vietnamese = 18
    case indonesian = 19
    case hindi = 20
    case czech = 21
    case slovak = 22
    case hungarian = 23
    case hebrew = 24
    case croatian = 25
    case slovenian = 26
    /// Urdu; codes 27 to 34 are not described.
    case urdu = 35

    public static let labels = FieldLabels<RingLanguage>([
        .simplifiedChinese: "Chinese (simplified)", .english: "English",
        .traditionalChinese: "Chinese (traditional)", .greek: "Greek", .french: "French",
        .german: "German", .italian: "Italian", .spanish: "Spanish", .dutch: "Dutch",
        .portuguese: "Portuguese", .russian: "Russian", .turkish: "Turkish", .japanese: "Japanese",
        .korean: "Korean", .polish: "Polish", .romanian: "Romanian", .arabic: "Arabic",
        .thai: "Thai", .vietnamese: "Vietnamese", .indonesian: "Indonesian", .hindi: "Hindi",
        .czech: "Czech", .slovak: "Slovak", .hungarian: "Hungarian", .hebrew: "Hebrew",
        .croatian: "Croatian", .slovenian: "Slovenian", .urdu: "Urdu",
    ])
}
