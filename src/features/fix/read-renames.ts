import { promptVariables } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { usageError } from '../../errors/usage-error.ts'
import type { PullDraft } from '../pull/pull.ts'
import type { ConfirmedRename } from './fix-plan.ts'

/** The outcome of reading a value of `--rename`; `done` if the lock has the rename already. */
type Reading =
  | ConfirmedRename
  | { readonly kind: 'done' }
  | { readonly kind: 'problem'; readonly problem: string }

/**
 * Reads values of `--rename`: `slug:old=new` for a variable, `old-slug=new-slug` for a prompt. A slug may
 * contain any character, so values are compared with the prompts of the pull. Renames that the lock has
 * already are left out.
 *
 * @throws PromptsError USAGE for a value that has another form or does not match the changes
 */
export function readRenames(
  values: readonly string[],
  draft: Pick<PullDraft, 'before' | 'changes'>,
): ConfirmedRename[] {
  const sides = sidesOf(draft)
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

function unknown(value: string): Reading {
  const problem = /[^=]=[^=]/.test(value)
    ? `--rename ${value}: neither the lock nor the workspace has this prompt.`
    : `--rename takes slug:old=new or old-slug=new-slug, not “${value}”.`
  return { kind: 'problem', problem }
}

const DONE = { kind: 'done' } as const

/** The prompts of a pull by slug. */
interface Sides {
  readonly before: ReadonlyMap<string, PinnedPrompt>
  readonly after: ReadonlyMap<string, PinnedPrompt>
}

function sidesOf({ before, changes }: Pick<PullDraft, 'before' | 'changes'>): Sides {
  return {
    before: new Map(before.prompts.map((prompt) => [prompt.slug, prompt])),
    after: new Map(
      changes.flatMap((change) => (change.kind === 'removed' ? [] : [[change.slug, change.after]])),
    ),
  }
}

function readVariable(
  value: string,
  { before, after }: Sides,
  formers: ReadonlyMap<string, string>,
): Reading[] {
  return [...after].flatMap(([slug, prompt]): Reading[] => {
    if (!value.startsWith(`${slug}:`)) return []
    const [from = '', to = '', ...more] = value.slice(slug.length + 1).split('=')
    if (from === '' || to === '' || more.length > 0) return []
    const former = before.get(slug) ?? before.get(formers.get(slug) ?? '')
    const old = former === undefined ? [] : promptVariables(former)
    const now = promptVariables(prompt)
    if (!now.includes(to)) return refuse(value, `\`${slug}\` has no variable \`${to}\``)
    if (now.includes(from)) return refuse(value, `\`${slug}\` still has the variable \`${from}\``)
    if (old.includes(to) && !old.includes(from)) return [DONE]
    if (!old.includes(from)) return refuse(value, `\`${slug}\` had no variable \`${from}\``)
    if (old.includes(to)) return refuse(value, `\`${slug}\` had the variable \`${to}\` before`)
    return [{ kind: 'variable', slug, from, to }]
  })
}

function readPrompt(value: string, { before, after }: Sides): Reading[] {
  return [...after.keys()].flatMap((to): Reading[] => {
    if (!value.endsWith(`=${to}`)) return []
    const from = value.slice(0, -to.length - 1)
    if (from === '') return []
    if (after.has(from)) return refuse(value, `the workspace still has \`${from}\``)
    if (before.has(to))
      return before.has(from) ? refuse(value, `\`${to}\` is not a new prompt`) : [DONE]
    if (!before.has(from)) return refuse(value, `the lock has no prompt \`${from}\``)
    return [{ kind: 'prompt', from, to }]
  })
}

function refuse(value: string, reason: string): Reading[] {
  return [{ kind: 'problem', problem: `--rename ${value}: ${reason}.` }]
}

function assertOneToOne(renames: readonly ConfirmedRename[]): void {
  for (const side of ['from', 'to'] as const) {
    const names = renames.map((each) =>
      JSON.stringify([each.kind, each.kind === 'variable' && each.slug, each[side]]),
    )
    const index = names.findIndex((name, at) => names.indexOf(name) !== at)
    const found = renames[index]
    if (found !== undefined)
      throw usageError(`\`${found[side]}\` is in two values of --rename.`, 'pull')
  }
}
