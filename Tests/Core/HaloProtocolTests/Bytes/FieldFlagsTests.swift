import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct FieldFlagsTests {
    @Test func aFlagIsOneBit() {
        var flags: DeviceFunctions.TouchFeatures = [.touch, .gesture]
        #expect(flags.rawValue == 0x81)
        let first = flags.insert(.pairing)
        let second = flags.insert(.pairing)
        #expect(first.inserted && !second.inserted)
        #expect(first.memberAfterInsert == .pairing && second.memberAfterInsert == .pairing)
        let added = flags.update(with: .watchTheme)
        let updated = flags.update(with: .watchTheme)
        #expect(added == nil && updated == .watchTheme)
        let removed = flags.remove(.touch)
        let missing = flags.remove(.touch)
        #expect(removed == .touch && missing == nil)
        #expect(flags.rawValue == 0x98)
        #expect(flags.isSuperset(of: [.pairing]))
        #expect(flags.subtracting([.gesture]).rawValue == 0x18)
    }
}
