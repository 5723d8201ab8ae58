import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of a file where a fault can be planted.
final class MutantFinder: SyntaxVisitor {
    private let target: String
    private let path: String
    private let converter: SourceLocationConverter
    private var scopes: [String] = []
    private(set) var mutants: [Mutant] = []

    /// All mutants of a source file, in the order of their positions.
    static func mutants(in source: String, path: String, target: String) -> [Mutant] {
        let parsed = Parser.parse(source: source)
        // Operators outside the standard library stay unfolded, and get no mutants.
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        guard let file = folded.as(SourceFileSyntax.self) else { return [] }
        let finder = MutantFinder(target, path, file)
        finder.walk(file)
        return finder.mutants.sorted { $0.order < $1.order }
    }

    private init(_ target: String, _ path: String, _ file: SourceFileSyntax) {
        self.target = target
        self.path = path
        converter = SourceLocationConverter(fileName: path, tree: file)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Names of what encloses a place

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        scopes.append(name)
        return .visitChildren
    }

    private func leave() { scopes.removeLast() }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text)
    }
    override func visitPost(_ node: StructDeclSyntax) { leave() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text)
    }
    override func visitPost(_ node: ClassDeclSyntax) { leave() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text)
    }
    override func visitPost(_ node: EnumDeclSyntax) { leave() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text)
    }
    override func visitPost(_ node: ActorDeclSyntax) { leave() }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text)
    }
    override func visitPost(_ node: ProtocolDeclSyntax) { leave() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { leave() }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("subscript")
    }
    override func visitPost(_ node: SubscriptDeclSyntax) { leave() }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("init")
    }
    override func visitPost(_ node: InitializerDeclSyntax) { leave() }
    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("deinit")
    }
    override func visitPost(_ node: DeinitializerDeclSyntax) { leave() }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.bindings.first?.pattern.trimmedDescription ?? "_")
    }
    override func visitPost(_ node: VariableDeclSyntax) { leave() }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let result = enter(node.name.text)
        findEarlyReturn(node)
        return result
    }
    override func visitPost(_ node: FunctionDeclSyntax) { leave() }

    // MARK: What is not run, or has to be a literal

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: GenericArgumentSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }

    /// Visits only the compiled branch of a conditional.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        for clause in node.clauses {
            let isActive = clause.condition.map { Self.holds($0) } ?? true
            guard isActive else { continue }
            if let elements = clause.elements { walk(elements) }
            break
        }
        return .skipChildren
    }

    /// `true` if a condition holds on Linux with glibc, and with the stand-ins for Apple's
    /// frameworks.
    private static func holds(_ condition: ExprSyntax) -> Bool {
        if let not = condition.as(PrefixOperatorExprSyntax.self), not.operator.text == "!" {
            return !holds(not.expression)
        }
        if let infix = condition.as(InfixOperatorExprSyntax.self) {
            switch infix.operator.trimmedDescription {
            case "&&": return holds(infix.leftOperand) && holds(infix.rightOperand)
            case "||": return holds(infix.leftOperand) || holds(infix.rightOperand)
            default: return true
            }
        }
        if let tuple = condition.as(TupleExprSyntax.self), let only = tuple.elements.first {
            return holds(only.expression)
        }
        let here: Set<String> = [
            "os(Linux)", "canImport(Glibc)", "arch(x86_64)", "arch(arm64)",
            "canImport(CoreBluetooth)", "canImport(AccessorySetupKit)",
        ]
        let text = condition.trimmedDescription
        return here.contains(text) || text.hasPrefix("compiler(") || text.hasPrefix("swift(")
    }

    // MARK: Faults

    private func add(
        _ kind: Mutant.Kind, _ node: some SyntaxProtocol, _ form: Mutant.Form,
        as changed: String? = nil
    ) {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        add(kind, start..<end, at: node, node.trimmedDescription, form, changed)
    }

    private func add(
        _ kind: Mutant.Kind, _ range: Range<Int>, at node: some SyntaxProtocol, _ original: String,
        _ form: Mutant.Form, _ changed: String?
    ) {
        let words: String =
            switch form {
            case .instead(let text): Self.folded(text)
            case .leftOut: "left out"
            case .inserted(let text): text
            }
        let line = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
        mutants.append(
            Mutant(
                target: target, path: path, line: line, kind: kind,
                scope: scopes.joined(separator: "."), original: Self.folded(original),
                changed: changed ?? words, range: range, form: form))
    }

    private static func folded(_ text: String) -> String {
        let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }.joined(separator: " ")
        return words.count > 120 ? words.prefix(119) + "…" : words
    }

    private static let comparisons = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==",
        "!==": "===",
    ]
    private static let connectives = ["&&": "||", "||": "&&"]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.operator.trimmedDescription
        if let other = Self.comparisons[name] {
            add(.comparison, node, .instead(Self.text(node, with: other)))
        } else if let other = Self.connectives[name] {
            add(.connective, node, .instead(Self.text(node, with: other)))
        }
        return .visitChildren
    }

    private static func text(_ node: InfixOperatorExprSyntax, with name: String) -> String {
        let left = node.leftOperand.trimmedDescription
        return "\(left) \(name) \(node.rightOperand.trimmedDescription)"
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if case .expression(let condition) = node.condition { negate(condition) }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    private func negate(_ condition: ExprSyntax) {
        if let infix = condition.as(InfixOperatorExprSyntax.self) {
            // The negation of these is planted as a comparison.
            if ["==", "!=", "===", "!=="].contains(infix.operator.trimmedDescription) { return }
        }
        let text = condition.trimmedDescription
        if text.hasPrefix("!"), condition.is(PrefixOperatorExprSyntax.self) {
            add(.condition, condition, .instead(String(text.dropFirst())))
        } else {
            add(.condition, condition, .instead("!(\(text))"))
        }
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let digits = node.literal.text.filter { $0 != "_" }
        let value: Int? =
            if digits.hasPrefix("0x") {
                Int(digits.dropFirst(2), radix: 16)
            } else if digits.hasPrefix("0b") {
                Int(digits.dropFirst(2), radix: 2)
            } else {
                Int(digits)
            }
        guard let value, value < Int.max else { return .skipChildren }
        // Chooses one of the two by the expression alone, so that edits elsewhere in the file
        // change nothing.
        let expression = node.parent?.trimmedDescription ?? ""
        let isLess = value > 0 && expression.utf8.count.isMultiple(of: 2)
        add(.constant, node, .instead(String(isLess ? value - 1 : value + 1)))
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.calledExpression.trimmedDescription
        if let other = ["min": "max", "max": "min"][name], node.arguments.count > 1 {
            add(.extremum, node, .instead(other + node.trimmedDescription.dropFirst(3)))
        }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if isStatement(node) { add(.statement, node.item, .leftOut) }
        return .visitChildren
    }

    private func isStatement(_ node: CodeBlockItemSyntax) -> Bool {
        var item = Syntax(node.item)
        if let statement = item.as(ExpressionStmtSyntax.self) {
            item = Syntax(statement.expression)
        }
        while true {
            if let attempt = item.as(TryExprSyntax.self) {
                item = Syntax(attempt.expression)
            } else if let wait = item.as(AwaitExprSyntax.self) {
                item = Syntax(wait.expression)
            } else if let chain = item.as(OptionalChainingExprSyntax.self) {
                item = Syntax(chain.expression)
            } else {
                break
            }
        }
        if let infix = item.as(InfixOperatorExprSyntax.self) {
            let name = infix.operator.trimmedDescription
            guard name == "=" || (name.hasSuffix("=") && Self.comparisons[name] == nil) else {
                return false
            }
            return !isIn(InitializerDeclSyntax.self, node)
        }
        guard let call = item.as(FunctionCallExprSyntax.self) else { return false }
        return !isResult(node) && !Self.makesValue(call.calledExpression)
    }

    /// `true` if a call is of an initialiser or a case: a value rather than an action.
    private static func makesValue(_ called: ExprSyntax) -> Bool {
        let name = called.trimmedDescription
        if let member = called.as(MemberAccessExprSyntax.self) {
            return member.base == nil || member.declName.baseName.text == "init"
        }
        return name.first?.isUppercase ?? false
    }

    /// `true` if the statement is the value of the closure or function around it.
    private func isResult(_ node: CodeBlockItemSyntax) -> Bool {
        guard let list = node.parent?.as(CodeBlockItemListSyntax.self) else { return true }
        guard list.count == 1, let block = list.parent else { return false }
        if let closure = block.as(ClosureExprSyntax.self) { return isDiscarded(closure) }
        if block.is(AccessorBlockSyntax.self) { return true }
        if let accessor = block.parent?.as(AccessorDeclSyntax.self) {
            return ["get", "_read", "read"].contains(accessor.accessorSpecifier.text)
        }
        if let function = block.parent?.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause != nil
        }
        return false
    }

    /// `true` if `_ =` discards the closure's result. Without its body, that result would be
    /// released at another time.
    private func isDiscarded(_ closure: ClosureExprSyntax) -> Bool {
        var node = Syntax(closure)
        while let parent = node.parent, !parent.is(CodeBlockItemSyntax.self) {
            if let infix = parent.as(InfixOperatorExprSyntax.self) {
                return infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
            }
            node = parent
        }
        return false
    }

    private func isIn<Declaration: DeclSyntaxProtocol>(
        _ type: Declaration.Type, _ node: some SyntaxProtocol
    ) -> Bool {
        var parent = node.parent
        while let current = parent {
            if current.is(type) { return true }
            if current.is(ClosureExprSyntax.self) || current.is(FunctionDeclSyntax.self) {
                return false
            }
            parent = current.parent
        }
        return false
    }

    private func findEarlyReturn(_ node: FunctionDeclSyntax) {
        guard let body = node.body, body.statements.count > 1, let first = body.statements.first
        else { return }
        let type = node.signature.returnClause?.type.trimmedDescription
        let statement: String
        switch type {
        case nil: statement = "return"
        case "Bool": statement = node.position.utf8Offset % 2 == 0 ? "return true" : "return false"
        case let type? where type.hasSuffix("?"): statement = "return nil"
        default: return
        }
        let place = first.positionAfterSkippingLeadingTrivia.utf8Offset
        add(
            .earlyReturn, place..<place, at: first, "func \(node.name.text)",
            .inserted(statement), "\(statement) at once")
    }
}
