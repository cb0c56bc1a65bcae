/** What the query of a module says. */
export interface ModuleQuery {
  /** Such as `virtual:prompts/all`. */
  readonly id: string
  /** Whether the code of the app that imports it is for browsers. */
  readonly browser: boolean
}

const BROWSER = '&browser'

/** The query by which Turbopack knows a module: `?virtual:prompts`. */
export function toQuery({ id, browser }: ModuleQuery): string {
  return `?${id}${browser ? BROWSER : ''}`
}

/** Reads what {@link toQuery} gives. */
export function parseQuery(query: string): ModuleQuery {
  const browser = query.endsWith(BROWSER)
  return { id: query.slice(1, browser ? -BROWSER.length : undefined), browser }
}
