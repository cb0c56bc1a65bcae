import { readFileSync } from 'node:fs'
import type { AppLocation } from '../../analysis/app/app.ts'
import { type Place, sortPlaces } from '../../analysis/app/place.ts'
import { type ChangedPrompt, isChanged } from '../../core/compare.ts'
import { compareCodePoints } from '../../core/text/order.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import type { FileEdit } from '../../fs/edit-files.ts'
import { relativePath } from '../../fs/paths.ts'
import type { PullDraft } from '../pull/draft.ts'
import { skipUnanalysed, skipUsed, takeChanges } from '../pull/skip-breaking.ts'
import { type SkippedChange, sortSkipped } from '../pull/draft.ts'
import { readEditableFiles } from './editable-files.ts'
import { createFixAnalysis } from './fix-analysis.ts'
import { guessRenames, suggestRenames } from './guess-renames.ts'
import { appliedPromptRenames, type ConfirmedRename } from './renames.ts'
import { type AppEdits, type EditedFile, editedText, nodePlace } from './rewrite-app.ts'

/** What a fix may do. */
export interface FixRequest {
  readonly renames: readonly ConfirmedRename[]
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

/** What a fix does: with these edits and without the skipped changes, the app compiles. */
export interface FixPlan {
  /** Sorted by path. */
  readonly files: readonly FixedFile[]
  /** The changes that the app does not survive, by code point of the slug. */
  readonly skipped: readonly SkippedChange[]
}

/** Changes that are taken together: mostly one, and two for a renamed prompt. */
type Part = readonly ChangedPrompt[]

/**
 * Plans a pull that edits the code of the app: renames are applied where values are passed, and removed
 * variables are dropped. The app compiles with the edits and without the skipped changes. Writes nothing.
 *
 * @param request - its renames must match the changes: see {@link readRenames}
 */
export async function planFix(
  draft: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  request: FixRequest,
): Promise<FixPlan> {
  const plan = await planParts(draft, location, request).catch(asPromptsError)
  return isPromptsError(plan) ? { files: [], skipped: skipUnanalysed(draft.changes, plan) } : plan
}

async function planParts(
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
  location: AppLocation,
  { renames, allowDirty = false }: FixRequest,
): Promise<FixPlan> {
  const changed = changes.filter(isChanged)
  const pairs = appliedPromptRenames(renames, changed)
  const renamed = new Set(pairs.map(({ from }) => from))
  const used = await skipUsed({ before }, changed, { location, renamed })
  const left = new Set(used.map(({ change }) => change.slug))
  const parts = partsOf(changed, new Map(pairs.map(({ from, to }) => [to, from]))).filter((part) =>
    part.every(({ slug }) => !left.has(slug)),
  )
  const reasonAgainst = await readEditableFiles(location.root, allowDirty)
  const analyse = remember(createFixAnalysis({ location, before, renames, reasonAgainst }))
  const { taken, skipped } = takeChanges(parts, (some) => analyse(some).findings)
  const guesses = guessRenames({ before, changes }, renames)
  return {
    skipped: sortSkipped(suggestRenames([...used, ...skipped], guesses)),
    files: [...analyse(taken).files]
      .map(([path, file]) => fixedFile(path, file, location.root))
      .toSorted((a, b) => compareCodePoints(a.file, b.file)),
  }
}

/** Analyses each set of changes once. */
function remember(analyse: (changes: Part) => AppEdits): (changes: Part) => AppEdits {
  const results = new Map<string, AppEdits>()
  return (changes) => {
    const key = JSON.stringify(changes.map(({ slug }) => slug).toSorted())
    const result = results.get(key) ?? analyse(changes)
    results.set(key, result)
    return result
  }
}

/** Groups the removed and the added prompt of a rename. */
function partsOf(changes: readonly ChangedPrompt[], formers: ReadonlyMap<string, string>): Part[] {
  const parts = new Map<string, ChangedPrompt[]>()
  for (const change of changes) {
    const key = formers.get(change.slug) ?? change.slug
    parts.set(key, [...(parts.get(key) ?? []), change])
  }
  return [...parts.values()]
}

/** A file with the content that it has on disk, byte order mark included. */
function fixedFile(path: string, edited: EditedFile, root: string): FixedFile {
  const before = readFileSync(path, 'utf8')
  const mark = before.slice(0, before.length - edited.source.text.length)
  return {
    path,
    file: relativePath(root, path),
    before,
    after: mark + editedText(edited),
    places: sortPlaces(edited.edits.map(({ node }) => nodePlace(node, root))),
  }
}
