import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recoverLock } from '../../../src/core/lock/merge-lock.ts'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { printDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { branch, git, importBranches, mergedTexts } from '../../helpers/git-repository.ts'
import { liveLock, parsedLock, pinned } from '../../helpers/pinned.ts'
import { SEED, sweepRuns } from '../../helpers/sweep.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const LOCK = 'prompts.lock.json'
const DTS = 'prompts.d.ts'

const BASE: readonly PinnedPrompt[] = Array.from({ length: 24 }, (_, index) =>
  pinned({
    slug: `prompt-${String(index).padStart(2, '0')}-a`,
    version: `v${index}`,
    system: `${`You are helper ${index}.\n`.repeat(index % 6)}Answer {{ question }}.`,
    user: index % 3 === 0 ? '' : 'Hello\n{{ name }}\n',
  }),
)

const KINDS = ['update', 'retext', 'add', 'remove'] as const

/** What a pull does to a prompt. An added prompt comes right after it. */
type Kind = (typeof KINDS)[number]

function change(prompt: PinnedPrompt, kind: Kind): PinnedPrompt[] {
  const { slug, user } = prompt
  const added = { version: 'v99', model: 'gpt-6', system: 'New: {{ customer }}' }
  if (kind === 'remove') return []
  if (kind === 'add') return [prompt, pinned({ ...added, slug: slug.replace(/a$/, 'b') })]
  if (kind === 'update') return [pinned({ ...added, slug })]
  const system = `${prompt.system}\nBe kind.`
  return [{ ...prompt, system, source: user === '' ? system : `${system}\n\n${user}` }]
}

/** The prompts of two branches, and of their merge. */
type Branches = Readonly<Record<'ours' | 'theirs' | 'merged', readonly PinnedPrompt[]>>

/** The change of one prompt, and the branch that makes it. */
interface Place {
  readonly side: 'ours' | 'theirs' | undefined
  readonly kind: Kind
}

function toBranches(places: readonly Place[]): Branches {
  const promptsOf = (...sides: Place['side'][]): PinnedPrompt[] =>
    BASE.flatMap((prompt, index) => {
      const { side, kind } = places[index] ?? { side: undefined, kind: 'update' }
      return side !== undefined && sides.includes(side) ? change(prompt, kind) : [prompt]
    })
  const [ours, theirs] = [promptsOf('ours'), promptsOf('theirs')]
  return { ours, theirs, merged: promptsOf('ours', 'theirs') }
}

/** Keeps one unchanged prompt at least between two changes. */
function spaced(places: readonly Place[]): Place[] {
  let wasChanged = false
  return places.map(({ side, kind }) => {
    const place = { side: wasChanged ? undefined : side, kind }
    wasChanged = place.side !== undefined
    return place
  })
}

/** Each prompt is changed on one side at most. */
const PLACES: fc.Arbitrary<Place[]> = fc.array(
  fc.record({
    side: fc.constantFrom(undefined, 'ours' as const, 'theirs' as const),
    kind: fc.constantFrom(...KINDS),
  }),
  { minLength: BASE.length, maxLength: BASE.length, size: 'max' },
)

function sample(arbitrary: fc.Arbitrary<Place[]>): Branches[] {
  return fc.sample(arbitrary.map(toBranches), {
    numRuns: Math.min(sweepRuns(200), 1000),
    seed: SEED,
  })
}

/** The committed files of an app with these prompts. */
function filesOf(prompts: readonly PinnedPrompt[]): Record<string, string> {
  const lock = liveLock(...prompts)
  return { [LOCK]: printLock(lock, sha256), [DTS]: printDeclarations(planModule(lock)) }
}

/** A repository with the branches `ours-0`, `theirs-0`, `ours-1` and so on, which start at `base`. */
async function repositoryOf(all: readonly Pick<Branches, 'ours' | 'theirs'>[]): Promise<string> {
  const folder = await temporaryFolder()
  importBranches(folder, [
    branch('base', filesOf(BASE)),
    ...all.flatMap(({ ours, theirs }, index) => [
      branch(`ours-${index}`, filesOf(ours), 'base'),
      branch(`theirs-${index}`, filesOf(theirs), 'base'),
    ]),
  ])
  return folder
}

/** The names of the branches of {@link repositoryOf}. */
function pairsOf(all: readonly unknown[]): [ours: string, theirs: string][] {
  return all.map((_, index) => [`ours-${index}`, `theirs-${index}`])
}

describe('two branches that pull different prompts', () => {
  test('merge without a conflict, into a valid lock and its declarations', async () => {
    const all = sample(PLACES.map(spaced))
    const folder = await repositoryOf(all)
    const texts = mergedTexts(folder, pairsOf(all), [LOCK, DTS])
    for (const [index, { merged }] of all.entries()) {
      const [lock = '', declarations] = texts[index] ?? []
      expect(parsedLock(lock), `merge ${index}`).toEqual(liveLock(...merged))
      expect(declarations).toBe(filesOf(merged)[DTS])
    }
  })

  test.each(['merge', 'diff3', 'zdiff3'])(
    'lose nothing if they are adjacent, with conflicts in %s style',
    async (style) => {
      const all = sample(PLACES)
      const folder = await repositoryOf(all)
      git(folder, 'config', 'merge.conflictStyle', style)
      let conflicts = 0
      const texts = mergedTexts(folder, pairsOf(all), [LOCK])
      for (const [index, { ours, theirs, merged }] of all.entries()) {
        const [text = ''] = texts[index] ?? []
        if (text.includes('<<<<<<<')) conflicts++
        const found = recoverLock(text, sha256)
        if (typeof found === 'string') throw new Error(`merge ${index}: ${found}`)
        // What is merged is whole, as one of the branches had it; the rest is read again.
        const known = [...ours, ...theirs]
        for (const prompt of found.merged) expect(known).toContainEqual(prompt)
        const slugs = [...found.merged, ...found.conflicts].map(({ slug }) => slug)
        expect(slugs).toEqual(expect.arrayContaining(merged.map(({ slug }) => slug)))
      }
      expect(conflicts).toBeGreaterThan(0)
    },
  )
})
