import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers'
import { promptVariables } from '../../core/compare.ts'
import { findNotes } from '../../core/notes.ts'
import { integrityOf } from '../../core/lock/integrity.ts'
import { planNames } from '../../core/names.ts'
import { findJoin, type Lock, type PinnedPrompt } from '../../core/prompt.ts'
import { countPromptCharacters } from '../../core/text/characters.ts'
import { printJsonString } from '../../core/text/json-string.ts'
import type { Project } from '../../features/project/project.ts'
import { sha256 } from '../../fs/digest.ts'
import { fingerprintFiles } from '../../fs/watch.ts'
import type {
  ListedPrompt,
  PackedList,
  PackedPrompt,
  PromptReading,
  TextMatches,
} from '../protocol.ts'
import { createCache } from './cache.ts'
import { createTextSearch } from './text-search.ts'

/** The prompts of one lock, in the forms that the page shows. */
export interface PinnedPrompts {
  readonly lock: Lock
  /** Fingerprint of the file. */
  readonly revision: string
  list(): PackedList
  /** `undefined` if the lock does not have it. */
  find(slug: string): PinnedPrompt | undefined
  read(slug: string): Promise<PromptReading>
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
  const last = createCache<PinnedPrompts>()
  return async () => {
    const stamp = await fingerprintFiles(path)
    const prepare = async (): Promise<PinnedPrompts> =>
      preparePrompts(await readLock(), stamp, path)
    return last.get('', { stamp }, prepare).value
  }
}

function preparePrompts(lock: Lock, revision: string, path: string): PinnedPrompts {
  const { prompts } = lock
  const bySlug = new Map(prompts.map((prompt) => [prompt.slug, prompt]))
  const rows = prompts.map(packedPrompt)
  const search = createTextSearch(prompts)
  let identifiers: ReadonlyMap<string, string> | undefined
  return {
    lock,
    revision,
    list() {
      // After the answer: the first search would wait for it.
      setImmediate(() => void search(''))
      return { revision, rows }
    },
    find: (slug) => bySlug.get(slug),
    async read(slug) {
      const prompt = bySlug.get(slug)
      if (prompt === undefined) return { kind: 'missing' }
      identifiers ??= planNames([...bySlug.keys()]).identifiers
      const { first: notes } = findNotes(prompt, NOTES_LISTED)
      const view = {
        ...prompt,
        ...countsOf(prompt),
        identifier: identifiers.get(slug) ?? null,
        join: findJoin(prompt) ?? null,
        integrity: integrityOf(prompt, sha256),
        lockLine: await lockLine(path, slug),
        notes,
      }
      return { kind: 'read', prompt: view }
    },
    search,
  }
}

/** The maximum number of notes per prompt. More would be slow and not more helpful. */
const NOTES_LISTED = 100

function packedPrompt(prompt: PinnedPrompt): PackedPrompt {
  const { slug, folder, model, version, held } = prompt
  const { variables, noteCount, characters } = countsOf(prompt)
  const row = [slug, folder, model, version, variables, noteCount, characters] as const
  return held === undefined ? row : [...row, held]
}

function countsOf(
  prompt: PinnedPrompt,
): Pick<ListedPrompt, 'variables' | 'noteCount' | 'characters'> {
  return {
    variables: promptVariables(prompt),
    noteCount: findNotes(prompt, 0).count,
    characters: countPromptCharacters(prompt),
  }
}

/**
 * Finds the line of a prompt's slug in a lock. Only one prompt is looked for, in the bytes of the file:
 * a lock may have half a million lines.
 *
 * @returns counted from 1; `null` if it is not found, for example because another tool printed the lock
 */
async function lockLine(path: string, slug: string): Promise<number | null> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0))
  // In a text, both quotes would be escaped.
  const end = bytes.indexOf(`"slug": ${printJsonString(slug)}`)
  if (end === -1) return null
  let line = 1
  for (let at = bytes.indexOf(10); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) line++
  return line
}
