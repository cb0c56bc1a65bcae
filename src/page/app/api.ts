import {
  API,
  type CompareWith,
  type ComparisonView,
  type PageState,
  type ServiceView,
  type UsesView,
} from '../protocol.ts'

/** Reads everything that the page shows. */
export function readPageState(): Promise<PageState> {
  return read<PageState>(API.state)
}

/** Makes the dev server ask the service. A recent answer is reused. */
export function askService(force: boolean): Promise<ServiceView> {
  return read<ServiceView>(force ? `${API.service}?fresh` : API.service)
}

/** Reads which modules of the app use prompts. Without a dev server this may take seconds. */
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

/** Not validated: the server is part of this package and has the same version. */
async function read<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}
