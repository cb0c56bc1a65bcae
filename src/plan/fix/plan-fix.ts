import { readFileSync, realpathSync } from 'node:fs'
import { type AppLocation, openApp } from '../../judge/app.ts'
import {
  applyEdits,
  type CodeEdit,
  editsByFile,
  placeAt,
  sortPlaces,
  withCode,
} from '../../judge/place.ts'
import { ts } from '../../judge/compiler.ts'
import { literal } from '../../codegen/escape.ts'
import type { ChangePlace } from '../../core/change-row.ts'
import {
  applyChanges,
  compareVariables,
  type PromptChange,
  promptVariables,
} from '../../core/compare.ts'
import { isIdentifier, planNames, PROTO } from '../../core/names.ts'
import { type Lock, type PinnedPrompt, viewOf } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import { listTrackedFiles } from '../../fs/git.ts'
import { relativeInside } from '../../fs/paths.ts'
import { unanalysedRows } from '../leave-breaking.ts'
import type { FileEdit, Plan } from '../plan.ts'
import { type ChangeGroup, takeCompiling } from '../take-compiling.ts'
import { promptUses, type PromptUse } from './prompt-uses.ts'
import { guessRenames, pairPrompts, printRename, type PromptPair, type Rename } from './renames.ts'

export interface FixRequest {
  /** The renames that a person confirmed. */
  readonly renames: readonly Rename[]
  /** Whether a person has denied the others. Otherwise the option that confirms one is named. */
  readonly isAsked?: boolean | undefined
  /** Also edit files that git does not know as clean. Default: false. */
  readonly allowDirty?: boolean | undefined
}

/**
 * Plans the edits of the app for renames: only object literals that are written as the argument of a call of the
 * prompt, and names of prompts in `prompts.name`, `prompts['name']` and destructurings. A prompt with any other
 * use is left as pinned. With these edits and without what is left, the app compiles. Writes nothing.
 *
 * @param request - its renames must match the changes: see {@link readRenames}
 */
export async function planFix(
  before: Lock,
  changes: readonly PromptChange[],
  location: AppLocation,
  request: FixRequest,
): Promise<Pick<Plan, 'edits' | 'left'>> {
  try {
    return await planEdits(before, changes, location, request)
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return { edits: [], left: unanalysedRows(changes, error.why) }
  }
}

async function planEdits(
  before: Lock,
  changes: readonly PromptChange[],
  location: AppLocation,
  request: FixRequest,
): ReturnType<typeof planFix> {
  const { renames } = request
  const app = await openApp(location)
  const { root } = app
  const { prompts } = viewOf(applyChanges(before, changes), 'live')
  const context: FixContext = {
    ...request,
    guesses: guessRenames(changes, renames),
    uses: app.parts.flatMap((part) => promptUses(part, before)),
    identifiers: planNames(prompts.map(({ slug }) => slug)).identifiers,
    reasonAgainst: await readEditableFiles(root, request.allowDirty),
    root,
  }
  const groups = pairPrompts(changes, renames).map((pair) => planOne(pair, context))
  const { taken, left } = takeCompiling(app, before, groups)
  return { edits: editFiles(taken, root), left }
}

/**
 * Reads which files of an app may be edited: code below its folder that git has as it is.
 *
 * @returns a function that returns why a file can't be edited; `undefined` if it can
 */
async function readEditableFiles(
  root: string,
  allowDirty: boolean = false,
): Promise<(path: string) => string | undefined> {
  const folder = realpathSync(root)
  const tracked = allowDirty ? undefined : await listTrackedFiles(folder)
  return (path) => {
    const target = realpathSync(path)
    const inside = relativeInside(folder, target)
    if (inside === undefined || /(?:^|[\\/])node_modules[\\/]/.test(inside)) return OUTSIDE
    const bytes = readFileSync(target)
    const text = bytes.toString()
    if (!Buffer.from(text).equals(bytes)) return 'not edited: the file is not UTF-8'
    if (GENERATED.test(text.slice(0, HEAD_LENGTH))) return 'not edited: the file is generated'
    if (allowDirty || tracked?.get(target) === true) return undefined
    return 'not edited: git does not have the file as it is (--allow-dirty edits it anyway)'
  }
}

const OUTSIDE = 'not edited: the file is outside of the project'

/** Marks of generated files, and how much of a file may have them. */
const GENERATED = /@generated\b|\bdo not (?:edit|modify)\b|\bauto-?generated\b/i
const HEAD_LENGTH = 1000

interface FixContext extends FixRequest {
  /** Probable renames that nobody confirmed. */
  readonly guesses: readonly Rename[]
  readonly uses: readonly PromptUse[]
  /** The new identifiers, by slug. */
  readonly identifiers: ReadonlyMap<string, string>
  readonly reasonAgainst: (path: string) => string | undefined
  readonly root: string
}

function planOne(pair: PromptPair, context: FixContext): ChangeGroup {
  const { changes, before, after } = pair
  const { uses, reasonAgainst, root } = context
  const [edits, obstacles]: [CodeEdit[], ChangePlace[]] = [[], []]
  if (before === undefined || !needsEdits(pair, context)) return { changes, edits, obstacles }
  const names = newNames(before, after, context)
  for (const use of uses) {
    if (use.slug !== undefined && use.slug !== before.slug) continue
    const file = use.node.getSourceFile()
    let result = editUse(use, names)
    const against = reasonAgainst(file.fileName)
    // No confirmation makes a file of another app editable.
    const isBlocked = typeof result === 'string' ? against === OUTSIDE : result.length > 0
    if (isBlocked) result = against ?? result
    // Code that names a prompt breaks if the prompt is gone.
    const kind = use.slug !== undefined && after === undefined ? 'compile' : 'not-checked'
    if (typeof result !== 'string') edits.push(...result)
    else obstacles.push({ ...placeAt(file, use.node.getStart(file), root), reason: result, kind })
  }
  return { changes, edits, obstacles: withCode(sortPlaces(obstacles), root) }
}

/**
 * Whether names change. A call with a variable too many or too few breaks anyway, which is a better reason.
 */
function needsEdits({ before, after }: PromptPair, { renames, guesses }: FixContext): boolean {
  if (before === undefined || after === undefined) return before !== undefined
  const { added, removed } = compareVariables(before, after)
  if (added.length + removed.length === 0) return before.slug !== after.slug
  const all = [...renames, ...guesses].filter(({ slug }) => slug === after.slug)
  return (
    added.every((name) => all.some(({ to }) => to === name)) &&
    removed.every((name) => all.some(({ from }) => from === name))
  )
}

/** The names that code has to use instead, or why there are none. */
function newNames(
  before: PinnedPrompt,
  after: PinnedPrompt | undefined,
  { renames, isAsked, guesses, identifiers }: FixContext,
): NameChanges {
  const guess = guesses.find(({ slug, from }) =>
    slug === undefined ? from === before.slug : slug === after?.slug,
  )
  if (guess !== undefined) {
    const advice = isAsked ? '' : `; confirm it with --rename ${printRename(guess)}`
    const use = guess.slug === undefined ? 'name' : 'call'
    return { kind: 'unknown', use, reason: `\`${guess.from}\` is gone${advice}` }
  }
  if (after === undefined)
    return { kind: 'unknown', use: 'name', reason: `\`${before.slug}\` was removed and is in use` }
  const { slug } = after
  const variables = promptVariables(before).map((name): [string, string] => {
    const rename = renames.find((one) => one.slug === slug && one.from === name)
    return [name, rename?.to ?? name]
  })
  const names = { oldSlug: before.slug, slug, identifier: identifiers.get(slug) }
  return { kind: 'known', ...names, variables: new Map(variables) }
}

/** The names that an update changes for code that uses one prompt, or why there are no new ones. */
type NameChanges =
  | {
      readonly kind: 'known'
      readonly oldSlug: string
      readonly slug: string
      /** `undefined` if it would be ambiguous. */
      readonly identifier: string | undefined
      readonly variables: Variables
    }
  // What can't be edited: uses of the prompt's name, or calls with values.
  | { readonly kind: 'unknown'; readonly use: 'name' | 'call'; readonly reason: string }

/** Every former variable with its new name. */
type Variables = ReadonlyMap<string, string>

/** Returns the edits of one use of a prompt, or why there are none. */
function editUse({ node, kind, values = [] }: PromptUse, names: NameChanges): CodeEdit[] | string {
  if (names.kind === 'unknown') return [names.use, 'other'].includes(kind) ? names.reason : []
  const { oldSlug, slug, identifier, variables } = names
  if (kind === 'other') return 'it is used here in a way that --fix does not edit'
  if (kind === 'call') return editValues(values, variables)
  if (slug === oldSlug) return []
  if (kind === 'slug') return 'its name is a value or a type here'
  const key = node as ts.Identifier | ts.StringLiteralLike
  const name = !ts.isIdentifier(key) && key.text === oldSlug ? slug : identifier
  return name === undefined ? 'its new name has no identifier' : [renameKey(key, name)]
}

/** Edits an object literal whose members are exactly the former variables. */
function editValues(
  [values, ...others]: readonly ts.Expression[],
  variables: Variables,
): CodeEdit[] | string {
  if ([...variables].every(([from, to]) => from === to)) return []
  const isLiteral = values !== undefined && ts.isObjectLiteralExpression(values)
  const properties: readonly ts.Node[] = isLiteral ? values.properties : []
  const members = properties.filter(isExplicit)
  const names = members.map(({ name }) => name.text)
  const isPlain = members.length === properties.length && names.length === variables.size
  const isExact = isPlain && [...variables.keys()].every((name) => names.includes(name))
  // `{ __proto__: value }` sets a prototype.
  const isProto = [...variables].flat().includes(PROTO)
  if (!isLiteral || !isExact || isProto || others.length > 0)
    return 'its values are not an object literal with a plain member for each variable'
  return members.flatMap((member) => {
    const name = variables.get(member.name.text) ?? member.name.text
    return name === member.name.text ? [] : [renameKey(member.name, name)]
  })
}

type Member = (ts.PropertyAssignment | ts.ShorthandPropertyAssignment) & {
  readonly name: ts.Identifier | ts.StringLiteral
}

function isExplicit(node: ts.Node): node is Member {
  if (ts.isShorthandPropertyAssignment(node)) return node.objectAssignmentInitializer === undefined
  return (
    ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))
  )
}

/** Gives a key another name, in quotes if it has some or needs them. */
function renameKey(key: ts.Identifier | ts.StringLiteralLike, name: string): CodeEdit {
  const { parent } = key
  const text = ts.isIdentifier(key) && isIdentifier(name) ? name : quoted(name, key)
  const isShorthand =
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isBindingElement(parent) && parent.propertyName === undefined)
  return isShorthand ? replaced(key, `${text}: ${key.text}`) : replaced(key, text)
}

function quoted(name: string, key: ts.Identifier | ts.StringLiteralLike): string {
  const text = literal(name)
  const imported = /\bfrom\s*(["'])/.exec(key.getSourceFile().text)?.[1] ?? "'"
  const quote = ts.isIdentifier(key) ? imported : key.getText().charAt(0)
  return text === `"${name}"` && !/[`'$]/.test(name) ? quote + name + quote : text
}

function replaced(node: ts.Node, text: string): CodeEdit {
  return { source: node.getSourceFile(), start: node.getStart(), end: node.end, text }
}

function editFiles(groups: readonly ChangeGroup[], root: string): FileEdit[] {
  const slugsOf = new Map(
    groups.flatMap(({ changes, edits }) => {
      const slugs = changes.map(({ slug }) => slug)
      return edits.map((edit) => [edit, slugs] as const)
    }),
  )
  const files = [...editsByFile([...slugsOf.keys()])].map(([path, edits]): FileEdit => {
    const { text } = edits[0]?.source ?? { text: '' }
    // Only the compiler's text, which lacks the byte order mark, has the places of the edits: the write refuses
    // a file that was saved since.
    const mark = readFileSync(path, 'utf8').startsWith(BOM) ? BOM : ''
    const places = edits.map((edit) => {
      return { ...placeAt(edit.source, edit.start, root), slugs: slugsOf.get(edit) ?? [] }
    })
    return { path, before: mark + text, after: mark + applyEdits(text, edits), places }
  })
  return files.toSorted((a, b) => compareCodePoints(a.path, b.path))
}

const BOM = '\uFEFF'
