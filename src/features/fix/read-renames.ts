import { promptVariables } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { usageError } from '../../errors/usage-error.ts'
import type { PullDraft } from '../pull/draft.ts'
import { areAboutOneName, type ConfirmedRename } from './renames.ts'

/** A way to read a value of `--rename`: a rename, one that the lock has already, or why it is none. */
type Reading = ConfirmedRename | { readonly kind: 'done' } | Problem

interface Problem {
  readonly kind: 'problem'
  readonly problem: string
}

/** The prompts of a pull by slug. */
interface Sides {
  readonly before: ReadonlyMap<string, PinnedPrompt>
  readonly after: ReadonlyMap<string, PinnedPrompt>
}

/**
 * Reads values of `--rename`: `slug:old=new` for a variable, `old-slug=new-slug` for a prompt. A slug may
 * contain any character, so values are compared with the prompts of the pull. Renames that the lock has
 * already are left out.
 *
 * @throws PromptsError USAGE for a value that has another form or does not match the changes
 */
export function readRenames(
  values: readonly string[],
  { before, changes }: Pick<PullDraft, 'before' | 'changes'>,
): ConfirmedRename[] {
  const sides: Sides = {
    before: indexBySlug(before.prompts),
    after: indexBySlug(changes.flatMap((each) => (each.kind === 'removed' ? [] : each.after))),
  }
  const prompts = values.flatMap((value) => likeliest(readPrompt(value, sides)) ?? [])
  const formers = new Map(
    prompts.flatMap((each) => (each.kind === 'prompt' ? [[each.to, each.from]] : [])),
  )
  const renames = values.flatMap((value) => {
    const readings = [...readVariable(value, sides, formers), ...readPrompt(value, sides)]
    const reading = likeliest(readings) ?? unknown(value)
    if (reading.kind === 'problem') throw usageError(reading.problem, 'pull')
    return reading.kind === 'done' ? [] : [reading]
  })
  assertOneToOne(renames)
  return renames
}

/** The first of several readings of a value, but a possible one if there is any. */
function likeliest(readings: readonly Reading[]): Reading | undefined {
  return readings.find(({ kind }) => kind !== 'problem') ?? readings[0]
}

function unknown(value: string): Problem {
  return /[^=]=[^=]/.test(value)
    ? problemOf(value, 'neither the lock nor the workspace has this prompt')
    : {
        kind: 'problem',
        problem: `--rename takes slug:old=new or old-slug=new-slug, not “${value}”.`,
      }
}

function problemOf(value: string, reason: string): Problem {
  return { kind: 'problem', problem: `--rename ${value}: ${reason}.` }
}

function readVariable(
  value: string,
  { before, after }: Sides,
  formers: ReadonlyMap<string, string>,
): Reading[] {
  return [...after].flatMap(([slug, prompt]): Reading | [] => {
    if (!value.startsWith(`${slug}:`)) return []
    const [from = '', to = '', ...more] = value.slice(slug.length + 1).split('=')
    if (from === '' || to === '' || more.length > 0) return []
    const former = before.get(slug) ?? before.get(formers.get(slug) ?? '')
    const old = former === undefined ? [] : promptVariables(former)
    const now = promptVariables(prompt)
    if (!now.includes(to)) return problemOf(value, `\`${slug}\` has no variable \`${to}\``)
    if (now.includes(from))
      return problemOf(value, `\`${slug}\` still has the variable \`${from}\``)
    if (old.includes(to) && !old.includes(from)) return { kind: 'done' }
    if (!old.includes(from)) return problemOf(value, `\`${slug}\` had no variable \`${from}\``)
    if (old.includes(to)) return problemOf(value, `\`${slug}\` had the variable \`${to}\` before`)
    return { kind: 'variable', slug, from, to }
  })
}

function readPrompt(value: string, { before, after }: Sides): Reading[] {
  return [...after.keys()].flatMap((to): Reading | [] => {
    if (!value.endsWith(`=${to}`)) return []
    const from = value.slice(0, -to.length - 1)
    if (from === '') return []
    if (after.has(from)) return problemOf(value, `the workspace still has \`${from}\``)
    if (before.has(to) && before.has(from)) return problemOf(value, `\`${to}\` is not a new prompt`)
    if (before.has(to)) return { kind: 'done' }
    if (!before.has(from)) return problemOf(value, `the lock has no prompt \`${from}\``)
    return { kind: 'prompt', from, to }
  })
}

function assertOneToOne(renames: readonly ConfirmedRename[]): void {
  for (const [index, rename] of renames.entries()) {
    const other = renames.slice(0, index).find((each) => areAboutOneName(each, rename))
    if (other === undefined) continue
    const name = other.from === rename.from ? rename.from : rename.to
    throw usageError(`\`${name}\` is in two values of --rename.`, 'pull')
  }
}
