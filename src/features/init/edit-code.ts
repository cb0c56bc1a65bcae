/**
 * Edits that insert text and change no other byte: the plugin in a bundler's configuration, and the
 * declarations in a tsconfig.json. A form of which they can't prove what the edit does is left to a person.
 * Loads TypeScript.
 */
import {
  type ArrayLiteralExpression,
  type CallExpression,
  type Expression,
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
  const isLoaded = loads(file, PLUGINS)
  const added = isLoaded ? undefined : exported && insertPlugin(exported, place)
  const plugin = isUsed(file, exported, place) ? [] : added
  const isOfVitest = place.isOfVitest === true && place.specifier === 'unplugin-prompts/vite'
  const projects = isOfVitest ? inheritPlugin(name, exported, place) : []
  const isOfApp = place.app !== undefined && loads(file, place.app)
  const left: PluginStep[] = []
  if (plugin === undefined) left.push(isLoaded || isOfApp ? 'use' : 'plugin')
  if (projects === undefined) left.push('projects')
  const edited = insert(text, [...(plugin ?? []), ...(projects ?? [])])
  return parse(name, edited) ? { text: edited, left } : { text, left: ['plugin'] }
}

/** The entry points with a plugin. */
const PLUGINS = /^unplugin-prompts\//

/** Whether a file loads values of a module, or has its name in a list, as the configuration of Nuxt. */
function loads(file: SourceFile, modules: RegExp): boolean {
  return file.getDescendantsOfKind(SyntaxKind.StringLiteral).some((literal) => {
    const parent = literal.getParent()
    if (!modules.test(literal.getLiteralValue())) return false
    if (Node.isImportDeclaration(parent)) {
      const names = parent.getNamedImports()
      const hasOnlyTypes = names.length > 0 && names.every((one) => one.isTypeOnly())
      return !parent.isTypeOnly() && !(hasOnlyTypes && parent.getDefaultImport() === undefined)
    }
    if (Node.isCallExpression(parent))
      return /^(?:require|import)$/.test(parent.getExpression().getText())
    return Node.isArrayLiteralExpression(parent)
  })
}

/** Whether a configuration is proven to use the plugin. */
function isUsed(
  file: SourceFile,
  exported: Node | undefined,
  { specifier, dependency, list, isModuleName, app }: PluginPlace,
): boolean {
  if (app !== undefined && isMadeFrom(app, file, exported)) return true
  const config = configIn(exported, dependency)
  if (list === undefined) return isCallOf(config, specifier)
  const value = Node.isObjectLiteralExpression(config) ? valueOf(config, list) : undefined
  return (
    elementsOf(value)?.some((element) =>
      isModuleName ? isModuleNamed(element, specifier) : isCallOf(element, specifier),
    ) === true
  )
}

/** The elements of a list that is written here. */
function elementsOf(list: Node | typeof MISSING | undefined): Expression[] | undefined {
  const array = list === MISSING ? undefined : unwrapped(list)
  return Node.isArrayLiteralExpression(array) ? array.getElements() : undefined
}

/** Whether an element of a list is the name of a module, which may stand before its options. */
function isModuleNamed(element: Node, specifier: string): boolean {
  const name = Node.isArrayLiteralExpression(element) ? element.getElements()[0] : element
  return Node.isStringLiteral(name) && name.getLiteralValue() === specifier
}

/** Whether a node is a call of the default export of a module. */
function isCallOf(node: Node | undefined, specifier: string): boolean {
  const call = unwrapped(node)
  return Node.isCallExpression(call) && defaultModule(call.getExpression()) === specifier
}

/** The module whose default export a name stands for. */
function defaultModule(name: Node | undefined): string | undefined {
  const [declaration] = Node.isIdentifier(name) ? (name.getSymbol()?.getDeclarations() ?? []) : []
  const [, imported, required] = LOAD_DEFAULT.exec(statementOf(declaration)) ?? []
  if (Node.isImportClause(declaration)) return imported
  return Node.isVariableDeclaration(declaration) ? required : undefined
}

/** A statement that does nothing but load the default export of a module. */
const LOAD_DEFAULT =
  /^(?:import\s+(?!type\s+[\w{])[\w$]+\b[^'"]*\bfrom\s*["']([^"']+)["']|const\s+[\w$]+\s*=\s*require\(["']([^"']+)["']\)\.default);?$/

/** Whether a configuration of Vitest is made from that of the app. */
function isMadeFrom(app: RegExp, file: SourceFile, exported: Node | undefined): boolean {
  const isExported = file
    .getExportDeclarations()
    .filter((one) => app.test(one.getModuleSpecifierValue() ?? ''))
    .some((one) => one.getNamedExports().some((name) => name.getText() === 'default'))
  const config = configIn(exported, VITEST)
  if (isExported || isDefaultOf(app, unwrapped(exported))) return true
  if (!Node.isCallExpression(config)) return false
  if (isMerge(config)) return config.getArguments().some((argument) => isDefaultOf(app, argument))
  const module = moduleOf(config.getExpression()) ?? ''
  return app.test(module) && !module.startsWith('.')
}

const VITEST = 'vitest'

/** Whether a node is the default export of a module, or a call of it. */
function isDefaultOf(modules: RegExp, node: Node | undefined): boolean {
  const name = Node.isCallExpression(node) ? node.getExpression() : node
  return modules.test(defaultModule(name) ?? '')
}

function isMerge(call: CallExpression): boolean {
  const callee = call.getExpression()
  return callee.getText() === 'mergeConfig' && /^vite(?:st\/config)?$/.test(moduleOf(callee) ?? '')
}

/**
 * Adds `extends: true` to the projects of Vitest, by which they inherit the plugin.
 *
 * @returns `undefined` if that is not all: a project may be another file, or get its settings from elsewhere
 */
function inheritPlugin(
  name: string,
  exported: Node | undefined,
  place: PluginPlace,
): Insertion[] | undefined {
  if (exported === undefined) return []
  const config = configIn(exported, VITEST) ?? unwrapped(exported)
  const parts = Node.isCallExpression(config) ? config.getArguments() : [config]
  const { app } = place
  const own = parts.filter((part) => app === undefined || !isDefaultOf(app, part))
  return whole(own.map((part) => inheritInConfig(part, name, place)))
}

function inheritInConfig(
  config: Node | undefined,
  name: string,
  place: PluginPlace,
): Insertion[] | undefined {
  const object = objectIn(config, VITEST)
  const value = object && valueOf(object, 'test')
  if (value === MISSING) return []
  const test = objectIn(value, VITEST)
  if (test === undefined) return undefined
  return whole(
    ['projects', 'workspace'].map((key) => {
      const list = valueOf(test, key)
      if (list === MISSING) return []
      const elements = elementsOf(list)
      return elements && whole(elements.map((element) => inheritInProject(element, name, place)))
    }),
  )
}

function inheritInProject(
  element: Node,
  name: string,
  { specifier }: PluginPlace,
): Insertion[] | undefined {
  const project = objectIn(element, VITEST)
  const base = project && valueOf(project, 'extends')
  if (project === undefined || base === undefined) return undefined
  if (base !== MISSING) {
    const isThis = Node.isStringLiteral(base) && base.getLiteralValue() === `./${name}`
    return isThis || Node.isTrueLiteral(base) ? [] : undefined
  }
  const plugins = valueOf(project, 'plugins')
  if (plugins === MISSING) return [prepend(project, 'extends: true')]
  return elementsOf(plugins)?.some((one) => isCallOf(one, specifier)) ? [] : undefined
}

/** All insertions; `undefined` if one list of them is. */
function whole(lists: readonly (Insertion[] | undefined)[]): Insertion[] | undefined {
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined
}

/** The plugin in the list of plugins, or around the configuration, and its import. */
function insertPlugin(exported: Node, place: PluginPlace): Insertion[] | undefined {
  const { specifier, dependency, list, isModuleName = false } = place
  const file = exported.getSourceFile()
  const text = file.getFullText()
  const binding = freeName(file, list === undefined ? [WRAPPER] : ['prompts', 'promptsPlugin'])
  if (binding === undefined) return undefined
  const entry = isModuleName ? quotedAs(text, `'${specifier}'`) : `${binding}()`
  const edits =
    list === undefined ? wrap(exported) : addToList(objectIn(exported, dependency), list, entry)
  const isImported = edits !== undefined && !isModuleName
  return isImported ? [addImport(exported, edits, binding, specifier), ...edits] : edits
}

/** The first name that nothing in a file has. */
function freeName(file: SourceFile, names: readonly string[]): string | undefined {
  const taken = new Set(file.getDescendantsOfKind(SyntaxKind.Identifier).map((id) => id.getText()))
  return names.find((name) => !taken.has(name))
}

/** `export default`, or the last assignment of `module.exports` if nothing below mentions it. */
function exportedConfig(file: SourceFile): Node | undefined {
  const declared = file.getFunctions().find((declaration) => declaration.isDefaultExport())
  if (declared !== undefined) return declared
  const exported = file.getExportAssignment((assignment) => !assignment.isExportEquals())
  if (exported !== undefined) return exported.getExpression()
  const assigned = file.getStatements().flatMap((statement) => {
    const node = Node.isExpressionStatement(statement) ? statement.getExpression() : undefined
    const isExport = Node.isBinaryExpression(node) && node.getLeft().getText() === 'module.exports'
    return isExport && node.getOperatorToken().getText() === '=' ? [node] : []
  })
  const last = assigned.at(-1)
  const rest = last && file.getFullText().slice(last.getEnd())
  return rest !== undefined && !/\bexports\b/.test(rest) ? last?.getRight() : undefined
}

function wrap(exported: Node): Insertion[] | undefined {
  if (!Node.isExpression(exported)) return undefined
  return [
    { at: exported.getStart(), text: `${WRAPPER}(` },
    { at: exported.getEnd(), text: ')' },
  ]
}

/**
 * What a configuration is, as far as that can be proved: an object, or a call of something else.
 *
 * @param dependency - the bundler, whose functions return what they get
 */
function configIn(node: Node | undefined, dependency: string): Node | undefined {
  const value = unwrapped(node)
  if (Node.isIdentifier(value)) return configIn(constantValue(value), dependency)
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
function objectIn(
  node: Node | typeof MISSING | undefined,
  dependency: string,
): ObjectLiteralExpression | undefined {
  const config = node === MISSING ? undefined : configIn(node, dependency)
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
function constantValue(name: Node): Node | undefined {
  const mentions = mentionsOf(name)
  const declaration = mentions
    .map((mention) => mention.getParent())
    .find(Node.isVariableDeclaration)
  const isConstant = declaration?.getVariableStatement()?.getDeclarationKind() === 'const'
  return mentions.length === 2 && isConstant ? declaration?.getInitializer() : undefined
}

/** The places where a file has a name that is not that of a property. */
function mentionsOf(name: Node): Node[] {
  return name
    .getSourceFile()
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((other) => {
      const parent = other.getParent()
      const isProperty =
        Node.isPropertyAccessExpression(parent) || Node.isPropertyAssignment(parent)
      return other.getText() === name.getText() && !(isProperty && parent.getNameNode() === other)
    })
}

/** Whether a function is `defineConfig` or another one of the bundler: a global, imported or required. */
function returnsArgument(callee: Node, dependency: string): boolean {
  const isKnown = /^define(?:Nuxt)?Config$/.test(callee.getText())
  const [first] = mentionsOf(callee)
  if (!Node.isIdentifier(callee) || first === callee) return isKnown && first === callee
  const module = moduleOf(callee) ?? './'
  const isOfBundler = module === dependency || module.startsWith(`${dependency}/`)
  return isOfBundler || (isKnown && !/^(?:[./~#]|@\/)/.test(module))
}

/** The module that a name is loaded from. */
function moduleOf(name: Node): string | undefined {
  return LOAD.exec(statementOf(mentionsOf(name)[0]))?.[1]
}

/** A statement that does nothing but load names from a module. */
const LOAD = /^(?:import\b[^'"]*\bfrom|const\s*\{[^}]*\}\s*=\s*require\()\s*["']([^"']+)["']\)?;?$/

function statementOf(node: Node | undefined): string {
  return node?.getFirstAncestor((one) => Node.isSourceFile(one.getParent()))?.getText() ?? ''
}

/** Adds an element to the list of a property, which is added if it is missing. */
function addToList(
  object: ObjectLiteralExpression | undefined,
  key: string,
  entry: string,
): Insertion[] | undefined {
  const value = object && valueOf(object, key)
  if (object === undefined || value === undefined) return undefined
  if (value === MISSING) return [prepend(object, `${key}: [${entry}]`)]
  const list = unwrapped(value)
  return Node.isArrayLiteralExpression(list) ? [prepend(list, entry)] : undefined
}

const MISSING = 'missing'

/** The value of a property; `undefined` if a spread, a computed name or an accessor may have it. */
function valueOf(object: ObjectLiteralExpression, key: string): Node | typeof MISSING | undefined {
  const properties = object.getProperties()
  const isKey = (property: Node): boolean =>
    Node.hasName(property) && unquoted(property.getName()) === key
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

function unquoted(name: string): string {
  return name.replaceAll(/["']/g, '')
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
  const list = Node.isObjectLiteralExpression(root) ? valueOf(root, 'include') : undefined
  const isList = typeof list === 'object' && Node.isArrayLiteralExpression(list)
  return isList ? insert(text, [prepend(list, JSON.stringify(path))]) : undefined
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
