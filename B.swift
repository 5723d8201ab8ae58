@testable import A
func f() { _ = P().x; _ = I().y }
