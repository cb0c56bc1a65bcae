// Prints the prompts of source files as a workspace, each below the call that replaces it:
// node node_modules/unplugin-prompts/dist/docs/scripts/extract-prompts.js src/*.ts > prompts.workspace.yaml
// Texts come from the syntax tree, so escapes and line breaks are exact, or from imports of `*.txt?raw`.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ts } from 'ts-morph'

const SHORTEST = 60
const RAW = /\?raw$/

/** `{name}`, `${name}` or `{{name}}`, with or without spaces. */
const PLACEHOLDER = /(?<open>\{\{|\$?\{)[ \t]*(?<name>[\p{L}_][\p{L}\p{N}_.-]*)[ \t]*(?<close>\}\}?)/gu

/** Keys of the two texts of a prompt, in an object for an SDK or for a function of the app. */
const SYSTEM = /^(?:system|developer)(?:_?(?:prompt|message|instructions?))?$|^instructions$/i
const USER = /^(?:prompt|input|user(?:_?(?:prompt|message|input))?)$/i

/** Words that name no prompt: an entry has the name of something around them, and of the file. */
const VAGUE =
  wordSet(`ai app body build completion config content create data default developer format generate get
  index input instruction instructions lib llm main make message messages options page params prompt prompts render
  request response result return role route server src system template text texts user value`)

/** Functions, properties and tags whose texts are for people or machines, and names of what is for a model. */
const NO_PROMPT_CALL = wordSet('assert console debug describe error info log logger toast trace warn warning')
const NO_PROMPT_NAME = wordSet(
  'alt class description error hint href label message path reason style title tooltip url',
)
const NO_PROMPT_TAG = wordSet('css gql graphql html keyframes sql styled')
const PROMPT_NAME = wordSet('instruction instructions persona prompt prompts system')

/** Several words, and the end of a sentence or line. */
const SENTENCES = /\p{L}\s+\p{L}[^]*(?:[.!?:](?:\s|$)|\n)/u
const QUERY_OR_MARKUP =
  /^\s*(?:(?:select|insert|update|delete|with|create|alter)\s[^.]*\b(?:from|into|set|as|table)\b|<!doctype|<html|<svg)/i

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' } },
})
const program = ts.createProgram(positionals, {
  allowJs: true,
  jsx: ts.JsxEmit.Preserve,
  noLib: true,
  noResolve: true,
})
const checker = program.getTypeChecker()
const files = positionals.map((path) => {
  const file = program.getSourceFile(path)
  if (file === undefined) throw new Error(`${path} is no file of TypeScript or JavaScript.`)
  return file
})
const fillings = files.flatMap(fillingsIn)
const texts = new Map(files.flatMap(textsIn).map((text) => [text.node, text]))
const entries = entriesOf(files.flatMap(pairsIn))
const selected = options.all ? entries : entries.filter(isPrompt)
const slugs = new Set()

console.log(selected.length === 0 ? 'prompts: []' : 'prompts:')
for (const entry of selected) print(entry)
const leftOut = entries.length - selected.length
if (leftOut > 0)
  console.error(`Left out ${leftOut} texts that do not look like prompts; --all prints them, too.`)

/** The largest expressions that are texts. */
function textsIn(node) {
  const text = textAt(node)
  if (text !== undefined) return [{ node, ...text }]
  const inside = []
  ts.forEachChild(node, (child) => void inside.push(...textsIn(child)))
  return inside
}

/** The constant parts of a text, and the expressions between them. */
function textAt(node) {
  if (ts.isImportDeclaration(node) && RAW.test(node.moduleSpecifier.text)) {
    const path = node.moduleSpecifier.text.replace(RAW, '')
    return constant(readFileSync(resolve(dirname(node.getSourceFile().fileName), path), 'utf8'))
  }
  return isText(node) ? flatten(node) : undefined
}

function isText(node) {
  if (ts.isParenthesizedExpression(node)) return isText(node.expression)
  const isLiteral = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
  return isLiteral || isSum(node) || joinedArray(node) !== undefined
}

/** `'a' + b`. */
function isSum(node) {
  const isPlus = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
  return isPlus && [node.left, node.right].some(isText)
}

/** The array in `['a', b].join('\n')`, also with `.filter(Boolean)` between them. */
function joinedArray(node) {
  if (!ts.isCallExpression(node) || node.expression.name?.text !== 'join') return undefined
  const [array, [separator]] = [rootOf(node), node.arguments]
  if (!ts.isArrayLiteralExpression(array) || !separator || !ts.isStringLiteralLike(separator))
    return undefined
  return array.elements.some(isText) ? array : undefined
}

function flatten(node) {
  if (ts.isParenthesizedExpression(node) && isText(node)) return flatten(node.expression)
  if (ts.isStringLiteralLike(node)) return constant(node.text)
  if (isSum(node)) return concatenate([flatten(node.left), flatten(node.right)])
  if (ts.isTemplateExpression(node)) {
    const literals = [node.head, ...node.templateSpans.map(({ literal }) => literal)]
    return {
      parts: literals.map(({ text }) => text),
      expressions: node.templateSpans.map(({ expression }) => expression),
    }
  }
  const array = joinedArray(node)
  if (array === undefined) return { parts: ['', ''], expressions: [node] }
  const separator = constant(node.arguments[0].text)
  return concatenate(array.elements.flatMap((each) => [separator, flatten(each)]).slice(1))
}

function constant(text) {
  return { parts: [text], expressions: [] }
}

function concatenate(all) {
  return all.reduce((left, { parts: [first, ...rest], expressions }) => ({
    parts: [...left.parts.slice(0, -1), left.parts.at(-1) + first, ...rest],
    expressions: [...left.expressions, ...expressions],
  }))
}

/** System and user text that one object, or one list of messages, has together. */
function pairsIn(node) {
  const inside = []
  ts.forEachChild(node, (child) => void inside.push(...pairsIn(child)))
  const pair = [SYSTEM, USER].map((key) => {
    const found = propertiesOf(node).filter(([name]) => key.test(name))
    return found.length === 1 ? textOf(found[0][1]) : undefined
  })
  return pair.every(Boolean) && pair.some(isLong) ? [...inside, pair] : inside
}

/** Names and values of an object; of a list of messages, roles and contents. */
function propertiesOf(node) {
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.flatMap((element) => {
      const { role, content } = Object.fromEntries(propertiesOf(element))
      return role && content ? [[role.text, content]] : []
    })
  }
  if (!ts.isObjectLiteralExpression(node)) return []
  return node.properties
    .filter((each) => ts.isPropertyAssignment(each) || ts.isShorthandPropertyAssignment(each))
    .map((each) => [each.name.text, each.initializer ?? each.name])
}

/** The text that an expression is or names, or that a function without another text returns. */
function textOf(node, steps = 4) {
  if (texts.has(node)) return texts.get(node)
  if (steps === 0) return undefined
  if (ts.isFunctionLike(node)) {
    const all = textsIn(node).filter((text) => isLong(text) && isForModel(text))
    return all.length === 1 ? texts.get(all[0].node) : undefined
  }
  if (ts.isCallExpression(node)) return textOf(rootOf(node), steps - 1)
  if (!ts.isIdentifier(node)) return undefined
  const isShorthand = ts.isShorthandPropertyAssignment(node.parent)
  const symbol = isShorthand
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
  const isAlias = symbol && symbol.flags & ts.SymbolFlags.Alias
  const { valueDeclaration: declaration } = (isAlias ? checker.getAliasedSymbol(symbol) : symbol) ?? {}
  const value = declaration?.initializer ?? declaration
  return value && textOf(value, steps - 1)
}

function isLong({ node }) {
  return ts.isImportDeclaration(node) || node.getText().length >= SHORTEST
}

/** Pairs and single texts, in the order of the files. A text of several pairs stays single. */
function entriesOf(pairs) {
  const isShared = (text) => pairs.filter((pair) => pair.includes(text)).length > 1
  const partners = pairs.filter((pair) => pair[0] !== pair[1] && !pair.some(isShared))
  return [...texts.values()].flatMap((text) => {
    const pair = partners.find((each) => each.includes(text))
    if (pair === undefined) return isLong(text) ? [[text]] : []
    return pair[0] === text ? [pair] : []
  })
}

function isPrompt([text, user]) {
  if (user !== undefined || ts.isImportDeclaration(text.node)) return true
  if (!isForModel(text)) return false
  const isNamed = [...namesAround(text.node), fileName(text.node)].some((name) => hasWord(name, PROMPT_NAME))
  const content = text.parts.join('|')
  return isNamed ? /\p{L}\s+\p{L}/u.test(content) : SENTENCES.test(content) && !QUERY_OR_MARKUP.test(content)
}

/** Whether nothing around a text, up to its function, is for people or machines. */
function isForModel({ node }) {
  for (let each = node; !ts.isFunctionLike(each) && !ts.isSourceFile(each); each = each.parent) {
    if (ts.isThrowStatement(each) || ts.isJsxAttribute(each) || ts.isJsxExpression(each)) return false
    if (ts.isTaggedTemplateExpression(each) && hasWord(each.tag.getText(), NO_PROMPT_TAG)) return false
    const isCall = ts.isCallExpression(each) || ts.isNewExpression(each)
    if (isCall && each !== node && hasWord(each.expression.getText(), NO_PROMPT_CALL)) return false
    const name = nameAt(each)
    if (name && hasWord(name, NO_PROMPT_NAME) && !hasWord(name, PROMPT_NAME)) return false
  }
  return true
}

function print(entry) {
  const values = new Map()
  const sources = entry.map((text) => JSON.stringify(sourceOf(text, values)))
  const slug = unique(slugOf(entry), slugs)
  slugs.add(slug)
  const pairs = Array.from(values, property)
  const argument = pairs.length === 0 ? '' : `{ ${pairs.join(', ')} }`
  const places = entry.map(({ node }) => {
    const file = node.getSourceFile()
    return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  })
  const call = `prompts['${slug}'].render(${argument})`
  console.log(
    `  # ${places.join(' ')} ${entry.length === 1 ? `${call}.text` : `const { system, user } = ${call}`}`,
  )
  const [system, user] = sources
  const version = user === undefined ? `system: ${system}` : `system: ${system}, user: ${user}`
  console.log(`  - { slug: ${JSON.stringify(slug)}, live: v1, versions: { v1: { ${version} } } }`)
}

/** The text with a token for each value, which `values` gets. */
function sourceOf({ node, parts, expressions }, values) {
  const scope = ts.findAncestor(node, ts.isFunctionLike)
  const source = parts.map((part, index) => {
    const filled = part.replaceAll(PLACEHOLDER, (all, open, variable, close) => {
      const isPair = (open === '{{') === (close === '}}')
      const value = isPair ? valueOf(open, variable, node) : undefined
      return value === undefined ? all : token(values, variable, value, scope)
    })
    const expression = expressions[index]
    if (expression === undefined) return filled
    return filled + token(values, nameOf(expression), codeOf(expression), scope)
  })
  return source.join('')
}

/** The name of the file, and that of the constant, property or function, as far as they say something. */
function slugOf(entry) {
  const [{ node }] = entry
  const file = fileName(node)
  const owner = entry
    .flatMap((text) => namesAround(text.node))
    .map(kebab)
    .find((name) => !isVague(name))
  if (owner === undefined || file.includes(owner)) return file
  return isVague(file) || owner.includes(file) ? owner : `${file}-${owner}`
}

/** The names of what has a text, from the inside out. */
function namesAround(node) {
  const names = []
  for (let each = node; each; each = each.parent) if (nameAt(each)) names.push(nameAt(each))
  return names
}

/** The name of a declaration or property, or of an import of text. */
function nameAt(node) {
  if (ts.isPropertyAccessExpression(node)) return undefined
  return (node.name ?? node.importClause?.name)?.text
}

/** The name of the file, or of a folder with it, if that says more. */
function fileName(node) {
  const path = resolve(node.getSourceFile().fileName).split(/[\\/]/)
  const names = path.map((name) => kebab(name.replace(/(?<=.)\..*/, ''))).filter((name) => name !== '')
  return names.slice(-2).findLast((name) => !isVague(name)) ?? names.at(-1) ?? 'prompt'
}

function kebab(name) {
  return wordsOf(name).join('-')
}

function isVague(name) {
  return wordsOf(name).every((word) => VAGUE.has(word))
}

function hasWord(name, words) {
  return wordsOf(name).some((word) => words.has(word))
}

function wordsOf(name) {
  return name
    .split(/[^\p{L}\p{N}]+|(?<=[a-z0-9])(?=[A-Z])/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

function wordSet(words) {
  return new Set(words.split(/\s+/))
}

/** Which values the calls of `replace` and `replaceAll` put in place of placeholders, and in which text. */
function fillingsIn(node) {
  const inside = []
  ts.forEachChild(node, (child) => void inside.push(...fillingsIn(child)))
  const name = ts.isCallExpression(node) ? node.expression.name?.text : undefined
  const [pattern, value] = node.arguments ?? []
  if ((name !== 'replace' && name !== 'replaceAll') || value === undefined) return inside
  // `/\{\{\s*name\s*\}\}/g` is `{{name}}`, and `'{' + key + '}'` is `{${key}}`, which stands for every name.
  const text = pattern
    .getText()
    .replaceAll(/['"`] *\+ *(\w+) *\+ *['"`]/g, '$${$1}')
    .replaceAll(/\\+s[*+?]?|\\+(?=[{}$])| /g, '')
  const [, open, variable] = /(\{\{|\$?\{)(\$\{.*?\}|[\p{L}_][\p{L}\p{N}_.-]*)\}/u.exec(text) ?? []
  if (open === undefined) return inside
  const result = ts.isArrowFunction(value) ? value.body : value
  const isComputed = variable.startsWith('$')
  return [
    ...inside,
    { open, variable: isComputed ? undefined : variable, value: codeOf(result), root: rootOf(node) },
  ]
}

/** What a chain of calls begins with: `PROMPT` or `texts.PROMPT` in `PROMPT.replace(…).replace(…)`. */
function rootOf(node) {
  return ts.isCallExpression(node) ? rootOf(node.expression.expression ?? node.expression) : node
}

/** The code of the value that is put in place of a placeholder. Double braces are a token in any case. */
function valueOf(open, variable, node) {
  const [name] = namesAround(node)
  const all = fillings.filter((each) => each.open === open)
  const named = all.filter((each) => each.variable === variable)
  const own = named.filter(({ root }) => root === node || (root.name ?? root).text === name)
  const values = new Set((own.length > 0 ? own : named).map(({ value }) => value))
  if (values.size === 1) return [...values][0]
  const isComputed = all.some((each) => each.variable === undefined)
  return values.size > 1 || isComputed || open === '{{' ? variable : undefined
}

/** The token of a value. Another value with the same name, or the name in another function, gets one of its own. */
function token(values, name, code, scope) {
  const isSame = ([, value]) => value.code === code && value.scope === scope
  const [known] = [...values].find(isSame) ?? []
  const variable = known ?? unique(name, values, '')
  values.set(variable, { code, scope })
  return `{{ ${variable} }}`
}

/** A name for a value: `tone`, `user.name`, `JSON.stringify(item)`, `items.join()` have one, and a condition has none. */
function nameOf(node) {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isSpreadElement(node)) return nameOf(node.expression)
  if (!ts.isCallExpression(node)) return node.name?.text ?? 'section'
  const [first] = node.arguments
  const isNamed =
    first && (ts.isIdentifier(first) || ts.isPropertyAccessExpression(first) || ts.isCallExpression(first))
  return nameOf(isNamed ? first : (node.expression.expression ?? node.expression))
}

function unique(name, names, separator = '-') {
  if (!names.has(name)) return name
  for (let number = 2; ; number++) {
    if (!names.has(`${name}${separator}${number}`)) return `${name}${separator}${number}`
  }
}

function property([key, { code }]) {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) return `'${key}': ${code}`
  return key === code ? key : `${key}: ${code}`
}

/** An expression on one line, with the line breaks of its own texts. What an array that is joined spreads is joined, too. */
function codeOf(node) {
  const isSpread = ts.isSpreadElement(node)
  const join = isSpread && ts.findAncestor(node, (each) => joinedArray(each) === node.parent)
  if (join) return `${codeOf(node.expression)}.join(${codeOf(join.arguments[0])})`
  const [children, { text }] = [node.getChildren(), node.getSourceFile()]
  if (children.length === 0) return node.getText().replaceAll(/\r?\n/g, String.raw`\n`)
  const code = children.map((child, index) => {
    const between = index === 0 ? '' : text.slice(children[index - 1].end, child.getStart())
    return between.replaceAll(/\/\/.*/g, '').replaceAll(/\s+/g, ' ') + codeOf(child)
  })
  return code.join('')
}
