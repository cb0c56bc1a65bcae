import { changeRows } from '../../core/change-row.ts'
import { comparePrompts, type PromptChange, promptVariables } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { usageError } from '../../errors/prompts-error.ts'
import type { PullDraft } from '../pull/draft.ts'

/** A rename in the service: of a prompt, or of a variable. */
export interface Rename {
  /** The prompt of a variable, by the slug of its new version; `undefined` for the rename of a prompt. */
  readonly slug?: string | undefined
  readonly from: string
  readonly to: string
}

/** Prints a rename as the value of `--rename`. */
export function printRename({ slug, from, to }: Rename): string {
  return `${slug === undefined ? '' : `${slug}:`}${from}=${to}`
}

/** A prompt before and after a pull. A renamed one has two slugs. */
interface PromptPair {
  readonly before: PinnedPrompt
  readonly after: PinnedPrompt
}

/** The prompt that a change leaves: the added one for the removed prompt of a rename. */
export function laterPrompt(
  change: PromptChange,
  changes: readonly PromptChange[],
  renames: readonly Rename[],
): PinnedPrompt | undefined {
  if (change.after !== undefined) return change.after
  const rename = renames.find(({ slug, from }) => slug === undefined && from === change.slug)
  return changes.find(({ kind, slug }) => kind === 'added' && slug === rename?.to)?.after
}

function pairs(changes: readonly PromptChange[], renames: readonly Rename[]): PromptPair[] {
  return changes.flatMap((change) => {
    const { before } = change
    const after = laterPrompt(change, changes, renames)
    return before && after ? [{ before, after }] : []
  })
}

/** Whether two renames are about one name, so that only one of them can be true. */
function areAboutOneName(one: Rename, other: Rename): boolean {
  return one.slug === other.slug && (one.from === other.from || one.to === other.to)
}

/**
 * Guesses what was renamed in the service: a variable by its place in the text, a prompt by its texts. A
 * person has to confirm each guess.
 *
 * @param confirmed - renames that are left out
 */
export function guessRenames(
  { changes }: Pick<PullDraft, 'changes'>,
  confirmed: readonly Rename[],
): Rename[] {
  const variables = pairs(changes, confirmed).flatMap(({ before, after }) => {
    const [row] = changeRows(comparePrompts([{ ...before, slug: after.slug }], [after]))
    const renamed = row?.effects.filter((effect) => effect.kind === 'variable-renamed') ?? []
    return renamed.map(({ from, to }) => ({ slug: after.slug, from, to }))
  })
  return [...guessPrompts(changes), ...variables].filter(
    (guess) => !confirmed.some((rename) => areAboutOneName(rename, guess)),
  )
}

function guessPrompts(changes: readonly PromptChange[]): Rename[] {
  const groups = new Map<string, PromptChange[]>()
  for (const change of changes) {
    if (change.kind === 'updated') continue
    const { system, user } = change.after ?? change.before
    const text = JSON.stringify([system, user])
    groups.set(text, [...(groups.get(text) ?? []), change])
  }
  return [...groups.values()].flatMap((group) => {
    const from = group.find(({ kind }) => kind === 'removed')
    const to = group.find(({ kind }) => kind === 'added')
    return from && to && group.length === 2 ? [{ from: from.slug, to: to.slug }] : []
  })
}

/**
 * Reads values of `--rename`: `slug:old=new` for a variable, `old-slug=new-slug` for a prompt. A slug may
 * contain any character, so values are compared with what the pull changes. Renames that the lock has
 * already are left out.
 *
 * @throws PromptsError USAGE for a value that does not fit the changes
 */
export function readRenames(
  values: readonly string[],
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
): Rename[] {
  const prompts = values.flatMap((value) => readPrompt(value, changes) ?? [])
  const changed = pairs(changes, prompts)
  const renames = values.flatMap((value) => {
    const rename = readPrompt(value, changes) ?? readVariable(value, changed)
    if (rename === undefined && !isDone(value, before.prompts, changes))
      throw usageError(
        `--rename ${value} does not fit this update. It takes slug:old=new for a variable that is gone and its new name, or old-slug=new-slug for a prompt.`,
        'pull',
      )
    return rename ?? []
  })
  for (const [index, rename] of renames.entries())
    if (renames.slice(0, index).some((other) => areAboutOneName(other, rename)))
      throw usageError(`Two values of --rename are about one name: ${printRename(rename)}.`, 'pull')
  return renames
}

function readPrompt(value: string, changes: readonly PromptChange[]): Rename | undefined {
  return changes
    .filter(({ kind, slug }) => kind === 'removed' && value.startsWith(`${slug}=`))
    .map(({ slug }) => ({ from: slug, to: value.slice(slug.length + 1) }))
    .find(({ to }) => changes.some(({ kind, slug }) => kind === 'added' && slug === to))
}

function readVariable(value: string, changed: readonly PromptPair[]): Rename | undefined {
  for (const { before, after } of changed) {
    const { slug } = after
    const [old, now] = [promptVariables(before), promptVariables(after)]
    for (const from of old.filter((name) => !now.includes(name)))
      for (const to of now.filter((name) => !old.includes(name)))
        if (value === printRename({ slug, from, to })) return { slug, from, to }
  }
  return undefined
}

/** Whether a lock has the new name, and nothing has the old one. */
function isDone(
  value: string,
  pinned: readonly PinnedPrompt[],
  changes: readonly PromptChange[],
): boolean {
  const slugs = [...pinned, ...changes].map(({ slug }) => slug)
  return pinned.some((prompt) => {
    const { slug } = prompt
    const isVariable = value.startsWith(`${slug}:`)
    const names = isVariable ? promptVariables(prompt) : slugs
    const pair = isVariable ? value.slice(slug.length + 1) : value
    const to = isVariable ? names.find((name) => pair.endsWith(`=${name}`)) : slug
    if (to === undefined || !pair.endsWith(`=${to}`)) return false
    const from = pair.slice(0, -to.length - 1)
    return from !== '' && !names.includes(from)
  })
}
