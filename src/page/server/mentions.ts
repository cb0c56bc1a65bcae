import { DEFAULT_WORKSPACE, virtualModuleId } from '../../core/workspace-name.ts'

/** Lines, counted from 1, by slug. */
export type Mentions = Readonly<Record<string, readonly number[]>>

/** `import { prompts as p }`, `import { prompts }`, `import * as p`. */
const IMPORT =
  /import\s+(?:type\s+)?(?:\*\s*as\s+([\p{L}$_][\p{L}\p{N}$_]*)|\{([^{}]*)\})\s*from\s*['"]([^'"]*)['"]/gu

/** `prompts` in an import's braces, with its local name. */
const BINDING = /(?:^|,)\s*prompts(?:\s+as\s+([\p{L}$_][\p{L}\p{N}$_]*))?\s*(?=,|$)/u

/**
 * The lines of a module that read a prompt: `prompts.name`, `prompts['slug']`, and
 * `{ name } = prompts`. It searches the text without a parser, so it works for every language that
 * Vite supports. If it misses something, the page shows the module without lines.
 *
 * @param slugs - the slug for each name of a prompt
 * @param module - the module that exports the prompts of the workspace
 */
export function findMentions(
  code: string,
  slugs: ReadonlyMap<string, string>,
  module: string = virtualModuleId(DEFAULT_WORKSPACE),
): Mentions {
  const found = new Map<string, Set<number>>()
  const lineAt = lineCounter(code)
  const reads = bindingsOf(code, module).flatMap((binding) => readsOf(code, binding))
  for (const { name, index } of reads) {
    const slug = slugs.get(name)
    if (slug === undefined) continue
    const lines = found.get(slug) ?? new Set()
    found.set(slug, lines.add(lineAt(index)))
  }
  return Object.fromEntries(
    [...found].map(([slug, lines]) => [slug, [...lines].toSorted((a, b) => a - b)]),
  )
}

function bindingsOf(code: string, module: string): string[] {
  const names = [...code.matchAll(IMPORT)].flatMap(([, namespace, list = '', from]) => {
    if (from !== module && from !== `${module}/all`) return []
    if (namespace !== undefined) return [namespace]
    const binding = BINDING.exec(list)
    return binding === null ? [] : [binding[1] ?? 'prompts']
  })
  return [...new Set(names)]
}

interface Read {
  readonly name: string
  readonly index: number
}

function readsOf(code: string, binding: string): Read[] {
  const name = `(?<![\\p{L}\\p{N}$_.])${binding.replaceAll('$', '\\$')}`
  const member = new RegExp(`${name}\\s*\\??\\.\\s*([\\p{L}$_][\\p{L}\\p{N}$_]*)`, 'gu')
  const quoted = new RegExp(`${name}\\s*(?:\\?\\.)?\\[\\s*(['"\`])([^'"\`\\n]*)\\1\\s*\\]`, 'gu')
  const taken = new RegExp(
    `\\{([^{}]*)\\}\\s*=\\s*${binding.replaceAll('$', '\\$')}(?![\\p{L}\\p{N}$_.[])`,
    'gu',
  )
  return [
    ...[...code.matchAll(member)].map((match) => ({ name: match[1] ?? '', index: match.index })),
    ...[...code.matchAll(quoted)].map((match) => ({ name: match[2] ?? '', index: match.index })),
    ...[...code.matchAll(taken)].flatMap((match) => destructured(match[1] ?? '', match.index + 1)),
  ]
}

/** The keys in the braces of a destructuring. */
function destructured(list: string, start: number): Read[] {
  return [...list.matchAll(/(?:^|,)\s*(?:(['"])([^'"]*)\1|([\p{L}$_][\p{L}\p{N}$_]*))/gu)].map(
    (key) => ({
      name: key[2] ?? key[3] ?? '',
      index: start + key.index + key[0].length,
    }),
  )
}

function lineCounter(code: string): (index: number) => number {
  const starts = [...code.matchAll(/\n/g)].map(({ index }) => index)
  return (index) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
