/** Names of fields that refer to the next page, in lower case and without separators. */
const NEXT = new Set([
  'next',
  'nextpage',
  'nexturl',
  'nextlink',
  'nextcursor',
  'nexttoken',
  'nextpagetoken',
  'nextpageurl',
  'cursor',
  'continuationtoken',
])

/** Names of fields that are `true` if there is a next page. */
const MORE = new Set(['hasmore', 'hasnext', 'hasnextpage'])

/** Names of objects that commonly contain such fields. */
const CONTAINERS = new Set(['pagination', 'paging', 'pageinfo', 'meta', 'links'])

/**
 * Returns what indicates that a list is only one page, or `undefined`. The service returns the whole
 * workspace; this detects if that changes.
 *
 * @param link - the `Link` header
 */
export function detectPagination(link: string | undefined, body: unknown): string | undefined {
  if (hasNextRelation(link ?? '')) return 'a Link header with rel=next'
  const outer = listFields(body)
  const inner = outer
    .filter(([name]) => CONTAINERS.has(normalizeName(name)))
    .flatMap(([, value]) => listFields(value))
  const sign = [...outer, ...inner].find(isPaginationField)
  return sign && `the field ${sign[0]}`
}

function hasNextRelation(link: string): boolean {
  return [...link.matchAll(/;\s*rel\s*=\s*("[^"]*"|[^\s;,"]+)/gi)].some(([, relation = '']) =>
    relation.replaceAll('"', '').toLowerCase().split(/\s+/).includes('next'),
  )
}

function listFields(value: unknown): [string, unknown][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.entries(value) : []
}

function isPaginationField([name, value]: [string, unknown]): boolean {
  if (MORE.has(normalizeName(name))) return value === true
  return NEXT.has(normalizeName(name)) && !isBlank(value)
}

/** Services also send these fields with an empty value on the last page. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return !value
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}
