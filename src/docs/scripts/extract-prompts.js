// Prints the long texts of source files as a workspace of prompts, each below the call that replaces it:
// node node_modules/unplugin-prompts/dist/docs/scripts/extract-prompts.js src/*.ts > prompts.workspace.yaml
// Texts come from the syntax tree, so escapes and line breaks are exact, or from imports of `*.txt?raw`.
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { ts } from 'ts-morph'

const SHORTEST = 60
const RAW = /\?raw$/

/** Keys of SDKs, which name no prompt: it has the name of its function. */
const UNNAMED = new Set(['prompt', 'system', 'content', 'text'])

/** `{name}`, `${name}` or `{{name}}`, with or without spaces. */
const PLACEHOLDER = /(?<open>\{\{|\$?\{)[ \t]*(?<name>[\p{L}_][\p{L}\p{N}_.-]*)[ \t]*(?<close>\}\}?)/gu

const files = process.argv.slice(2).map((path) => {
  const code = readFileSync(path, 'utf8')
  return ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
})
const fillings = files.flatMap(fillingsIn)
const slugs = new Set()

console.log('prompts:')
for (const file of files) visit(file)

function visit(node) {
  const text = textAt(node)
  if (text !== undefined) print(node, text)
  else if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit)
}

/** The constant parts of a long text, the expressions between them, and a name for it. */
function textAt(node) {
  if (ts.isImportDeclaration(node) && RAW.test(node.moduleSpecifier.text)) {
    const path = node.moduleSpecifier.text.replace(RAW, '')
    const text = readFileSync(resolve(node.getSourceFile().fileName, '..', path), 'utf8')
    return { parts: [text], expressions: [], name: node.importClause.name.text }
  }
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
  if (!isText || node.getText().length < SHORTEST) return undefined
  const spans = node.templateSpans ?? []
  return {
    parts: [node.head ?? node, ...spans.map(({ literal }) => literal)].map(({ text }) => text),
    expressions: spans.map(({ expression }) => expression),
    name: nameOfText(node),
  }
}

function print(node, { parts, expressions, name }) {
  const values = new Map()
  const source = parts.map((part, index) => {
    const filled = part.replaceAll(PLACEHOLDER, (all, open, variable, close) => {
      const isPair = (open === '{{') === (close === '}}')
      const value = isPair ? valueOf(open, variable, node) : undefined
      return value === undefined ? all : token(values, variable, value)
    })
    const expression = expressions[index]
    const isLast = expression === undefined
    return isLast ? filled : filled + token(values, nameOf(expression), codeOf(expression))
  })
  const slug = unique(name.replaceAll(/[^\p{L}\p{N}]+|(?<=[a-z0-9])(?=[A-Z])/gu, '-').toLowerCase(), slugs)
  slugs.add(slug)
  const pairs = Array.from(values, property)
  const argument = pairs.length === 0 ? '' : `{ ${pairs.join(', ')} }`
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  console.log(`  # ${file.fileName}:${line + 1} prompts['${slug}'].render(${argument}).text`)
  const [quoted, system] = [slug, source.join('')].map((value) => JSON.stringify(value))
  console.log(`  - { slug: ${quoted}, live: v1, versions: { v1: { system: ${system} } } }`)
}

/** The name of the variable, property or function that has the text, otherwise that of the file. */
function nameOfText(node) {
  const owner = ownerOf(node)
  if (owner === undefined) return fileName(node)
  if (!UNNAMED.has(owner.name.text.toLowerCase())) return owner.name.text
  const outer = ts.findAncestor(owner, ts.isFunctionLike)
  if (outer === undefined) return fileName(node)
  return outer.name && ts.isIdentifier(outer.name) ? outer.name.text : nameOfText(outer)
}

/** The declaration or property that a text belongs to. */
function ownerOf(node) {
  const isOwner = (each) => each.name && ts.isIdentifier(each.name) && !ts.isPropertyAccessExpression(each)
  return ts.findAncestor(node.parent, isOwner)
}

function fileName(node) {
  return basename(node.getSourceFile().fileName).replace(/\..*/, '')
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
  return [...inside, { open, variable: isComputed ? undefined : variable, value: codeOf(result), root: rootOf(node) }]
}

/** What a chain of calls begins with: `PROMPT` or `texts.PROMPT` in `PROMPT.replace(…).replace(…)`. */
function rootOf(node) {
  return ts.isCallExpression(node) ? rootOf(node.expression.expression ?? node.expression) : node
}

/** The code of the value that is put in place of a placeholder. Double braces are a token in any case. */
function valueOf(open, variable, node) {
  const name = (node.importClause ?? ownerOf(node))?.name.text
  const all = fillings.filter((each) => each.open === open)
  const named = all.filter((each) => each.variable === variable)
  const own = named.filter(({ root }) => root === node || (root.name ?? root).text === name)
  const values = new Set((own.length > 0 ? own : named).map(({ value }) => value))
  if (values.size === 1) return [...values][0]
  const isComputed = all.some((each) => each.variable === undefined)
  return values.size > 1 || isComputed || open === '{{' ? variable : undefined
}

/** The token of a value. Another value with the same name gets a name of its own. */
function token(values, name, value) {
  const [known] = [...values].find(([, other]) => other === value) ?? []
  const variable = known ?? unique(name, values, '')
  values.set(variable, value)
  return `{{ ${variable} }}`
}

/** A name for a value: `tone`, `user.name` and `JSON.stringify(item)` have one, and a condition has none. */
function nameOf(node) {
  if (ts.isCallExpression(node)) return nameOf(node.arguments[0] ?? node.expression)
  return ts.isIdentifier(node) ? node.text : (node.name?.text ?? 'section')
}

function unique(name, names, separator = '-') {
  if (!names.has(name)) return name
  for (let number = 2; ; number++) {
    if (!names.has(`${name}${separator}${number}`)) return `${name}${separator}${number}`
  }
}

function property([key, value]) {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) return `'${key}': ${value}`
  return key === value ? key : `${key}: ${value}`
}

function codeOf(node) {
  return node.getText().replaceAll(/\s+/g, ' ')
}
