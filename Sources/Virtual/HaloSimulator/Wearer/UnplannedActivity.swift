/// Something that a person does now, against the plan of the day.
enum UnplannedActivity: Hashable, Sendable {
    case walk(second: Int, minutes: Int)
    case nap(minute: Int, minutes: Int)
}
