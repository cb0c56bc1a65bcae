import { isComponent } from '../../analysis/app/components.ts'
import { ts } from '../../analysis/app/compiler.ts'
import { specifiersOf } from '../../analysis/app/module-graph.ts'

/** A use of a prompt. Only calls, fields and names are understood; each other use forbids edits. */
export type PromptUse = { readonly node: ts.Node } & (
  | {
      readonly kind: 'call'
      /** The name by which the code accesses the prompt. */
      readonly name: string
      /** The arguments from the values on. */
      readonly values: readonly ts.Expression[]
    }
  /** Reads a field that does not depend on variables, or passes the prompt to `toSpanAttributes`. */
  | { readonly kind: 'field'; readonly name: string; readonly field: string }
  /** Where the name is written: `prompts.name`, `prompts['name']`, or an element of a destructuring. */
  | { readonly kind: 'name'; readonly name: string }
  /** An import or a member of `virtual:prompts/all`. */
  | { readonly kind: 'export'; readonly name: string }
  /** `keyof typeof prompts`: no value, but all names. */
  | { readonly kind: 'names' }
  /** Anything else. Without a name, it may be of any prompt. */
  | { readonly kind: 'other'; readonly name?: string | undefined; readonly reason: string }
)

/** What a symbol or an expression stands for. */
type Meaning =
  | { readonly kind: 'prompts' | 'adapter' }
  /** A module that exports prompts, or the promise of one. */
  | { readonly kind: 'module' | 'import'; readonly module: ts.Symbol }
  | {
      readonly kind: 'prompt'
      readonly name: string
      /** Whether it is an export of the declarations. */
      readonly isExport?: boolean
    }

interface UsedCode {
  readonly checker: ts.TypeChecker
  readonly files: readonly ts.SourceFile[]
  /** The modules of the declarations. */
  readonly modules: readonly ts.Symbol[]
}

/**
 * Finds every use of prompts, from the imports of the declarations on: a reference is a form that is listed
 * here, or it is reported as `other`. So a prompt without such a use never reaches code that is not reported.
 */
export function findPromptUses(code: UsedCode): PromptUse[] {
  const { checker, files } = code
  const references = referencesIn(code)
  const meanings = declaredMeanings(code)
  for (;;) {
    const { size } = meanings
    for (const file of files) addModule(checker.getSymbolAtLocation(file), code, meanings)
    const uses: PromptUse[] = []
    // The iteration includes aliases that are added during it.
    for (const [symbol, meaning] of meanings)
      for (const node of references.get(symbol) ?? [])
        followReference(node, meaning, { checker, meanings, uses })
    if (meanings.size === size) return uses
  }
}

/** Nodes by the symbol that they refer to: names of variables, and requests of modules in expressions. */
function referencesIn({ checker, files }: UsedCode): Map<ts.Symbol, ts.Node[]> {
  const references = new Map<ts.Symbol, ts.Node[]>()
  const add = (node: ts.Node, symbol: ts.Symbol | undefined): void => {
    if (symbol !== undefined) references.set(symbol, [...(references.get(symbol) ?? []), node])
  }
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMemberName(node)) add(node, symbolAt(node, checker))
    ts.forEachChild(node, visit)
  }
  for (const file of files) {
    visit(file)
    for (const specifier of specifiersOf(file)) {
      const { parent } = specifier
      if (ts.isCallExpression(parent)) add(parent, checker.getSymbolAtLocation(specifier))
      else if (ts.isLiteralTypeNode(parent)) add(parent, checker.getSymbolAtLocation(specifier))
    }
  }
  return references
}

/** Whether a name is reached by what is before it: `x` in `a.x`, and in `{ x: y } = a`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isQualifiedName(parent)) return parent.right === node
  if (ts.isBindingElement(parent)) return parent.propertyName === node
  return ts.isPropertyAssignment(parent) && parent.name === node
}

function symbolAt(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  return resolved(
    ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node),
    checker,
  )
}

function resolved(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** The exports of the declarations. A module without `prompts` exports each prompt under its names. */
function declaredMeanings({ checker, modules }: UsedCode): Map<ts.Symbol, Meaning> {
  const meanings = new Map<ts.Symbol, Meaning>()
  for (const module of modules) {
    meanings.set(module, { kind: 'module', module })
    const symbols = checker.getExportsOfModule(module)
    const isEntry = symbols.some(({ name }) => name === 'prompts')
    for (const symbol of symbols) {
      const { name } = symbol
      const target = resolved(symbol, checker) ?? symbol
      if (!isEntry) meanings.set(target, { kind: 'prompt', name, isExport: true })
      else if (/^prompts$/i.test(name)) meanings.set(target, { kind: 'prompts' })
      else if (/^to[A-Z]/.test(name)) meanings.set(target, { kind: 'adapter' })
    }
  }
  return meanings
}

/** Adds a module of the app that exports something with a meaning. */
function addModule(
  module: ts.Symbol | undefined,
  { checker }: UsedCode,
  meanings: Map<ts.Symbol, Meaning>,
): void {
  if (module === undefined || meanings.has(module)) return
  const exported = checker.getExportsOfModule(module).map((each) => resolved(each, checker))
  if (exported.some((each) => each && meanings.has(each)))
    meanings.set(module, { kind: 'module', module })
}

interface Following extends Pick<UsedCode, 'checker'> {
  readonly meanings: Map<ts.Symbol, Meaning>
  readonly uses: PromptUse[]
}

function followReference(node: ts.Node, meaning: Meaning, following: Following): void {
  if (ts.isIdentifier(node) && isDeclared(node)) {
    if (isComponent(node.getSourceFile().fileName) && meaning.kind !== 'adapter')
      refuse(node, meaning, following)
    else if (meaning.kind === 'prompt' && meaning.isExport && ts.isImportSpecifier(node.parent))
      following.uses.push({ kind: 'export', name: meaning.name, node })
  } else if (meaning.kind !== 'adapter') {
    const isDynamic = ts.isCallExpression(node) && node.expression.kind === IMPORT
    const isPromise = meaning.kind === 'module' && isDynamic
    follow(node, isPromise ? { ...meaning, kind: 'import' } : meaning, following)
  }
}

const IMPORT = ts.SyntaxKind.ImportKeyword

/** Whether a name is that of a declaration, an import or an export. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isImportOrExportSpecifier(parent) || ts.isExportAssignment(parent)) return true
  if (ts.isImportEqualsDeclaration(parent)) return true
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isBindingElement(parent) ||
      ts.isImportClause(parent) ||
      ts.isNamespaceImport(parent) ||
      ts.isNamespaceExport(parent)) &&
    parent.name === node
  )
}

/** Follows a value to what the code does with it. */
function follow(node: ts.Node, meaning: Meaning, following: Following): void {
  const { parent } = node
  if (ts.isAwaitExpression(parent) && meaning.kind === 'import')
    follow(parent, { ...meaning, kind: 'module' }, following)
  else if (isComponent(node.getSourceFile().fileName)) refuse(node, meaning, following)
  else if (ts.isParenthesizedExpression(parent)) follow(parent, meaning, following)
  else if (meaning.kind === 'import') refuse(node, meaning, following)
  else if (isKeys(parent) && meaning.kind === 'prompts')
    following.uses.push({ kind: 'names', node })
  else if (ts.isVariableDeclaration(parent) && isConstant(parent, node))
    bind(parent.name, meaning, following)
  else if (meaning.kind === 'prompt' && isArgument(node, parent))
    followArgument(node, meaning, following)
  else followMember(node, meaning, following)
}

function isKeys({ parent: outer, kind }: ts.Node): boolean {
  const isQuery = kind === ts.SyntaxKind.TypeQuery || kind === ts.SyntaxKind.TypeReference
  return isQuery && ts.isTypeOperatorNode(outer) && outer.operator === ts.SyntaxKind.KeyOfKeyword
}

function isConstant(declaration: ts.VariableDeclaration, value: ts.Node): boolean {
  const { initializer, type, parent } = declaration
  const kind = parent.flags & ts.NodeFlags.BlockScoped
  return initializer === value && type === undefined && kind === ts.NodeFlags.Const
}

/** Binds a constant, or the constants of a pattern, to what they stand for. */
function bind(name: ts.BindingName, meaning: Meaning, following: Following): void {
  if (ts.isIdentifier(name)) {
    const symbol = symbolAt(name, following.checker)
    if (symbol === undefined) refuse(name, meaning, following)
    else if (!following.meanings.has(symbol)) following.meanings.set(symbol, meaning)
    return
  }
  for (const element of name.elements) {
    const key = ts.isBindingElement(element) ? (element.propertyName ?? element.name) : element
    const isPlain = ts.isIdentifier(key) || ts.isStringLiteral(key)
    if (!isPlain || !ts.isObjectBindingPattern(name) || !ts.isBindingElement(element))
      refuse(element, meaning, following)
    else if (element.dotDotDotToken !== undefined) refuse(element, meaning, following)
    else if (element.initializer !== undefined)
      refuse(element, meaning.kind === 'prompts' ? namedPrompt(key.text) : meaning, following)
    else {
      const member = memberOf(key.text, { node: element, meaning }, following)
      if (member !== undefined) bind(element.name, member, following)
    }
  }
}

function namedPrompt(name: string): Meaning {
  return { kind: 'prompt', name }
}

function followMember(node: ts.Node, meaning: Meaning, following: Following): void {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node)
    followNamed(parent, parent.name.text, meaning, following)
  else if (ts.isQualifiedName(parent) && parent.left === node)
    followNamed(parent, parent.right.text, meaning, following)
  else if (
    ts.isElementAccessExpression(parent) &&
    parent.expression === node &&
    ts.isStringLiteralLike(parent.argumentExpression)
  )
    followNamed(parent, parent.argumentExpression.text, meaning, following)
  else refuse(node, meaning, following)
}

function followNamed(access: ts.Node, name: string, meaning: Meaning, following: Following): void {
  const { parent } = access
  if (meaning.kind === 'prompt' && name === 'render') {
    if (ts.isCallExpression(parent) && parent.expression === access)
      addCall(access, meaning.name, parent.arguments, following)
    else refuse(access, meaning, following)
    return
  }
  const member = memberOf(name, { node: access, meaning }, following)
  if (member !== undefined) follow(access, member, following)
}

/** Fields that do not depend on the names of variables. */
const FIELDS = new Set(['slug', 'folder', 'model', 'temperature', 'version', 'environment'])

/** What a member stands for; `undefined` if it needs no following. */
function memberOf(
  name: string,
  { node, meaning }: { readonly node: ts.Node; readonly meaning: Meaning },
  following: Following,
): Meaning | undefined {
  const { checker, meanings, uses } = following
  if (meaning.kind === 'prompts') {
    uses.push({ kind: 'name', name, node })
    return { kind: 'prompt', name }
  }
  if (meaning.kind === 'prompt') {
    if (FIELDS.has(name)) uses.push({ kind: 'field', name: meaning.name, field: name, node })
    else refuse(node, meaning, following)
    return undefined
  }
  const exported = meaning.kind === 'module' ? checker.getExportsOfModule(meaning.module) : []
  const symbol = resolved(
    exported.find((each) => each.name === name),
    checker,
  )
  if (symbol === undefined) refuse(node, meaning, following)
  const member = symbol && meanings.get(symbol)
  if (member?.kind === 'adapter') return undefined
  if (member?.kind !== 'prompt' || !member.isExport) return member
  uses.push({ kind: 'export', name: member.name, node })
  return { kind: 'prompt', name: member.name }
}

function isArgument(node: ts.Node, parent: ts.Node): parent is ts.CallExpression {
  return ts.isCallExpression(parent) && parent.arguments[0] === node
}

/** A prompt that is passed to an adapter is called; another function may do anything with it. */
function followArgument(
  node: ts.Node,
  meaning: Extract<Meaning, { kind: 'prompt' }>,
  following: Following,
): void {
  const { checker, meanings, uses } = following
  const {
    expression: callee,
    arguments: [, ...values],
  } = node.parent as ts.CallExpression
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee
  const symbol = resolved(checker.getSymbolAtLocation(name), checker)
  if (symbol === undefined || meanings.get(symbol)?.kind !== 'adapter')
    refuse(node, meaning, following)
  else if (symbol.name === 'toSpanAttributes')
    uses.push({ kind: 'field', name: meaning.name, field: 'version', node })
  else addCall(node, meaning.name, values, following)
}

function addCall(
  node: ts.Node,
  name: string,
  values: readonly ts.Expression[],
  { uses }: Following,
): void {
  const reason = hiddenErrors(node)
  uses.push(
    reason === undefined
      ? { kind: 'call', name, values, node }
      : { kind: 'other', name, node, reason },
  )
}

const SUPPRESSION = /@ts-(?:ignore|expect-error|nocheck)\b/

/** Why errors are not shown at a place: a comment of its statement, or of the file, suppresses them. */
function hiddenErrors(node: ts.Node): string | undefined {
  const file = node.getSourceFile()
  const head = file.text.slice(0, file.statements[0]?.getStart(file) ?? 0)
  let statement = node
  while (!ts.isStatement(statement) && !ts.isSourceFile(statement)) statement = statement.parent
  const comments = [/@ts-nocheck\b/.exec(head), SUPPRESSION.exec(statement.getFullText(file))]
  const comment = comments.find((each) => each !== null)
  return comment ? `\`${comment[0]}\` hides errors here` : undefined
}

function refuse(node: ts.Node, meaning: Meaning, { uses }: Following): void {
  const name = meaning.kind === 'prompt' ? meaning.name : undefined
  uses.push({ kind: 'other', name, node, reason: describe(node, meaning) })
}

function describe(node: ts.Node, { kind }: Meaning): string {
  if (isComponent(node.getSourceFile().fileName)) return 'components are edited by hand'
  if (ts.isPartOfTypeNode(node) || ts.isTypeQueryNode(node.parent)) return 'its type is used here'
  return kind === 'prompt'
    ? 'it is used here otherwise than in a call with its values'
    : 'all prompts are passed on here'
}
