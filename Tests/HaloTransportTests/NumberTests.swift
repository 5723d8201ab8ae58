import HaloProtocol
import Testing

@testable import HaloTransport

/// Numbers of the specification, written a second time to find a wrong digit.
@Suite struct NumberTests {
    /// Core Specification, volume 3, part F, section 3.4.1.1.
    @Test func attErrorsAreThoseOfTheSpecification() {
        let errors: [ATTError] = [
            .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPDU,
            .insufficientAuthentication, .requestNotSupported, .invalidOffset,
            .insufficientAuthorization, .invalidLength, .unlikely, .insufficientEncryption,
            .insufficientResources, .valueNotAllowed, .controlPointNotSupported,
        ]
        #expect(errors.map(\.code) == [1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15, 17, 19, 0x80])
    }

    /// Core Specification, volume 3, part G, section 3.3.1.1.
    @Test func propertyBitsAreThoseOfTheSpecification() {
        let properties: [GATTProperties] = [
            .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .signedWrite,
            .extended,
        ]
        #expect(properties.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128])
        for property in properties {
            #expect(property.canWrite == (property == .write || property == .writeWithoutResponse))
            #expect(property.canSubscribe == (property == .notify || property == .indicate))
        }
    }

    @Test(
        arguments: [
            ([], nil, nil), ([.read, .notify], nil, nil),
            ([.write], .withResponse, .withResponse),
            ([.writeWithoutResponse], .withoutResponse, .withoutResponse),
            ([.write, .writeWithoutResponse], .withResponse, .withoutResponse),
        ] as [(GATTProperties, WriteMode?, WriteMode?)])
    func theWayToWriteIsThePreferredOneIfItIsAllowed(
        properties: GATTProperties, response: WriteMode?, command: WriteMode?
    ) {
        #expect(properties.writeMode(preferring: .withResponse) == response)
        #expect(properties.writeMode(preferring: .withoutResponse) == command)
    }

    /// Codes of this package: all different, without a gap.
    @Test func codesAreConsecutive() {
        let kinds: [BLEError.Kind] = [
            .unsupported, .unauthorized, .bluetoothOff, .notFound, .timedOut, .cancelled,
            .disconnected, .refused, .noSuchAttribute, .notPermitted, .tooLong,
            .alreadyConnected, .notSupportedHere, .backend, .overloaded, .wrongDevice, .bondLost,
        ]
        #expect(kinds.map(\.code) == Array(0...16))
        let operations: [BLEError.Operation] = [
            .scan, .connect, .discover, .read, .write, .subscribe, .receive, .readRSSI, .adapter,
            .host, .disconnect, .unsubscribe, .pair,
        ]
        #expect(operations.map(\.code) == Array(0...12))
        let reasons: [DisconnectReason.Kind] = [
            .local, .remote, .outOfReach, .adapterGone, .backendGone, .noResponse, .bondLost,
        ]
        #expect(reasons.map(\.code) == Array(0...6))
        let traces: [LinkTrace.Kind] = [.request, .reply, .event]
        #expect(traces.map(\.code) == Array(0...2))
    }

    @Test func permissionsAreDifferentBits() {
        let permissions: [GATTPermissions] = [
            .readEncrypted, .writeEncrypted, .subscribeEncrypted,
        ]
        for (index, permission) in permissions.enumerated() {
            #expect(!permission.isEmpty)
            for other in permissions[..<index] { #expect(permission.isDisjoint(with: other)) }
        }
    }

    /// The first numbers of the authors' program.
    @Test func numbersFollowFromTheSeed() {
        var zero = SplitMix(seed: 0)
        #expect(zero.next() == 0xE220_A839_7B1D_CDAF)
        #expect(zero.next() == 0x6E78_9E6A_A1B9_65F4)
        #expect(zero.next() == 0x06C4_5D18_8009_454F)
        var other = SplitMix(seed: 1_234_567)
        let numbers: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(numbers.map { _ in other.next() } == numbers)
    }
}
