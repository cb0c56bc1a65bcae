import { compareCodePoints } from './text/order.ts'

/** The names that an app accesses each prompt by. */
export interface NamePlan {
  /** Slug → identifier, for slugs with an unambiguous identifier. */
  readonly identifiers: ReadonlyMap<string, string>
  /** Identifiers that more than one slug asked for: none of them gets it. */
  readonly collisions: readonly NameCollision[]
}

/** Slugs that would share one identifier. */
export interface NameCollision {
  readonly identifier: string
  readonly slugs: readonly string[]
}

/** webpack and Rspack drop an export of this name, and `{ __proto__: x }` sets a prototype. */
export const PROTO = '__proto__'

/** Words that can't name a binding in a module (ECMA-262, 12.7.2 and strict mode). */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum ' +
    'eval export extends false finally for function if implements import in instanceof interface ' +
    'let new null package private protected public return static super switch this throw true ' +
    'try typeof var void while with yield'
  ).split(' '),
)

export function planNames(slugs: readonly string[]): NamePlan {
  const owners = new Map<string, string>()
  const shared = new Map<string, Set<string>>()
  const claim = (identifier: string, slug: string): void => {
    const owner = owners.get(identifier)
    if (owner === undefined) owners.set(identifier, slug)
    else if (owner !== slug)
      shared.set(identifier, (shared.get(identifier) ?? new Set([owner])).add(slug))
  }
  for (const slug of slugs) {
    const identifier = toIdentifier(slug)
    if (identifier !== undefined) claim(identifier, slug)
  }
  // A slug is a name of its prompt, too.
  for (const slug of slugs) if (owners.has(slug)) claim(slug, slug)
  const identifiers = new Map<string, string>()
  for (const [identifier, owner] of owners)
    if (!shared.has(identifier)) identifiers.set(owner, identifier)
  const collisions = [...shared].map(([identifier, claimants]) => ({
    identifier,
    slugs: [...claimants].toSorted(compareCodePoints),
  }))
  return { identifiers, collisions }
}

/**
 * The camelCase of a slug: `support-triage` → `supportTriage`, `HTML to text` → `htmlToText`.
 *
 * @returns `undefined` if that is not a valid name, such as `3d` or `default`
 */
export function toIdentifier(slug: string): string | undefined {
  if (!PLAIN.test(slug)) {
    const name = joinWords(slug)
    return isIdentifier(name) ? name : undefined
  }
  const name = slug.replaceAll(/[^a-z\d]./g, (pair) => pair.charAt(1).toUpperCase())
  return RESERVED.has(name) ? undefined : name
}

/** As most slugs are. With the properties of Unicode, each of 1,000 takes four times as long. */
const PLAIN = /^[a-z][a-z\d]*(?:[-_./][a-z\d]+)*$/

function joinWords(slug: string): string {
  const words = slug.split(/[^\p{L}\p{M}\p{N}$]/u).filter((word) => word !== '')
  return words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('')
}

/** Whether a name needs no quotes in JavaScript. */
export function isIdentifier(name: string): boolean {
  const isAscii = /^[ -~]*$/.test(name)
  const pattern = isAscii ? /^[A-Za-z_$][\w$]*$/ : /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u
  return pattern.test(name) && !RESERVED.has(name)
}

function lowerFirst(word: string): string {
  if (word === word.toUpperCase()) return word.toLowerCase()
  return word.replace(/./u, (first) => first.toLowerCase())
}

function upperFirst(word: string): string {
  return word.replace(/./u, (first) => first.toUpperCase())
}

/** Returns the names of one prompt: its slug, and its identifier if it differs. */
export function promptNames(slug: string, plan: NamePlan): string[] {
  const identifier = plan.identifiers.get(slug)
  return identifier === undefined || identifier === slug ? [slug] : [slug, identifier]
}
