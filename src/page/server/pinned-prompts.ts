import { promptVariables } from '../../core/compare.ts'
import { lintPrompt } from '../../core/lint.ts'
import { integrityOf } from '../../core/lock/integrity.ts'
import { planNames } from '../../core/names.ts'
import { findJoin, type Lock, type PinnedPrompt } from '../../core/prompt.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/digest.ts'
import { fingerprintFiles } from '../../fs/watch.ts'
import type { ListedPrompt, PromptView, TextMatches } from '../protocol.ts'
import { createTextSearch } from './text-search.ts'

/** The prompts of one lock, in the forms that the page shows. */
export interface PinnedPrompts {
  readonly lock: Lock
  /** Fingerprint of the file. */
  readonly revision: string
  readonly listed: readonly ListedPrompt[]
  /** `undefined` if the lock does not have it. */
  find(slug: string): PinnedPrompt | undefined
  /** The same prompt as the page shows it. The line in the lock needs the text of the lock. */
  view(slug: string): Omit<PromptView, 'lockLine'> | undefined
  search(word: string): Promise<TextMatches>
}

/**
 * Creates a function that reads the lock of a project. The lock is read again only if it has changed,
 * and requests at the same time share it: parsing 10,000 prompts takes half a second.
 *
 * @returns throws what {@link Project.readLock} throws
 */
export function createLockReader({
  lock: { path },
  readLock,
}: Pick<Project, 'lock' | 'readLock'>): () => Promise<PinnedPrompts> {
  let last: { readonly revision: string; readonly pinned: Promise<PinnedPrompts> } | undefined
  return async () => {
    const revision = await fingerprintFiles(path)
    if (last?.revision === revision) return last.pinned
    const pinned = readLock().then((lock) => preparePrompts(lock, revision))
    const current = { revision, pinned }
    last = current
    pinned.catch(() => {
      if (last === current) last = undefined
    })
    return pinned
  }
}

function preparePrompts(lock: Lock, revision: string): PinnedPrompts {
  const { prompts } = lock
  const bySlug = new Map(prompts.map((prompt) => [prompt.slug, prompt]))
  let identifiers: ReadonlyMap<string, string> | undefined
  return {
    lock,
    revision,
    listed: prompts.map(listedPrompt),
    find: (slug) => bySlug.get(slug),
    view(slug) {
      const prompt = bySlug.get(slug)
      identifiers ??= planNames([...bySlug.keys()]).identifiers
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

function viewOf(prompt: PinnedPrompt): Omit<PromptView, 'lockLine' | 'identifier'> {
  return {
    ...prompt,
    ...listedPrompt(prompt),
    join: findJoin(prompt) ?? null,
    integrity: integrityOf(prompt, sha256),
    lints: lintPrompt(prompt, LINTS_LISTED).first,
  }
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Counts Unicode characters, not UTF-16 code units as `length` does. */
function charactersOf({ system, user }: PinnedPrompt): number {
  const inText = (text: string): number => text.length - (text.match(SURROGATE_PAIR)?.length ?? 0)
  return inText(system) + inText(user)
}
