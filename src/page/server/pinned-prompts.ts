import { promptVariables } from '../../core/compare.ts'
import { lintPrompt } from '../../core/lint.ts'
import { integrityOf } from '../../core/lock/integrity.ts'
import { planNames } from '../../core/names.ts'
import { findJoin, type Lock, type PinnedPrompt } from '../../core/prompt.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/digest.ts'
import { fingerprintFiles } from '../../fs/watch.ts'
import type { ErrorView, ListedPrompt, PromptView, TextMatches } from '../protocol.ts'
import { errorView } from './error-view.ts'
import { createTextSearch } from './text-search.ts'

/** A prompt without its line in the lock, which needs the text of the lock. */
export type PinnedView = Omit<PromptView, 'lockLine'>

/** The prompts of one lock, in the forms that the page shows. */
export interface PinnedPrompts {
  readonly lock: Lock
  /** Fingerprint of the file. */
  readonly revision: string
  readonly listed: readonly ListedPrompt[]
  /** `undefined` if the lock does not have it. */
  view(slug: string): PinnedView | undefined
  search(word: string): TextMatches
}

/** The prompts of the lock, or the error of reading it. */
export type LockReading =
  | { readonly kind: 'read'; readonly pinned: PinnedPrompts }
  | { readonly kind: 'error'; readonly error: ErrorView }

/**
 * Creates a function that reads the lock of a project. The lock is parsed again only if it has
 * changed: with 10,000 prompts that takes a second.
 */
export function createLockReader({
  lock: { path },
  readLock,
}: Pick<Project, 'lock' | 'readLock'>): () => Promise<LockReading> {
  let last: PinnedPrompts | undefined
  return async () => {
    try {
      const revision = await fingerprintFiles(path)
      if (last?.revision !== revision) last = preparePrompts(await readLock(), revision)
      return { kind: 'read', pinned: last }
    } catch (error) {
      last = undefined
      return { kind: 'error', error: errorView(error) }
    }
  }
}

function preparePrompts(lock: Lock, revision: string): PinnedPrompts {
  const { prompts } = lock
  const { identifiers } = planNames(prompts.map(({ slug }) => slug))
  const bySlug = new Map(prompts.map((prompt) => [prompt.slug, prompt]))
  return {
    lock,
    revision,
    listed: prompts.map(listedPrompt),
    view(slug) {
      const prompt = bySlug.get(slug)
      return prompt && { ...viewOf(prompt), identifier: identifiers.get(slug) ?? null }
    },
    search: createTextSearch(prompts),
  }
}

function listedPrompt(prompt: PinnedPrompt): ListedPrompt {
  const { slug, folder, model, version, held } = prompt
  return {
    slug,
    folder,
    model,
    version,
    ...(held && { held }),
    variables: promptVariables(prompt),
    lintCount: lintPrompt(prompt, 0).count,
    characters: charactersOf(prompt),
  }
}

/** The maximum number of lints per prompt. More would be slow and not more helpful. */
const LINTS_LISTED = 100

function viewOf(prompt: PinnedPrompt): Omit<PinnedView, 'identifier'> {
  const { first, count } = lintPrompt(prompt, LINTS_LISTED)
  return {
    ...prompt,
    join: findJoin(prompt) ?? null,
    integrity: integrityOf(prompt, sha256),
    variables: promptVariables(prompt),
    lints: first,
    lintCount: count,
    characters: charactersOf(prompt),
  }
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Counts Unicode characters, not UTF-16 code units as `length` does. */
function charactersOf({ system, user }: PinnedPrompt): number {
  const inText = (text: string): number => text.length - (text.match(SURROGATE_PAIR)?.length ?? 0)
  return inText(system) + inText(user)
}
