import { listEffects } from '../../core/classify-change.ts'
import { compareVariables, type PromptChange } from '../../core/compare.ts'
import { groupBy, indexBySlug } from '../../core/text/order.ts'
import { usageError } from '../../errors/prompts-error.ts'

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

export interface PromptPair extends Pick<PromptChange, 'before' | 'after'> {
  /** All those of the old and of the new slug if it is renamed, otherwise one. */
  readonly changes: readonly PromptChange[]
}

export function pairPrompts(
  changes: readonly PromptChange[],
  renames: readonly Rename[],
): PromptPair[] {
  const bySlug = indexBySlug(changes.filter(isLive))
  const ofPrompts = renames.filter(({ slug }) => slug === undefined)
  const renamed = new Set(ofPrompts.flatMap(({ from, to }) => [from, to]))
  return [
    ...ofPrompts.map(({ from, to }) => ({
      changes: changes.filter(({ slug }) => slug === from || slug === to),
      before: bySlug.get(from)?.before,
      after: bySlug.get(to)?.after,
    })),
    ...changes
      .filter(({ slug }) => !renamed.has(slug))
      .map((change) => ({ changes: [change], before: change.before, after: change.after })),
  ]
}

/** Calls are edited for live changes: a call may take the live and the staging version. */
function isLive({ environment }: Pick<PromptChange, 'environment'>): boolean {
  return environment === 'live'
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
  changes: readonly PromptChange[],
  confirmed: readonly Rename[],
): Rename[] {
  const live = changes.filter(isLive)
  const ofVariables = pairPrompts(live, confirmed).flatMap(({ before, after }) => {
    if (before === undefined || after === undefined) return []
    const { slug, environment } = after
    return listEffects({ kind: 'updated', slug, environment, before, after })
      .filter((effect) => effect.kind === 'variable-renamed')
      .map(({ from, to }) => ({ slug, from, to }))
  })
  return [...guessPrompts(live), ...ofVariables].filter(
    (guess) => !confirmed.some((rename) => areAboutOneName(rename, guess)),
  )
}

function guessPrompts(changes: readonly PromptChange[]): Rename[] {
  const ends = changes.filter((change) => change.kind !== 'updated')
  const groups = groupBy(ends, ({ before, after }) => {
    const { system, user } = after ?? before
    return JSON.stringify([system, user])
  })
  return [...groups.values()].flatMap((group) => {
    const from = group.find(({ kind }) => kind === 'removed')
    const to = group.find(({ kind }) => kind === 'added')
    return from && to && group.length === 2 ? [{ from: from.slug, to: to.slug }] : []
  })
}

/**
 * Reads values of `--rename`: `slug:old=new` for a variable, `old-slug=new-slug` for a prompt. A slug may
 * contain any character, so values are compared with what the pull changes.
 */
export function readRenames(values: readonly string[], all: readonly PromptChange[]): Rename[] {
  const changes = all.filter(isLive)
  const ofPrompts = possiblePrompts(changes)
  const prompts = values.flatMap((value) => ofPrompts.find(isPrinted(value)) ?? [])
  const possible = [...prompts, ...pairPrompts(changes, prompts).flatMap(possibleVariables)]
  const renames = values.map((value) => {
    const rename = possible.find(isPrinted(value))
    if (rename !== undefined) return rename
    const forms =
      'slug:old=new for a variable that is gone and its new name, or old-slug=new-slug for a prompt'
    throw usageError(`--rename ${value} does not fit this update. It takes ${forms}.`, 'pull')
  })
  for (const [index, rename] of renames.entries())
    if (renames.slice(0, index).some((other) => areAboutOneName(other, rename)))
      throw usageError(`Two values of --rename are about one name: ${printRename(rename)}.`, 'pull')
  return renames
}

function isPrinted(value: string): (rename: Rename) => boolean {
  return (rename) => printRename(rename) === value
}

function possiblePrompts(changes: readonly PromptChange[]): Rename[] {
  const slugsOf = (kind: PromptChange['kind']): string[] =>
    changes.filter((change) => change.kind === kind).map(({ slug }) => slug)
  return slugsOf('removed').flatMap((from) => slugsOf('added').map((to) => ({ from, to })))
}

function possibleVariables({ before, after }: PromptPair): Rename[] {
  if (!before || !after) return []
  const { removed, added } = compareVariables(before, after)
  return removed.flatMap((from) => added.map((to) => ({ slug: after.slug, from, to })))
}
