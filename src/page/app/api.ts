import {
  API,
  type CompareWith,
  type ComparisonView,
  type PageState,
  type ServiceView,
  type UsesView,
} from '../protocol.ts'

/** Reads all that the page shows. */
export function readPageState(): Promise<PageState> {
  return read<PageState>(API.state)
}

/** Has the dev server ask the service; it gives its last answer where that is fresh. */
export function askService(force: boolean): Promise<ServiceView> {
  return read<ServiceView>(force ? `${API.service}?fresh` : API.service)
}

/** Who uses prompts in the app; without a dev server that may take seconds to find out. */
export function askUses(): Promise<UsesView> {
  return read<UsesView>(API.uses)
}

/**
 * Compares one prompt. With the service that costs one read, with staging two, unless the prompt
 * was read just now and `fresh` is not given.
 */
export function compare(
  slug: string,
  { compareWith, fresh }: { readonly compareWith: CompareWith; readonly fresh: boolean },
): Promise<ComparisonView> {
  const query = new URLSearchParams({ slug, with: compareWith, ...(fresh && { fresh: '' }) })
  return read<ComparisonView>(`${API.compare}?${query}`)
}

/** The server is part of this package and of the same version, so its word is taken for it. */
async function read<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}
