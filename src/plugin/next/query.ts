/** The parsed query of a module. */
export interface ModuleQuery {
  /** Such as `virtual:prompts/all`. */
  readonly id: string
  /** Whether the code of the app that imports it is for browsers. */
  readonly browser: boolean
}

const BROWSER = '&browser'

/** The query that identifies a module in Turbopack: `?virtual:prompts`. */
export function toQuery({ id, browser }: ModuleQuery): string {
  return `?${id}${browser ? BROWSER : ''}`
}

/** Parses the result of {@link toQuery}. */
export function parseQuery(query: string): ModuleQuery {
  const browser = query.endsWith(BROWSER)
  return { id: query.slice(1, browser ? -BROWSER.length : undefined), browser }
}
