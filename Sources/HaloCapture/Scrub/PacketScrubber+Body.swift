import HaloProtocol
import HaloTransport

/// What was measured on a body.
extension PacketScrubber {
    /// The next value of a seeded body, as large as there is room for it; zero stays "none".
    private mutating func sample(_ sample: BodySample, for old: UInt64, most: UInt64) -> UInt64 {
        old == 0 ? 0 : min(body.next(sample, &random), most)
    }

    mutating func replaceSamples(
        _ field: DecodedField, _ sample: BodySample, _ draft: inout ScrubDraft
    ) {
        switch field.value {
        case .integer(let old):
            draft.set(
                field, self.sample(sample, for: old, most: ScrubDraft.most(field)))
        case .bytes:
            for index in draft.range(field) {
                draft.bytes[index] = byte(sample, for: draft.bytes[index])
            }
        }
    }

    private mutating func byte(_ sample: BodySample, for old: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: self.sample(sample, for: UInt64(old), most: 0xFF))
    }

    /// The least stays no more than the most, and the most no less.
    mutating func replaceRanges(
        _ field: DecodedField, _ sample: BodySample, _ draft: inout ScrubDraft
    ) {
        let range = draft.range(field)
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let old = draft.bytes[index]
            draft.bytes[index] = byte(sample, for: old)
            guard range.contains(index + 1) else { continue }
            let isOrdered = old <= draft.bytes[index + 1]
            draft.bytes[index + 1] = byte(sample, for: draft.bytes[index + 1])
            let (least, most) = (draft.bytes[index], draft.bytes[index + 1])
            if least != 0, most != 0, (least <= most) != isOrdered {
                draft.bytes[index] = most
                draft.bytes[index + 1] = least
            }
        }
    }

    mutating func replaceTotal(
        _ field: DecodedField, _ total: BodyTotal, _ draft: inout ScrubDraft
    ) {
        guard let old = field.number, old != 0 else { return }
        guard let new = totals.value(total, old) else { return fill(field, &draft) }
        draft.set(field, min(new, ScrubDraft.most(field)))
    }

    // MARK: Live values

    mutating func replaceMeasured(
        _ field: DecodedField, _ place: FieldSecrecy.MeasuredPlace, _ draft: inout ScrubDraft
    ) {
        let code = draft.field("quantity", beside: field)?.number ?? 0
        let quantity = RealtimeMeasurement.Quantity(
            rawValue: UInt8(truncatingIfNeeded: code))
        switch (quantity, place) {
        case (.heartRate, .value), (.heartRateStream, .value), (.healthCheck, .value):
            replaceSamples(field, .pulse, &draft)
        case (.bloodOxygen, .value): replaceSamples(field, .oxygen, &draft)
        // It says that the value is valid.
        case (.bloodOxygen, .second) where field.number == 1: break
        case (.stress, .value), (.fatigue, .value): replaceSamples(field, .stress, &draft)
        case (.heartRateVariability, .value): replaceSamples(field, .variability, &draft)
        case (.temperature, .value): replaceSamples(field, .skinTemperature, &draft)
        case (.bloodSugar, .value): replaceSamples(field, .sugar, &draft)
        case (.bloodPressure, .second), (.healthCheck, .second):
            replaceSamples(field, .systolic, &draft)
        case (.bloodPressure, .third), (.healthCheck, .third):
            replaceSamples(field, .diastolic, &draft)
        default: fill(field, &draft)
        }
    }

    // MARK: Workouts

    private func tag(_ field: DecodedField, _ draft: ScrubDraft) -> WorkoutTag? {
        draft.field("tag", beside: field)?.number.flatMap {
            WorkoutTag(rawValue: UInt8(truncatingIfNeeded: $0))
        }
    }

    /// A value of a stored workout that adds up with those of other packets.
    func workoutTotal(
        _ field: DecodedField, _ draft: ScrubDraft
    ) -> (total: BodyTotal, number: UInt64)? {
        guard case .bytes(let bytes) = field.value, bytes.count <= 4 else { return nil }
        let number = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        switch tag(field, draft) {
        case .steps: return (.steps, number)
        case .calories: return (.calories, number)
        case .distance: return (.metres, number)
        default: return nil
        }
    }

    mutating func replaceTagged(_ field: DecodedField, _ draft: inout ScrubDraft) {
        guard case .bytes(let bytes) = field.value, 1...4 ~= bytes.count else {
            return fill(field, &draft)
        }
        let old = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard old != 0 else { return }
        let most = ScrubDraft.most(field)
        switch tag(field, draft) {
        case .start:
            if options.keeps(.dates) { return }
            draft.set(field, UInt64(calendar.shifted(seconds: UInt32(truncatingIfNeeded: old))))
        case .duration: break
        case .steps, .calories, .distance:
            guard let (total, number) = workoutTotal(field, draft),
                let new = totals.value(total, number)
            else { return fill(field, &draft) }
            draft.set(field, min(new, most))
        case .averageHeartRate, .lowestHeartRate, .highestHeartRate:
            replaceWorkoutPulse(field, &draft)
        case .averageSpeed, .highestSpeed:
            draft.set(field, sample(.speed, for: old, most: most))
        case .stepRate: draft.set(field, sample(.stepRate, for: old, most: most))
        case .elevation, .uphill, .downhill, .count, nil: fill(field, &draft)
        }
    }

    /// Lowest, average and highest are drawn together and keep their order.
    private mutating func replaceWorkoutPulse(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let workout = ScrubDraft.element(String(ScrubDraft.element(field.name).dropLast()))
        guard draft.begins("pulse of \(workout)") else { return }
        let average = body.next(.pulse, &random)
        let spread = random.remainder(in: 1...20)
        for other in draft.fields where other.name.hasPrefix(workout) {
            guard other.name.hasSuffix(".value"), case .bytes(let bytes) = other.value,
                1...4 ~= bytes.count, bytes.contains(where: { $0 != 0 })
            else { continue }
            switch tag(other, draft) {
            case .averageHeartRate: draft.set(other, average)
            case .lowestHeartRate: draft.set(other, average - spread)
            case .highestHeartRate: draft.set(other, average + spread * 2)
            default: break
            }
        }
    }
}
