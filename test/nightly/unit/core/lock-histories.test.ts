import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLock } from '../../../../src/core/lock/parse-lock.ts'
import type { Lock } from '../../../../src/core/prompt.ts'
import { isPromptsError, type PromptsError } from '../../../../src/errors/prompts-error.ts'
import { holdParts } from '../../../../src/features/hold/hold.ts'
import { openProject, type Project } from '../../../../src/features/project/project.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { commitAll, git } from '../../../helpers/git-repository.ts'
import { testService, type TestService } from '../../../helpers/local-service.ts'
import { pull } from '../../../helpers/pull.ts'
import { sweep } from '../../../helpers/sweep.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const LOCK = 'prompts.lock.json'

/** A version of the service: its label and its text. */
interface Served {
  readonly version: string
  readonly system: string
}

/** A team: a service, and a repository with two branches that pull from it. */
class Team {
  readonly #service: TestService
  readonly #root: string
  readonly #prompts = new Map<string, { live: Served; staging?: Served }>()
  /** Every text that the service ever had for a part. */
  readonly #texts = new Set<string>()
  #count = 0

  constructor(service: TestService, root: string) {
    this.#service = service
    this.#root = root
    for (const slug of ['b', 'd', 'f']) this.publish(slug)
  }

  get branch(): string {
    return git(this.#root, 'branch', '--show-current').trim()
  }

  publish(slug: string): void {
    this.#prompts.set(slug, { live: this.#next(slug, 'live') })
    this.#serve()
  }

  stage(slug: string): void {
    const prompt = this.#prompts.get(slug)
    if (prompt) this.#prompts.set(slug, { ...prompt, staging: this.#next(slug, 'test') })
    this.#serve()
  }

  /** The texts stay, as in a service. */
  rename(from: string, to: string): void {
    const prompt = this.#prompts.get(from)
    if (prompt === undefined || this.#prompts.has(to)) return
    this.#prompts.delete(from)
    this.#prompts.set(to, prompt)
    this.#texts.add(`live ${to} ${prompt.live.system}`)
    if (prompt.staging) this.#texts.add(`test ${to} ${prompt.staging.system}`)
    this.#serve()
  }

  remove(slug: string): void {
    if (this.#prompts.size > 2) this.#prompts.delete(slug)
    this.#serve()
  }

  #next(slug: string, environment: string): Served {
    const number = ++this.#count
    const system = `Text ${number}.\nOf ${slug}.`
    this.#texts.add(`${environment} ${slug} ${system}`)
    // What is published next has the text of the draft.
    if (environment === 'test') this.#texts.add(`live ${slug} ${system}`)
    return { version: `v${number}`, system }
  }

  #serve(): void {
    this.#service.serve(
      ...[...this.#prompts].map(([slug, { live, staging }]) => {
        return { slug, ...live, ...(staging && { staging }) }
      }),
    )
  }

  /** Pulls, and checks what must hold after any pull. */
  async pull(keys: 'live' | 'test' | 'both'): Promise<void> {
    const project = await this.#open(keys)
    const before = existsSync(join(this.#root, LOCK)) ? await this.#text() : ''
    const old = parseLock(before, sha256)
    try {
      await pull(project, { allowReplace: true })
    } catch (error) {
      if (!isPromptsError(error)) throw error
      const now = existsSync(join(this.#root, LOCK)) ? await this.#text() : ''
      assertRefusal(error, now === before)
      // A person takes one side, which had been committed, and so ends a merge.
      git(this.#root, 'checkout', 'HEAD', '--', LOCK)
      commitAll(this.#root)
      return
    }
    const lock = await project.readLock()
    assertServed(lock, this.#texts)
    if (old.kind === 'lock') {
      assertKept(old.lock, lock)
      const { changes, outcome } = await pull(project, { allowReplace: true })
      assertSettled({ changes, outcome })
    }
    commitAll(this.#root)
  }

  async hold(at: number): Promise<void> {
    const project = await this.#open('both')
    const shown = await project.show()
    const part = shown.after.parts[at % shown.after.parts.length]
    if (part === undefined || part.held !== undefined) return
    const lock = holdParts(shown.after, [part.slug], part.environment, `Reason ${at}`)
    await project.commit(await project.edit(shown, lock))
    commitAll(this.#root)
  }

  switch(): void {
    git(this.#root, 'switch', '--quiet', this.branch === 'main' ? 'feature' : 'main')
  }

  /** Merges the other branch. What git leaves without a conflict is a lock, or has a prompt twice. */
  async merge(): Promise<void> {
    const other = this.branch === 'main' ? 'feature' : 'main'
    try {
      git(this.#root, 'merge', '--quiet', '--no-edit', other)
    } catch {
      return this.pull('both')
    }
    const parsed = parseLock(await this.#text(), sha256)
    if (parsed.kind === 'lock') return undefined
    assertRepairable(parsed.fault.code)
    return this.pull('both')
  }

  revert(): void {
    try {
      git(this.#root, 'revert', '--no-edit', 'HEAD')
    } catch {
      git(this.#root, 'reset', '--hard', '--quiet', 'HEAD')
    }
  }

  async #text(): Promise<string> {
    return readFile(join(this.#root, LOCK), 'utf8')
  }

  #open(keys: 'live' | 'test' | 'both'): Promise<Project> {
    return openProject({
      root: this.#root,
      mode: 'production',
      options: { dts: false, environment: 'test' },
      processEnv: this.#service[keys],
      warn: () => undefined,
    })
  }
}

function assertRefusal({ code, fix }: PromptsError, isUnchanged: boolean): void {
  expect(['KEY_MISSING', 'LOCK_CONFLICTED', 'LOCK_DUPLICATE']).toContain(code)
  expect(fix).not.toContain('delete')
  expect(isUnchanged).toBe(true)
}

function assertServed({ parts }: Lock, texts: ReadonlySet<string>): void {
  for (const { held, environment, slug: name, system } of parts)
    if (held === undefined) expect(texts).toContain(`${environment} ${name} ${system}`)
}

/** Held parts are as they were. */
function assertKept(before: Lock, after: Lock): void {
  for (const part of before.parts)
    if (part.held !== undefined) expect(after.parts).toContainEqual(part)
}

function assertSettled(second: object): void {
  expect(second).toEqual({ changes: [], outcome: 'unchanged' })
}

function assertRepairable(code: string): void {
  expect(code).toMatch(/^LOCK_(?:DUPLICATE|EDITED)$/)
}

const slug = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const keys = fc.constantFrom('live', 'test', 'both' as const)
const step = fc.oneof(
  slug.map((name) => (team: Team) => team.publish(name)),
  slug.map((name) => (team: Team) => team.stage(name)),
  fc.tuple(slug, slug).map(
    ([from, to]) =>
      (team: Team) =>
        team.rename(from, to),
  ),
  slug.map((name) => (team: Team) => team.remove(name)),
  { weight: 3, arbitrary: keys.map((which) => (team: Team) => team.pull(which)) },
  fc.nat(9).map((at) => (team: Team) => team.hold(at)),
  { weight: 2, arbitrary: fc.constant((team: Team) => team.switch()) },
  { weight: 2, arbitrary: fc.constant((team: Team) => team.merge()) },
  fc.constant((team: Team) => team.revert()),
)

test('in any history of pulls, holds, merges and reverts, a lock has only what the service had for each part', async () => {
  const service = await testService([])
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const root = await temporaryFolder()
      const team = new Team(service, root)
      commitAll(root)
      await team.pull('both')
      // No revert removes the lock.
      commitAll(root)
      git(root, 'branch', 'feature')
      for (const act of steps) await act(team)
    }),
    sweep(60),
  )
})
