import CoreBluetooth
import Foundation
import HaloSimulator
import HaloTransport
import Testing

/// The end of an app's process, and its return.
@Suite struct RestorationTests {
    private func scene() async throws -> (Scene, TestApp) {
        let scene = Scene()
        let app = TestApp(scene.phone, restoring: "center")
        try await app.connectToGadget()
        return (scene, app)
    }

    @Test func restoresALinkBeforeTheState() async throws {
        let (scene, app) = try await scene()
        app.forget()
        scene.phone.terminateApp()
        #expect(scene.gadget.isConnected)
        let next = TestApp(scene.phone, restoring: "center")
        try await next.wait("state 5")
        #expect(next.log.all == ["restore 2 state 0", "state 5"])
        #expect(app.log.all.isEmpty)
        next.on { app in
            app.only.delegate = app
            app.only.discoverServices(nil)
        }
        try await next.wait("services FFF0")
    }

    @Test func pendingAttemptsSurvive() async throws {
        let (scene, app) = try await scene()
        scene.gadget.moveAway()
        try await app.wait("disconnect CB6")
        app.on { $0.manager.connect($0.only) }
        app.on { _ in }
        scene.phone.terminateApp()
        let next = TestApp(scene.phone, restoring: "center")
        try await next.wait("state 5")
        #expect(next.log.all.first == "restore 1 state 0")
        scene.gadget.comeBack()
        try await next.wait("connect")
    }

    @Test func objectsThatAreNotKeptAreCancelled() async throws {
        let (scene, _) = try await scene()
        scene.phone.terminateApp()
        let next = TestApp(scene.phone, restoring: "center")
        next.keeps = false
        try await next.wait("state 5")
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
    }

    @Test func othersEndWithTheApp() async throws {
        let scene = Scene()
        try await scene.app.connectToGadget()
        scene.phone.terminateApp()
        try await scene.wait("the radio's end") { !scene.gadget.isConnected }
        let next = TestApp(scene.phone, restoring: "center")
        try await next.wait("state 5")
        #expect(next.log.all == ["state 5"])
    }

    @Test func restoresAScan() async throws {
        let scene = Scene()
        let app = TestApp(scene.phone, restoring: "center")
        try await app.wait("state 5")
        app.scan([CBUUID(string: "FFF0")])
        app.on { _ in }
        scene.phone.terminateApp()
        let next = TestApp(scene.phone, restoring: "center")
        try await next.wait("discover Gadget")
        #expect(next.log.all == ["restore  state 0", "state 5", "discover Gadget"])
        #expect(next.on { $0.manager.isScanning })
    }

    @Test func restoresServicesAndSubscriptions() async throws {
        let (scene, app) = try await scene()
        try await app.discoverAll()
        app.on { $0.only.setNotifyValue(true, for: $0.characteristic("FFF2")) }
        try await app.wait("notify true")
        scene.phone.terminateApp()
        let next = TestApp(scene.phone, restoring: "center")
        try await next.wait("state 5")
        let isNotifying = next.on { app in
            app.only.delegate = app
            return app.only.services?.first?.characteristics?.map(\.isNotifying)
        }
        #expect(isNotifying == [false, true, false, false])
        let stream = try #require(scene.gadget.state?.stream)
        scene.gadget.modify { $0.effects = [.notify(stream, [7])] }
        try await next.wait("value FFF2 [7]")
    }
}
