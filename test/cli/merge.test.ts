import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sortBySlug } from '../../src/core/text/order.ts'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'
import { declarationsState, writeDeclarations } from '../../src/features/generate/declarations.ts'
import { sha256 } from '../../src/fs/digest.ts'
import { createLockStore } from '../../src/fs/lock-store.ts'
import { pinned } from '../helpers/pinned.ts'
import { SEED } from '../helpers/sweep.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const run = promisify(execFile)

/** A repository with a lock and its declarations, in which branches pull. */
interface Repository {
  git(...args: readonly string[]): Promise<string>
  /** Commits the files of a lock on a branch that starts at the base. */
  pull(branch: string, lock: Lock): Promise<void>
  readonly dts: string
  readLock(): Promise<Lock | undefined>
}

/** Slots of the base: every branch changes some, and no two branches a slot or its neighbour. */
const SLOTS = 30

function slugOf(slot: number): string {
  return `prompt-${String(slot).padStart(2, '0')}-a`
}

const BASE: Lock = {
  environment: 'live',
  prompts: Array.from({ length: SLOTS }, (_, slot) =>
    pinned({
      slug: slugOf(slot),
      version: `v${slot}`,
      system: `You are helper ${slot}.\n\nAnswer {{ question }} in one line.`,
      user: slot % 3 === 0 ? '' : 'Hello\n{{ name }}',
    }),
  ),
}

/** What a pull does to the prompt in a slot; an added one comes right after it. */
interface Change {
  readonly slot: number
  readonly kind: 'update' | 'retext' | 'add' | 'remove'
}

function applyChange(prompts: readonly PinnedPrompt[], { slot, kind }: Change): PinnedPrompt[] {
  const slug = slugOf(slot)
  const updated = { slug, version: 'v99', model: 'gpt-6', system: 'New: {{ customer }}' }
  if (kind === 'remove') return prompts.filter((prompt) => prompt.slug !== slug)
  if (kind === 'add') return [...prompts, pinned({ ...updated, slug: slug.replace(/a$/, 'b') })]
  return prompts.map((prompt) => {
    if (prompt.slug !== slug) return prompt
    return pinned(kind === 'update' ? updated : { ...prompt, system: `${prompt.system}\nBe kind.` })
  })
}

function after(changes: readonly Change[]): Lock {
  return { environment: 'live', prompts: sortBySlug(changes.reduce(applyChange, BASE.prompts)) }
}

/** The changes of two branches, three slots apart from each other at least. */
const branches = fc
  .record({
    slots: fc.uniqueArray(fc.nat(SLOTS / 3 - 1), { minLength: 2, maxLength: 8 }),
    kinds: fc.array(fc.constantFrom<Change['kind']>('update', 'retext', 'add', 'remove'), {
      minLength: 8,
      maxLength: 8,
    }),
    shift: fc.nat(2),
  })
  .map(({ slots, kinds, shift }) => {
    const changes = slots.map((slot, index) => ({
      slot: slot * 3 + shift,
      kind: kinds[index] ?? 'update',
    }))
    const half = Math.ceil(changes.length / 2)
    return { ours: changes.slice(0, half), theirs: changes.slice(half) }
  })

async function createRepository(): Promise<Repository> {
  const root = await temporaryFolder()
  const env = { PATH: process.env['PATH'], HOME: root }
  const settings = ['user.name=T', 'user.email=t@example.com', 'commit.gpgsign=false']
  const flags = settings.flatMap((setting) => ['-c', setting])
  const git: Repository['git'] = async (...args) =>
    (await run('git', [...flags, ...args], { cwd: root, env })).stdout
  const lock = createLockStore(join(root, 'prompts.lock.json'), root)
  const dts = join(root, 'prompts.d.ts')
  const pull: Repository['pull'] = async (branch, next) => {
    await git('checkout', '--quiet', '--force', '-B', branch, 'base')
    await writeFile(lock.path, printLock(next, sha256))
    await writeDeclarations(next, { root, dts })
    await git('commit', '--quiet', '--all', '--allow-empty', '--message', branch)
  }
  await git('init', '--quiet', '--initial-branch', 'base')
  // As `init` does.
  await writeFile(join(root, '.gitignore'), 'prompts.d.ts.map\n')
  await writeFile(lock.path, printLock(BASE, sha256))
  await writeDeclarations(BASE, { root, dts, lockPath: lock.path })
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'base')
  return { git, pull, dts, readLock: () => lock.read() }
}

describe('two branches that pull different prompts', () => {
  test('have a lock and declarations in git, and no map', async () => {
    const files = (await (await createRepository()).git('ls-files')).trim().split('\n')
    expect(files).toEqual(['.gitignore', 'prompts.d.ts', 'prompts.lock.json'])
  })

  test(
    'merge without a conflict 50 times, into a valid lock and its declarations',
    { timeout: 300_000 },
    async () => {
      const { git, pull, dts, readLock } = await createRepository()
      for (const { ours, theirs } of fc.sample(branches, { numRuns: 50, seed: SEED })) {
        await pull('theirs', after(theirs))
        await pull('ours', after(ours))
        await git('merge', '--quiet', '--no-edit', 'theirs')
        const merged = await readLock()
        expect(merged).toEqual(after([...ours, ...theirs]))
        if (merged !== undefined)
          expect(await declarationsState(merged, { dts })).toMatchObject({ state: 'current' })
      }
    },
  )

  test('that pull the same prompt conflict, and a pull of declarations resolves them', async () => {
    const { git, pull, dts, readLock } = await createRepository()
    await pull('theirs', after([{ slot: 3, kind: 'update' }]))
    await pull('ours', after([{ slot: 3, kind: 'retext' }]))
    await expect(git('merge', 'theirs')).rejects.toMatchObject({ code: 1 })
    expect(await readFile(dts, 'utf8')).toContain('<<<<<<<')
    await git('checkout', '--theirs', 'prompts.lock.json')
    const resolved = await readLock()
    if (resolved === undefined) throw new Error('There is no lock.')
    const root = join(dts, '..')
    expect(await writeDeclarations(resolved, { root, dts })).toBe('written')
    expect(await readFile(dts, 'utf8')).not.toContain('<<<<<<<')
    await git('merge', '--abort')
  })
})
