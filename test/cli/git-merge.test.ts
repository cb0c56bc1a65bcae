import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { recoverLock } from '../../src/core/lock/merge-lock.ts'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { sha256 } from '../../src/fs/digest.ts'
import { liveLock, parsedLock, pinned } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** Three versions of a lock's prompts. */
interface Branches {
  readonly base: readonly PinnedPrompt[]
  readonly ours: readonly PinnedPrompt[]
  readonly theirs: readonly PinnedPrompt[]
}

/** A repository with the branches `ours-0`, `theirs-0`, `ours-1` and so on. */
async function repositoryOf(all: readonly Branches[]): Promise<string> {
  const folder = await temporaryFolder()
  git(folder, ['init', '--quiet', '--bare'])
  const input = all.flatMap(({ base, ours, theirs }, index) => [
    commit(`base-${index}`, base),
    commit(`ours-${index}`, ours, `base-${index}`),
    commit(`theirs-${index}`, theirs, `base-${index}`),
  ])
  git(folder, ['fast-import', '--quiet'], input.join(''))
  return folder
}

function commit(branch: string, prompts: readonly PinnedPrompt[], parent?: string): string {
  const text = printLock(liveLock(...prompts), sha256)
  const from = parent === undefined ? '' : `from refs/heads/${parent}\n`
  return (
    `commit refs/heads/${branch}\ncommitter A <a@example.com> 0 +0000\ndata 0\n${from}` +
    `M 644 inline lock\ndata ${Buffer.byteLength(text)}\n${text}\n`
  )
}

/** The lock as `git merge` leaves it in the work tree. */
function merge(folder: string, index: number, style = 'merge'): string {
  const config = ['-c', `merge.conflictStyle=${style}`]
  const { stdout } = spawnSync(
    'git',
    [...config, 'merge-tree', '--write-tree', `ours-${index}`, `theirs-${index}`],
    { cwd: folder, encoding: 'utf8' },
  )
  return git(folder, ['show', `${stdout.split('\n')[0]}:lock`])
}

function git(cwd: string, args: readonly string[], input = ''): string {
  return execFileSync('git', args, { cwd, input, encoding: 'utf8' })
}

/** Pseudorandom numbers with a fixed seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

function makeBase(next: (below: number) => number): PinnedPrompt[] {
  return Array.from({ length: 24 }, (_, index) =>
    pinned({
      slug: `prompt-${String(index).padStart(2, '0')}`,
      system: 'Answer in one sentence.\n'.repeat(next(6)) + 'Thank you.',
      user: next(2) === 0 ? '' : '{{ question }}\n',
    }),
  )
}

/** One pull's change at a position: an update, a removal or an addition after it. */
function change(prompt: PinnedPrompt, next: (below: number) => number): PinnedPrompt[] {
  const kind = next(3)
  if (kind === 0) return []
  if (kind === 1) return [prompt, { ...prompt, slug: `${prompt.slug}-new`, version: 'v1' }]
  const system = `${prompt.system}\nChanged ${next(1000)}.\n`
  return [{ ...prompt, version: 'v23', system, source: `${system}\n\n${prompt.user}` }]
}

/** Each place is changed on one side; with a gap, an unchanged prompt is between two places. */
function makeBranches(seed: number, gap: boolean): Branches & { merged: PinnedPrompt[] } {
  const next = numbers(seed)
  const base = makeBase(next)
  const sides = {
    ours: [] as PinnedPrompt[],
    theirs: [] as PinnedPrompt[],
    merged: [] as PinnedPrompt[],
  }
  let last = false
  for (const prompt of base) {
    const side: 'ours' | 'theirs' | undefined =
      (last && gap) || next(2) === 0 ? undefined : next(2) === 0 ? 'ours' : 'theirs'
    last = side !== undefined
    const changed = last ? change(prompt, next) : [prompt]
    sides.ours.push(...(side === 'ours' ? changed : [prompt]))
    sides.theirs.push(...(side === 'theirs' ? changed : [prompt]))
    sides.merged.push(...changed)
  }
  return { base, ...sides }
}

function makeAll(count: number, gap: boolean): ReturnType<typeof makeBranches>[] {
  return Array.from({ length: count }, (_, index) => makeBranches(index + 1, gap))
}

describe('two branches that pull different prompts', () => {
  test('merge in git without a conflict if the prompts are not adjacent (50 merges)', async () => {
    const all = makeAll(50, true)
    const folder = await repositoryOf(all)
    for (const [index, { merged }] of all.entries())
      expect(parsedLock(merge(folder, index)), `merge ${index}`).toEqual(liveLock(...merged))
  })

  test.each([['merge'], ['diff3'], ['zdiff3']])(
    'lose nothing if they are adjacent, with conflicts in %s style',
    async (style) => {
      const all = makeAll(10, false)
      const folder = await repositoryOf(all)
      let conflicts = 0
      for (const [index, { ours, theirs, merged }] of all.entries()) {
        const text = merge(folder, index, style)
        if (text.includes('<<<<<<<')) conflicts++
        const found = recoverLock(text, sha256)
        if (typeof found === 'string') throw new Error(`merge ${index}: ${found}`)
        // What is settled is whole, as one of the branches had it; the rest is read again.
        const known = [...ours, ...theirs].map((prompt) => JSON.stringify(prompt))
        for (const prompt of found.merged) expect(known).toContain(JSON.stringify(prompt))
        const slugs = [...found.merged.map(({ slug }) => slug), ...found.conflicting]
        expect(slugs).toEqual(expect.arrayContaining(merged.map(({ slug }) => slug)))
      }
      expect(conflicts).toBeGreaterThan(0)
    },
  )
})
