import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  CompareWith,
  ComparisonView,
  ReadMode,
} from '../comparison-protocol.ts'
import {
  API,
  type ErrorView,
  type ListedPrompt,
  type PackedList,
  type PageState,
  type PromptReading,
  type ServiceView,
  type TextMatches,
  type UsesView,
} from '../protocol.ts'

/** Reads what the page shows besides prompts. */
export function readPageState(): Promise<PageState> {
  return read<PageState>(API.state)
}

/** The prompts of the lock; none if it can't be read. */
export interface PromptList extends Pick<PackedList, 'revision'> {
  readonly prompts: readonly ListedPrompt[]
}

/** Reads the prompts of the lock, without their texts. */
export async function readPromptList(): Promise<PromptList> {
  const { revision, rows } = await read<PackedList>(API.list)
  const prompts = rows.map(
    ([slug, folder, model, version, variables, lintCount, characters, held]) => ({
      slug,
      folder,
      model,
      version,
      variables,
      lintCount,
      characters,
      ...(held && { held }),
    }),
  )
  return { revision, prompts }
}

/** Reads one prompt with its texts. */
export function readPrompt(slug: string): Promise<PromptReading> {
  return read<PromptReading>(`${API.prompt}?${new URLSearchParams({ slug })}`)
}

/** Searches the texts of all prompts for a word. */
export function searchTexts(word: string): Promise<TextMatches> {
  return read<TextMatches>(`${API.search}?${new URLSearchParams({ word })}`)
}

/** Makes the dev server ask the service. A recent answer is reused. */
export function askService(force: boolean): Promise<ServiceView> {
  return read<ServiceView>(force ? `${API.service}?fresh` : API.service)
}

/** Reads which modules of the app use prompts. This may take seconds. */
export function askUses(): Promise<UsesView> {
  return read<UsesView>(API.uses)
}

/**
 * Compares one prompt. A comparison with the service costs one read, one with staging costs two.
 * Recent reads are reused unless `fresh` is set.
 */
export function compare(
  slug: string,
  { compareWith, fresh }: { readonly compareWith: CompareWith; readonly fresh: boolean },
): Promise<ComparisonView> {
  const query = new URLSearchParams({ slug, with: compareWith, ...(fresh && { fresh: '' }) })
  return read<ComparisonView>(`${API.compare}?${query}`)
}

/** Compares all prompts. Changes that the service's list shows cost a read each: see {@link ReadMode}. */
export function readChanges(query: ChangesQuery, mode: ReadMode): Promise<ChangesView> {
  return read<ChangesView>(`${API.changes}?${parametersOf(query)}&read=${mode}`)
}

/** Finds what the changes of a comparison break. This type-checks the app, which may take seconds. */
export function readImpact(query: ChangesQuery): Promise<ChangesImpactView> {
  return read<ChangesImpactView>(`${API.impact}?${parametersOf(query)}`)
}

function parametersOf(query: ChangesQuery): URLSearchParams {
  return new URLSearchParams(
    query.kind === 'revision' ? { base: query.revision } : { with: query.kind },
  )
}

/** Not validated: the server is part of this package and has the same version. */
async function read<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

/** A failed request to the dev server. */
export function failureView(error: unknown): ErrorView {
  const why = error instanceof Error ? error.message : String(error)
  return { code: '', why, fix: 'Is the dev server running?' }
}
