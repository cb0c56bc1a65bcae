/**
 * Edits that insert text and change no other byte: the plugin in a bundler's configuration, and the
 * declarations in a tsconfig.json. A form of which they can't prove what the edit does is left to a person.
 * Loads TypeScript.
 */
import {
  type ArrayLiteralExpression,
  type Expression,
  type Identifier,
  Node,
  type ObjectLiteralExpression,
  Project,
  type SourceFile,
  SyntaxKind,
} from 'ts-morph'
import type { Bundler } from './bundlers.ts'
import { importLine, inStyleOf, quotedAs, WRAPPER } from './project-files.ts'

/** What {@link addPlugin} reads of a bundler. */
export interface PluginPlace extends Pick<Bundler, 'dependency' | 'list' | 'isModuleName' | 'app'> {
  readonly specifier: string
  /** Whether Vitest reads the file. Default: false. */
  readonly isOfVitest?: boolean
}

/** A configuration with the plugin, as far as that could be proven. */
export interface PluginEdit {
  /** The same text if nothing was added. */
  readonly text: string
  readonly left: readonly PluginStep[]
}

/**
 * What is left to a person. `plugin`: to add it. `use`: to see that the configuration uses it, since it loads it, or
 * the configuration of the app, in a form that is not read. `projects`: the same of each project of Vitest.
 */
export type PluginStep = 'plugin' | 'use' | 'projects'

/**
 * Adds the plugin to the configuration of a bundler, and to the projects of Vitest in it, unless it is there. The
 * extension of its name selects the language.
 */
export function addPlugin(name: string, text: string, place: PluginPlace): PluginEdit {
  const file = parse(name, text)
  if (file === undefined) return { text, left: ['plugin'] }
  const exported = exportedConfig(file)
  const isLoaded = hasModule(file, PLUGINS)
  const added = isLoaded ? undefined : exported && insertPlugin(exported, place)
  const plugin = isUsed(exported, place) ? [] : added
  const isOfVitest = place.isOfVitest === true && place.specifier === 'unplugin-prompts/vite'
  const projects = isOfVitest ? inheritPlugin(name, exported, place) : []
  const left: PluginStep[] = []
  if (plugin === undefined) left.push(isLoaded || hasModule(file, place.app) ? 'use' : 'plugin')
  if (projects === undefined) left.push('projects')
  const edited = insert(text, [...(plugin ?? []), ...(projects ?? [])])
  return parse(name, edited) ? { text: edited, left } : { text, left: ['plugin'] }
}

/** The entry points with a plugin. */
const PLUGINS = /^unplugin-prompts\//

function hasModule(file: SourceFile, modules: RegExp | undefined): boolean {
  const literals = file.getDescendantsOfKind(SyntaxKind.StringLiteral)
  return literals.some((literal) => modules?.test(literal.getLiteralValue()))
}

/** What a file exports: `export default`, or the last assignment of `module.exports` if nothing below mentions it. */
function exportedConfig(file: SourceFile): Node | undefined {
  const [declared] = file.getDefaultExportSymbol()?.getDeclarations() ?? []
  if (declared !== undefined)
    return Node.isExportAssignment(declared) ? declared.getExpression() : declared
  const assigned = file.getStatements().flatMap((statement) => {
    const node = Node.isExpressionStatement(statement) ? statement.getExpression() : undefined
    const isExport = Node.isBinaryExpression(node) && node.getLeft().getText() === 'module.exports'
    return isExport && node.getOperatorToken().getText() === '=' ? [node] : []
  })
  const last = assigned.at(-1)
  const rest = last && file.getFullText().slice(last.getEnd())
  return rest !== undefined && !/\bexports\b/.test(rest) ? last?.getRight() : undefined
}

/** Whether a configuration is proven to use the plugin, or to be made from that of the app. */
function isUsed(
  exported: Node | undefined,
  { specifier, dependency, list, app }: PluginPlace,
): boolean {
  const config = configIn(exported, dependency)
  if (app !== undefined && isMadeFrom(app, configIn(exported, VITEST))) return true
  return list === undefined
    ? isPlugin(config, specifier)
    : hasPlugin(
        Node.isObjectLiteralExpression(config) ? valueOf(config, list) : undefined,
        specifier,
      )
}

function hasPlugin(list: Value, specifier: string): boolean {
  return elementsOf(list)?.some((element) => isPlugin(element, specifier)) === true
}

/** Whether a node is a call of the plugin, or the name of its module, which may stand before its options. */
function isPlugin(node: Node | undefined, specifier: string): boolean {
  const value = unwrapped(node)
  const name = Node.isArrayLiteralExpression(value) ? value.getElements()[0] : value
  if (Node.isStringLiteral(name)) return name.getLiteralValue() === specifier
  const origin = Node.isCallExpression(value) ? originOf(value.getExpression()) : undefined
  return origin?.isDefault === true && origin.module === specifier
}

/** Whether a configuration of Vitest is that of the app, or merged with it. */
function isMadeFrom(app: RegExp, config: Node | undefined): boolean {
  if (isOfApp(app, config)) return true
  if (!Node.isCallExpression(config) || config.getExpression().getText() !== 'mergeConfig')
    return false
  const isMerge = /^vite(?:st\/config)?$/.test(originOf(config.getExpression())?.module ?? '')
  return isMerge && config.getArguments().some((argument) => isOfApp(app, argument))
}

const VITEST = 'vitest'

/** Whether a node is, or calls, what the file of the app exports by default, or a function of its framework. */
function isOfApp(app: RegExp, node: Node | undefined): boolean {
  const { module = '', isDefault } =
    originOf(Node.isCallExpression(node) ? node.getExpression() : node) ?? {}
  return app.test(module) && (isDefault === true || !module.startsWith('.'))
}

interface Origin {
  readonly module: string
  readonly isDefault: boolean
}

/** Where a name is loaded from, by `import`, `export … from` or `require`. */
function originOf(node: Node | undefined): Origin | undefined {
  const declaration = Node.isIdentifier(node) ? node.getSymbol()?.getDeclarations()[0] : node
  const load = declaration?.getFirstAncestor(
    (one) => Node.isImportDeclaration(one) || Node.isExportDeclaration(one),
  )
  const loaded = load?.getModuleSpecifierValue()
  if (loaded !== undefined) {
    const isNamed = Node.isImportSpecifier(declaration) || Node.isExportSpecifier(declaration)
    return { module: loaded, isDefault: !isNamed || declaration.getName() === 'default' }
  }
  const pattern = Node.isBindingElement(declaration)
    ? declaration.getParent().getParent()
    : declaration
  const value = Node.isVariableDeclaration(pattern)
    ? pattern.getInitializer()?.getText()
    : undefined
  const [, module, member] = REQUIRE.exec(value ?? '') ?? []
  return module === undefined ? undefined : { module, isDefault: member !== undefined }
}

const REQUIRE = /^require\(["']([^"']+)["']\)(\.default)?$/

/**
 * Adds `extends: true` to the projects of Vitest, by which they inherit the plugin.
 *
 * @returns `undefined` if that is not all: a project may be another file, or get its settings from elsewhere
 */
function inheritPlugin(
  name: string,
  exported: Node | undefined,
  { specifier, app }: PluginPlace,
): Insertion[] | undefined {
  if (exported === undefined) return []
  const config = configIn(exported, VITEST)
  const parts = Node.isCallExpression(config) ? config.getArguments() : [config]
  const tests = parts
    .filter((part) => app === undefined || !isOfApp(app, part))
    .map((part) => valueIn(part, 'test'))
  const lists = tests.flatMap((test) =>
    test === MISSING ? [] : ['projects', 'workspace'].map((key) => valueIn(test, key)),
  )
  return whole(
    lists
      .filter((list) => list !== MISSING)
      .map((list) => {
        const projects = elementsOf(list)
        return projects && whole(projects.map((project) => inheritIn(project, name, specifier)))
      }),
  )
}

function inheritIn(element: Node, name: string, specifier: string): Insertion[] | undefined {
  const project = objectIn(element, VITEST)
  const base = project && valueOf(project, 'extends')
  if (project === undefined || base === undefined) return undefined
  if (base !== MISSING) {
    const isThis = Node.isStringLiteral(base) && base.getLiteralValue() === `./${name}`
    return isThis || Node.isTrueLiteral(base) ? [] : undefined
  }
  const plugins = valueOf(project, 'plugins')
  if (plugins === MISSING) return [prepend(project, 'extends: true')]
  return hasPlugin(plugins, specifier) ? [] : undefined
}

/** All insertions; `undefined` if one list of them is. */
function whole(lists: readonly (Insertion[] | undefined)[]): Insertion[] | undefined {
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined
}

/** The plugin in the list of plugins, or around the configuration, and its import. */
function insertPlugin(exported: Node, place: PluginPlace): Insertion[] | undefined {
  const { specifier, dependency, list, isModuleName = false } = place
  const file = exported.getSourceFile()
  const taken = new Set(file.getDescendantsOfKind(SyntaxKind.Identifier).map((id) => id.getText()))
  const names = list === undefined ? [WRAPPER] : ['prompts', 'promptsPlugin']
  const binding = names.find((name) => !taken.has(name))
  if (binding === undefined) return undefined
  const entry = isModuleName ? quotedAs(file.getFullText(), `'${specifier}'`) : `${binding}()`
  const edits =
    list === undefined ? wrap(exported) : addToList(objectIn(exported, dependency), list, entry)
  const isImported = edits !== undefined && !isModuleName
  return isImported ? [addImport(exported, edits, binding, specifier), ...edits] : edits
}

function wrap(exported: Node): Insertion[] | undefined {
  if (!Node.isExpression(exported)) return undefined
  return [
    { at: exported.getStart(), text: `${WRAPPER}(` },
    { at: exported.getEnd(), text: ')' },
  ]
}

/** Adds an element to the list of a property, which is added if it is missing. */
function addToList(
  object: ObjectLiteralExpression | undefined,
  key: string,
  entry: string,
): Insertion[] | undefined {
  const value = object && valueOf(object, key)
  if (object !== undefined && value === MISSING) return [prepend(object, `${key}: [${entry}]`)]
  const list = listIn(value)
  return list && [prepend(list, entry)]
}

/**
 * What a configuration is, as far as that can be proved: an object, or something else that is not looked into.
 *
 * @param dependency - the bundler, whose functions return what they get
 */
function configIn(node: Node | undefined, dependency: string): Node | undefined {
  const value = unwrapped(node)
  if (Node.isIdentifier(value)) {
    const constant = constantValue(value)
    return constant ? configIn(constant, dependency) : value
  }
  if (Node.isCallExpression(value)) {
    const [argument, ...others] = value.getArguments()
    const isProven = others.length === 0 && returnsArgument(value.getExpression(), dependency)
    return isProven ? configIn(argument, dependency) : value
  }
  if (Node.isArrowFunction(value)) return configIn(returned(value.getBody()), dependency)
  const isNamed = Node.isFunctionExpression(value) || Node.isFunctionDeclaration(value)
  if (!isNamed) return value
  return value.isGenerator() ? undefined : configIn(returned(value.getBody()), dependency)
}

/** The object that a configuration is, as far as that can be proved. */
function objectIn(value: Value, dependency: string): ObjectLiteralExpression | undefined {
  const config = value === MISSING ? undefined : configIn(value, dependency)
  return Node.isObjectLiteralExpression(config) ? config : undefined
}

/** Without `( … )`, `… as Type` and `… satisfies Type`. */
function unwrapped(node: Node | undefined): Node | undefined {
  const isWrapped =
    Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node)
  return isWrapped ? unwrapped(node.getExpression()) : node
}

/** What a function returns at its end, if that is its only `return`. */
function returned(body: Node | undefined): Node | undefined {
  if (!Node.isBlock(body)) return body
  const [only, ...others] = body
    .getDescendantsOfKind(SyntaxKind.ReturnStatement)
    .filter((statement) => statement.getFirstAncestor(isFunction) === body.getParent())
  return only?.getParent() === body && others.length === 0 ? only.getExpression() : undefined
}

function isFunction(node: Node): boolean {
  return Node.isFunctionLikeDeclaration(node) || Node.isFunctionExpression(node)
}

/** The value of a `const` that the code mentions only once. */
function constantValue(name: Identifier): Node | undefined {
  const mentions = name
    .getSourceFile()
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((other) => {
      const parent = other.getParent()
      const isProperty =
        Node.isPropertyAccessExpression(parent) || Node.isPropertyAssignment(parent)
      return other.getText() === name.getText() && !(isProperty && parent.getNameNode() === other)
    })
  const declaration = mentions[0]?.getParent()
  if (mentions.length !== 2 || !Node.isVariableDeclaration(declaration)) return undefined
  const isConstant = declaration.getVariableStatement()?.getDeclarationKind() === 'const'
  return isConstant ? declaration.getInitializer() : undefined
}

/** Whether a function is `defineConfig` or another one of the bundler: a global, imported or required. */
function returnsArgument(callee: Node, dependency: string): boolean {
  if (!Node.isIdentifier(callee)) return false
  const isKnown = /^define(?:Nuxt)?Config$/.test(callee.getText())
  if (callee.getSymbol() === undefined) return isKnown
  const module = originOf(callee)?.module ?? './'
  const isOfBundler = module === dependency || module.startsWith(`${dependency}/`)
  return isOfBundler || (isKnown && !/^(?:[./~#]|@\/)/.test(module))
}

/** The value of a property, if there is one; `undefined` if it is not known. */
type Value = Node | typeof MISSING | undefined

const MISSING = 'missing'

function valueIn(object: Value, key: string): Value {
  const found = objectIn(object, VITEST)
  return found && valueOf(found, key)
}

/** The value of a property; `undefined` if a spread, a computed name or an accessor may have it. */
function valueOf(object: ObjectLiteralExpression, key: string): Value {
  const properties = object.getProperties()
  const isKey = (property: Node): boolean =>
    Node.hasName(property) && property.getName().replaceAll(/["']/g, '') === key
  const at = properties.findIndex(isKey)
  const isUnknown = properties.some(
    (property, index) =>
      (index > at && (isKey(property) || Node.isSpreadAssignment(property))) ||
      (Node.hasName(property) && property.getName().startsWith('[')),
  )
  if (isUnknown) return undefined
  const property = properties[at]
  if (property === undefined) return MISSING
  return Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
}

/** A list that is written here. */
function listIn(value: Value): ArrayLiteralExpression | undefined {
  const list = value === MISSING ? undefined : unwrapped(value)
  return Node.isArrayLiteralExpression(list) ? list : undefined
}

function elementsOf(value: Value): Expression[] | undefined {
  return listIn(value)?.getElements()
}

/**
 * Loads the plugin at the top, or in CommonJS before the statement that uses it: its constant has no value
 * above its declaration, and a directive stays the first statement.
 */
function addImport(
  exported: Node,
  edits: readonly Insertion[],
  binding: string,
  specifier: string,
): Insertion {
  const file = exported.getSourceFile()
  const text = file.getFullText()
  const isCommonJs = Node.isBinaryExpression(exported.getParent())
  const line = inStyleOf(text, importLine(binding, specifier, isCommonJs))
  const first = isCommonJs ? Math.min(...edits.map(({ at }) => at)) : 0
  const user = file.getStatements().find((statement) => statement.getEnd() > first)
  const lines = Node.isImportDeclaration(user) ? [line, ''] : [line, '', '']
  return {
    at: user === undefined ? 0 : startWithComments(user),
    text: lines.join(text.includes('\r\n') ? '\r\n' : '\n'),
  }
}

/** Where a statement begins with the comments that belong to it: its doc comment, and remarks for tools. */
function startWithComments(statement: Node): number {
  const remark = statement.getLeadingCommentRanges().find((one) => REMARK.test(one.getText()))
  return Math.min(statement.getStart(true), remark?.getPos() ?? Infinity)
}

/** A comment by which a tool treats the code below it in another way. */
const REMARK =
  /@ts-(?:expect-error|ignore)\b|-disable-next-line\b|\b(?:prettier|biome|deno-lint|dprint|oxfmt)-ignore\b(?!-all)|\b(?:c8|v8|istanbul) ignore (?:next|else|if|start)\b|\bnoinspection\b/

/** Adds a path to `include`, where the text of a tsconfig.json has it. */
export function addIncluded(text: string, path: string): string | undefined {
  const root = parse('tsconfig.json', text)?.getStatements()[0]?.getFirstChild()
  const list = listIn(Node.isObjectLiteralExpression(root) ? valueOf(root, 'include') : undefined)
  return list && insert(text, [prepend(list, JSON.stringify(path))])
}

interface Insertion {
  readonly at: number
  readonly text: string
}

function insert(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((one, other) => other.at - one.at)
    .reduce((result, { at, text: added }) => result.slice(0, at) + added + result.slice(at), text)
}

/** Adds an entry before the others of a list or an object, with the white space that is there. */
function prepend(
  container: ArrayLiteralExpression | ObjectLiteralExpression,
  entry: string,
): Insertion {
  const at = container.getStart() + 1
  const [gap = ''] = /^\s*/.exec(container.getText().slice(1)) ?? []
  const isList = Node.isArrayLiteralExpression(container)
  const others = isList ? container.getElements() : container.getProperties()
  if (others.length > 0) return { at, text: gap === '' ? `${entry}, ` : `${gap}${entry},` }
  return { at, text: isList || gap !== '' ? gap + entry : ` ${entry} ` }
}

/** Reads a text whose name selects the language; `undefined` if it is not well-formed. */
function parse(name: string, text: string): SourceFile | undefined {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { allowJs: true, resolveJsonModule: true },
  })
  const file = project.createSourceFile(name, text)
  return project.getProgram().getSyntacticDiagnostics(file).length === 0 ? file : undefined
}
