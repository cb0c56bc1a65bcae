import { readFileSync } from 'node:fs'
import { createImpactAnalysis, type EditedCode } from '../../analysis/app/analyse-impact.ts'
import { type App, type AppLocation, openApp } from '../../analysis/app/app.ts'
import type { ts } from '../../analysis/app/compiler.ts'
import { dependents, moduleGraph } from '../../analysis/app/module-graph.ts'
import { type Place, placeAt, sortPlaces } from '../../analysis/app/place.ts'
import { modulesOf } from '../../analysis/app/prompt-types.ts'
import { type ModulePlan, planModule } from '../../codegen/plan-module.ts'
import { applyChanges, type ChangedPrompt, isChanged, promptVariables } from '../../core/compare.ts'
import { planNames, promptNames } from '../../core/names.ts'
import type { Lock, PinnedPrompt } from '../../core/prompt.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import type { FileEdit } from '../../fs/edit-files.ts'
import { relativePath } from '../../fs/paths.ts'
import { type PullDraft, type SkippedChange, sortSkipped } from '../pull/draft.ts'
import { skipUnanalysed } from '../pull/skip-breaking.ts'
import { readEditableFiles } from './editable-files.ts'
import { type CallChanges, editUse } from './prompt-edits.ts'
import { findPromptUses, type PromptUse } from './prompt-uses.ts'
import { type ConfirmedRename, guessRenames, isSameRename, printRename } from './renames.ts'
import { applyEdits, sortEdits, type TextEdit, toOldPosition } from './text-edits.ts'

/** What a fix may do. */
export interface FixRequest {
  readonly renames: readonly ConfirmedRename[]
  /** Guesses that a person denied. Default: none. */
  readonly denied?: readonly ConfirmedRename[] | undefined
  /** Whether a person can be asked. Otherwise only confirmed renames are edited. Default: false. */
  readonly canAsk?: boolean | undefined
  /** Also edit files that git does not know as clean. Default: false. */
  readonly allowDirty?: boolean | undefined
}

/** A file that a fix edits. */
export interface FixedFile extends FileEdit {
  /** Relative to the app's folder, with forward slashes. */
  readonly file: string
  /** The places of the edits in the old text, in order. */
  readonly places: readonly Place[]
}

/** A guess on which edits depend, with the first line that it changes. */
export interface FixQuestion {
  readonly rename: ConfirmedRename
  readonly place: Place
  readonly before: string
  readonly after: string
}

/** What a fix does: with these edits and without the skipped changes, the app compiles. */
export interface FixPlan {
  /** Sorted by path; as if each question were answered with yes. */
  readonly files: readonly FixedFile[]
  /** By code point of the slug. */
  readonly skipped: readonly SkippedChange[]
  readonly questions: readonly FixQuestion[]
}

/** An edit in a file of the app. */
interface CodeEdit extends TextEdit {
  readonly node: ts.Node
}

/** Code that keeps a change from being taken. */
interface Obstacle extends Place {
  readonly reason: string
}

/** Changes that are taken together, mostly one and two for a renamed prompt, and the edits for them. */
interface Part {
  readonly changes: readonly ChangedPrompt[]
  readonly isUsed: boolean
  readonly edits: readonly CodeEdit[]
  readonly obstacles: readonly Obstacle[]
  readonly guesses: readonly ConfirmedRename[]
}

/**
 * Plans a pull that edits the code of the app. Only object literals that are written as the argument of a
 * call of the prompt are edited, and names of prompts in `prompts.name`, `prompts['name']` and
 * destructurings. A prompt with any other use is left as pinned. Writes nothing.
 *
 * @param request - its renames must match the changes: see {@link readRenames}
 */
export async function planFix(
  draft: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  request: FixRequest,
): Promise<FixPlan> {
  const plan = await planParts(draft, location, request).catch(asPromptsError)
  if (!isPromptsError(plan)) return plan
  return { files: [], questions: [], skipped: skipUnanalysed(draft.changes, plan) }
}

async function planParts(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  { renames, denied = [], canAsk = false, allowDirty = false }: FixRequest,
): Promise<FixPlan> {
  const changed = changes.filter(isChanged)
  const guesses = guessRenames({ before, changes }, renames)
  const asked = guesses.filter((guess) => canAsk && !denied.some((no) => isSameRename(no, guess)))
  const app = openApp(location)
  const context: PartContext = {
    root: app.root,
    before,
    after: applyChanges(before.prompts, changed),
    uses: app.parts.flatMap((part) => usesIn(part, planModule(before))),
    renames: [...renames, ...asked],
    asked,
    refused: guesses.filter((guess) => !asked.includes(guess)),
    denied,
    reasonAgainst: await readEditableFiles(location.root, allowDirty),
  }
  const parts = groupRenamed(changed, context.renames).map((group) => planPart(group, context))
  const { taken, left } = takeParts(parts, checkOf(app, location, before))
  const questions = taken.flatMap(({ guesses: [rename], edits }) =>
    rename === undefined ? [] : questionOf(rename, edits, app.root),
  )
  return { files: fixedFiles(taken, app.root), skipped: sortSkipped(left), questions }
}

function usesIn(part: App['parts'][number], plan: ModulePlan): PromptUse[] {
  const program = part.program(plan)
  const declarations = part.declarations(program)
  const checker = program.getTypeChecker()
  const graph = moduleGraph(program)
  const files = dependents(graph, declarations).filter((file) => !file.isDeclarationFile)
  return findPromptUses({ checker, files, modules: modulesOf(checker, declarations) })
}

/** Groups the removed and the added prompt of a rename. */
function groupRenamed(
  changes: readonly ChangedPrompt[],
  renames: readonly ConfirmedRename[],
): ChangedPrompt[][] {
  const formers = new Map(
    renames.flatMap((each) => (each.kind === 'prompt' ? [[each.to, each.from]] : [])),
  )
  const groups = new Map<string, ChangedPrompt[]>()
  for (const change of changes) {
    const key = formers.get(change.slug) ?? change.slug
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()]
}

interface PartContext {
  readonly root: string
  readonly before: Lock
  readonly after: readonly PinnedPrompt[]
  readonly uses: readonly PromptUse[]
  /** Those that are confirmed, or asked about. */
  readonly renames: readonly ConfirmedRename[]
  readonly asked: readonly ConfirmedRename[]
  /** Guesses that are not applied. */
  readonly refused: readonly ConfirmedRename[]
  readonly denied: readonly ConfirmedRename[]
  readonly reasonAgainst: (path: string) => string | undefined
}

function planPart(changes: readonly ChangedPrompt[], context: PartContext): Part {
  const { root, reasonAgainst } = context
  const former = changes.find((change) => change.kind !== 'added')
  const later = changes.find((change) => change.kind !== 'removed')
  const none: Part = { changes, isUsed: true, edits: [], obstacles: [], guesses: [] }
  if (former === undefined) return none
  const names = promptNames(former.slug, namesOf(context.before.prompts))
  const uses = context.uses.filter((use) =>
    'name' in use && use.name !== undefined ? names.includes(use.name) : true,
  )
  const isUsed = uses.some(({ kind }) => kind !== 'names')
  const calls = later && callChanges(former.before, later.after, context)
  if (!isUsed || calls?.isSame === true) return { ...none, isUsed }
  const at = (node: ts.Node, reason: string): Obstacle => ({ ...placeOf(node, root), reason })
  const { slug } = former
  const refused = context.refused.find((guess) => slugOf(guess) === slug)
  if (refused !== undefined || calls === undefined) {
    const isNamed = uses.some((use) => 'name' in use && use.name !== undefined)
    const reason = refused ? unconfirmed(refused, context.denied) : removedReason(slug, isNamed)
    const obstacles = uses
      .filter(({ kind }) => kind !== 'names' && (!refused || kind !== 'field'))
      .map(({ node }) => at(node, reason))
    return { ...none, obstacles }
  }
  const edits: CodeEdit[] = []
  const obstacles: Obstacle[] = []
  for (const edit of uses.flatMap((use) => editUse(use, calls))) {
    const reason =
      'reason' in edit ? edit.reason : reasonAgainst(edit.node.getSourceFile().fileName)
    if (reason !== undefined) obstacles.push(at(edit.node, `not edited: ${reason}`))
    else if ('text' in edit) edits.push(edit)
  }
  const slugs = new Set(changes.map((change) => change.slug))
  const guesses = context.asked.filter((guess) => slugs.has(slugOf(guess)))
  return { ...none, edits, obstacles, guesses }
}

function namesOf(prompts: readonly PinnedPrompt[]): ReturnType<typeof planNames> {
  return planNames(prompts.map(({ slug }) => slug))
}

function slugOf(rename: ConfirmedRename): string {
  return rename.kind === 'prompt' ? rename.from : rename.slug
}

function removedReason(slug: string, isNamed: boolean): string {
  const use = isNamed ? 'is in use' : 'may be in use, where all prompts are passed on'
  return `\`${slug}\` was removed and ${use}`
}

function unconfirmed(guess: ConfirmedRename, denied: readonly ConfirmedRename[]): string {
  const reason = `\`${guess.from}\` is gone`
  const isDenied = denied.some((no) => isSameRename(no, guess))
  return isDenied
    ? `${reason}: edit the code`
    : `${reason}; confirm it with --rename ${printRename(guess)}`
}

/** What the calls of a prompt need; `isSame` if its contract does not change. */
function callChanges(
  before: PinnedPrompt,
  after: PinnedPrompt,
  { before: { prompts }, after: later, renames }: PartContext,
): CallChanges & { readonly isSame: boolean } {
  const [old, now] = [promptVariables(before), promptVariables(after)]
  const variables = new Map<string, string | undefined>()
  for (const name of old.filter((each) => !now.includes(each))) {
    const rename = renames.find(
      (each) => each.kind === 'variable' && each.slug === after.slug && each.from === name,
    )
    variables.set(name, rename?.to)
  }
  const isRenamed = before.slug !== after.slug
  const names = new Map<string, string>()
  if (isRenamed) {
    const identifier = namesOf(prompts).identifiers.get(before.slug)
    const newIdentifier = namesOf(later).identifiers.get(after.slug)
    names.set(JSON.stringify(before.slug), after.slug)
    if (identifier !== before.slug) names.set(before.slug, after.slug)
    if (identifier !== undefined && newIdentifier !== undefined)
      names.set(identifier, newIdentifier)
  }
  const isSame = !isRenamed && old.length === now.length && variables.size === 0
  return { names, variables, isConstant: now.length === 0, isSame }
}

/** Finds what does not compile with some parts and their edits. */
type Check = (parts: readonly Part[]) => readonly (Obstacle & { readonly slug: string | null })[]

function checkOf(app: App, location: AppLocation, before: Lock): Check {
  const analyse = createImpactAnalysis(location, app)
  return (parts) => {
    const prompts = applyChanges(
      before.prompts,
      parts.flatMap(({ changes }) => changes),
    )
    const { findings } = analyse(before, { ...before, prompts }, editedCode(parts, app.root))
    return findings.map(({ message, ...finding }) => {
      const [summary = ''] = message.split('\n')
      const isUnused = /\bis (?:declared but|never)\b.*\b(?:read|used)\b/.test(summary)
      return isUnused ? { ...finding, reason: summary } : finding
    })
  }
}

/** Takes the parts that compile, by one check of all and one of those that it does not name. */
function takeParts(
  parts: readonly Part[],
  check: Check,
): { readonly taken: readonly Part[]; readonly left: SkippedChange[] } {
  const left: SkippedChange[] = []
  const leave = (part: Part, obstacles: readonly Obstacle[]): void => {
    const places = sortPlaces(obstacles).map(({ file, line, column }) => ({ file, line, column }))
    const reason = obstacles[0]?.reason ?? 'the app does not compile with the updates'
    for (const change of part.changes) left.push({ change, reason, places })
  }
  let taken = parts.filter(({ obstacles }) => obstacles.length === 0)
  for (const part of parts) if (!taken.includes(part)) leave(part, part.obstacles)
  for (const isLast of [false, true]) {
    const findings = taken.length === 0 ? [] : check(taken)
    const blamed = new Map(
      taken.map((part) => {
        const slugs = new Set<string | null>(part.changes.map(({ slug }) => slug))
        return [part, findings.filter(({ slug }) => slugs.has(slug))]
      }),
    )
    const isUnclear = isLast || findings.some(({ slug }) => slug === null)
    for (const [part, own] of findings.length === 0 ? [] : blamed)
      if (own.length > 0 || (isUnclear && part.isUsed)) leave(part, own.length > 0 ? own : findings)
    const slugs = new Set(left.map(({ change }) => change.slug))
    taken = taken.filter(({ changes }) => !changes.some(({ slug }) => slugs.has(slug)))
  }
  return { taken, left }
}

function placeOf(node: ts.Node, root: string): Place {
  const file = node.getSourceFile()
  return placeAt(file, node.getStart(file), root)
}

/** The edits of each file, sorted. */
function editsByFile(parts: readonly Part[]): Map<string, CodeEdit[]> {
  const files = new Map<string, CodeEdit[]>()
  for (const edit of parts.flatMap(({ edits }) => edits)) {
    const { fileName } = edit.node.getSourceFile()
    files.set(fileName, sortEdits([...(files.get(fileName) ?? []), edit]))
  }
  return files
}

/** The app with its edits, to check it. */
function editedCode(parts: readonly Part[], root: string): EditedCode {
  const files = editsByFile(parts)
  const toOld = (path: string, position: number): number =>
    toOldPosition(files.get(path) ?? [], position)
  return {
    texts: new Map([...files].map(([path, edits]) => [path, applyEdits(textOf(edits), edits)])),
    toOldPosition: toOld,
    toOldPlace(path, position) {
      const source = files.get(path)?.[0]?.node.getSourceFile()
      return source && placeAt(source, toOld(path, position), root)
    },
  }
}

function textOf([edit]: readonly CodeEdit[]): string {
  return edit?.node.getSourceFile().text ?? ''
}

function fixedFiles(parts: readonly Part[], root: string): FixedFile[] {
  const files = [...editsByFile(parts)].map(([path, edits]): FixedFile => {
    const before = readFileSync(path, 'utf8')
    // The compiler's text has no byte order mark.
    const mark = before.slice(0, before.length - textOf(edits).length)
    const after = mark + applyEdits(textOf(edits), edits)
    const places = sortPlaces(edits.map(({ node }) => placeOf(node, root)))
    return { path, file: relativePath(root, path), before, after, places }
  })
  return files.toSorted((a, b) => compareCodePoints(a.file, b.file))
}

/** A question with the first line that its edits change. */
function questionOf(
  rename: ConfirmedRename,
  edits: readonly CodeEdit[],
  root: string,
): FixQuestion[] {
  const [first] = edits
  if (first === undefined) return []
  const source = first.node.getSourceFile()
  const place = placeOf(first.node, root)
  const start = source.getLineStarts()[place.line - 1] ?? 0
  const end = source.getLineStarts()[place.line] ?? source.text.length
  const inLine = edits
    .filter((edit) => edit.node.getSourceFile() === source)
    .filter((edit) => edit.start >= start && edit.end <= end)
    .map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text }))
  const before = source.text.slice(start, end)
  const after = applyEdits(before, sortEdits(inLine))
  return [{ rename, place, before: before.trim(), after: after.trim() }]
}
