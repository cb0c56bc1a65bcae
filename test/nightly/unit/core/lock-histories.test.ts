import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeRows, skippedRow } from '../../../../src/core/change-row.ts'
import { riskyChanges } from '../../../../src/core/classify-change.ts'
import { compareLocks } from '../../../../src/core/compare.ts'
import { lockBefore } from '../../../../src/core/lock/former-lock.ts'
import { parseLock } from '../../../../src/core/lock/parse-lock.ts'
import {
  indexParts,
  type Lock,
  type PartId,
  partKey,
  type PinnedPrompt,
} from '../../../../src/core/prompt.ts'
import type { ListedPart, PromptService, PromptSummary } from '../../../../src/core/service.ts'
import { isPromptsError, type PromptsError } from '../../../../src/errors/prompts-error.ts'
import { holdParts } from '../../../../src/plan/hold.ts'
import { openProject, type Project } from '../../../../src/features/project/project.ts'
import { changesOf, leave, type Plan } from '../../../../src/plan/plan.ts'
import { preparePull, type PullReport } from '../../../../src/plan/pull.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { commitAll, git } from '../../../helpers/git-repository.ts'
import { pinned } from '../../../helpers/pinned.ts'
import { sweep } from '../../../helpers/sweep.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const LOCK = 'prompts.lock.json'

/** A version of the service. */
interface Served {
  readonly version: string
  readonly system: string
  /** Whether it does not fit, and is refused. */
  readonly isMisfit?: boolean
}

type Keys = 'live' | 'test' | 'both'

interface Pulled {
  readonly plan: Plan
  readonly report: PullReport
}

/** Who decides about a pull: a person who takes or leaves everything that can break code, or nobody. */
type Answer = 'takes' | 'leaves' | 'nobody'

/** A team: a service, and a repository with two branches that pull from it. */
class Team {
  readonly #root: string
  readonly #prompts = new Map<string, { live: Served; staging?: Served }>()
  /** Every text that the service ever had for a part. */
  readonly #texts = new Set<string>()
  /** Every text that the lock ever had. */
  readonly #locks: string[] = []
  #count = 0

  constructor(root: string) {
    this.#root = root
    for (const slug of ['b', 'd', 'f']) this.publish(slug)
  }

  get branch(): string {
    return git(this.#root, 'branch', '--show-current').trim()
  }

  publish(slug: string): void {
    this.#prompts.set(slug, { live: this.#next(slug, 'live') })
  }

  stage(slug: string): void {
    const prompt = this.#prompts.get(slug)
    if (prompt) this.#prompts.set(slug, { ...prompt, staging: this.#next(slug, 'test') })
  }

  /** The versions of a prompt do not fit, until there are others. */
  refuse(slug: string): void {
    const { live, staging } = this.#prompts.get(slug) ?? {}
    if (live === undefined) return
    const misfits = { live: { ...live, isMisfit: true } }
    this.#prompts.set(slug, {
      ...misfits,
      ...(staging && { staging: { ...staging, isMisfit: true } }),
    })
  }

  /** The texts stay, as in a service. */
  rename(from: string, to: string): void {
    const prompt = this.#prompts.get(from)
    if (prompt === undefined || this.#prompts.has(to)) return
    this.#prompts.delete(from)
    this.#prompts.set(to, prompt)
    this.#texts.add(`live ${to} ${prompt.live.system}`)
    if (prompt.staging) this.#texts.add(`test ${to} ${prompt.staging.system}`)
  }

  remove(slug: string): void {
    if (this.#prompts.size > 2) this.#prompts.delete(slug)
  }

  #next(slug: string, environment: string): Served {
    const number = ++this.#count
    const system = `Text ${number}.\nOf {{ ${slug}${number % 3} }}.`
    this.#texts.add(`${environment} ${slug} ${system}`)
    // What is published next has the text of the draft.
    if (environment === 'test') this.#texts.add(`live ${slug} ${system}`)
    return { version: `v${number}`, system }
  }

  /** The service, as these keys read it. */
  #service(keys: Keys): PromptService {
    const list = async () => ({
      planStatus: 'active',
      prompts: [...this.#prompts].map(([slug, { live, staging }]): PromptSummary => {
        const versions = { liveVersion: live.version, stagingVersion: staging?.version ?? null }
        return { slug, folder: 'f', model: 'm', ...versions }
      }),
    })
    const get = async ({ slug, environment }: ListedPart) => {
      const { live, staging } = this.#prompts.get(slug) ?? {}
      const served = environment === 'live' ? live : staging
      if (served === undefined) return undefined
      const { version, system, isMisfit } = served
      if (isMisfit) return { refused: 'it has three messages' }
      return pinned({ slug, environment, version, system, folder: 'f', model: 'm' })
    }
    const live = keys === 'test' ? 'unstaged' : 'all'
    return { readable: { live, staging: keys !== 'live' }, list, get }
  }

  /**
   * Pulls, and checks what must hold after any pull.
   *
   * @param head - what our branch had. Default: its last commit
   */
  async pull(keys: Keys, answer: Answer, head: Lock = this.#lockAt('HEAD')): Promise<void> {
    const project = await this.#open()
    const before = await this.#text()
    const old = parseLock(before, sha256)
    try {
      const { plan, report } = await this.#prepare(project, keys, answer)
      const chosen = answer === 'takes' ? plan : leaveRisky(plan)
      await project.commit(chosen)
      const lock = await project.readLock()
      const listed = this.#listed()
      assertServed(lock, this.#texts, answer === 'takes' ? undefined : head)
      assertNothingGone(head, lock, { plan, report }, listed)
      if (plan.before.kind === 'whole') assertHeld(plan.before.parts, lock)
      if (answer === 'nobody') assertNothingRisky(old.kind === 'lock' ? old.lock : head, lock)
    } catch (error) {
      if (!isPromptsError(error)) throw error
      assertRefusal(error, (await this.#text()) === before)
      // A person takes one side, which had been committed, and so ends a merge.
      git(this.#root, 'checkout', 'HEAD', '--', LOCK)
      commitAll(this.#root)
      return
    }
    if (old.kind === 'lock' && answer === 'takes') {
      const again = await this.#prepare(project, keys, answer)
      const written = await project.commit(again.plan)
      assertSettled({ changes: changesOf(again.plan), written })
    }
    this.#locks.push(await this.#text())
    commitAll(this.#root)
  }

  #prepare(project: Project, keys: Keys, answer: Answer): Promise<Pulled> {
    const request = { allowReplace: true, repairs: answer !== 'nobody' }
    return preparePull(this.#service(keys), project.lock, project.options, request)
  }

  /** The keys of all parts that the service has. */
  #listed(): Set<string> {
    return new Set(
      [...this.#prompts].flatMap(([slug, { staging }]) => [
        partKey({ slug, environment: 'live' }),
        ...(staging ? [partKey({ slug, environment: 'test' })] : []),
      ]),
    )
  }

  async hold(at: number): Promise<void> {
    const project = await this.#open()
    const shown = await project.show()
    const { parts } = shown.after
    const part = parts[at % parts.length]
    if (part === undefined || part.held !== undefined) return
    const lock = holdParts(shown.after, [part.slug], part.environment, `Reason ${at}`)
    await project.commit(await project.edit(shown, lock))
    this.#locks.push(await this.#text())
    commitAll(this.#root)
  }

  /** Damages the lock, and pulls over it. */
  async damage(how: Damage, at: number, keys: Keys, answer: Answer): Promise<void> {
    const others = this.#locks.slice(-9)
    await this.#rewrite((text) => how(text, at, others))
    await this.pull(keys, answer)
  }

  switch(): void {
    git(this.#root, 'switch', '--quiet', this.branch === 'main' ? 'feature' : 'main')
  }

  /**
   * Merges the other branch. What git leaves without a conflict is a lock, or has a prompt twice.
   *
   * @param how - what somebody does to the lock in conflict. Default: nothing
   */
  async merge(answer: Answer, how?: Damage, at: number = 0): Promise<void> {
    const other = this.branch === 'main' ? 'feature' : 'main'
    try {
      git(this.#root, 'merge', '--quiet', '--no-edit', other)
    } catch {
      if (how) await this.#rewrite((text) => how(text, at, this.#locks.slice(-9)))
      return this.pull('both', answer)
    }
    const parsed = parseLock(await this.#text(), sha256)
    if (parsed.kind === 'lock') return undefined
    assertRepairable(parsed.fault.code)
    // The merge is a commit already, which has what the other branch took, and lacks what it removed.
    git(this.#root, 'reset', '--quiet', '--soft', 'HEAD~1')
    const base = git(this.#root, 'merge-base', 'HEAD', other).trim()
    const head = withoutRemoved(this.#lockAt('HEAD'), this.#lockAt(base), this.#lockAt(other))
    return this.pull('both', answer === 'nobody' ? 'leaves' : answer, head)
  }

  revert(): void {
    try {
      git(this.#root, 'revert', '--no-edit', 'HEAD')
    } catch {
      git(this.#root, 'reset', '--hard', '--quiet', 'HEAD')
    }
  }

  async #text(): Promise<string> {
    return readFile(join(this.#root, LOCK), 'utf8').catch(() => '')
  }

  async #rewrite(change: (text: string) => string): Promise<void> {
    await writeFile(join(this.#root, LOCK), change(await this.#text()))
  }

  #lockAt(commit: string): Lock {
    try {
      const parsed = parseLock(git(this.#root, 'show', `${commit}:${LOCK}`), sha256)
      return parsed.kind === 'lock' ? parsed.lock : { parts: [] }
    } catch {
      return { parts: [] }
    }
  }

  #open(): Promise<Project> {
    return openProject({
      root: this.#root,
      mode: 'production',
      options: { dts: false, environment: 'live' },
      processEnv: {},
      warn: () => undefined,
    })
  }
}

/** Our lock without the parts that only the other branch changed, and removed: a row said so there. */
function withoutRemoved(ours: Lock, base: Lock, theirs: Lock): Lock {
  const [old, other] = [indexParts(base.parts), indexParts(theirs.parts)]
  const isRemoved = (part: PinnedPrompt): boolean =>
    !other.has(partKey(part)) && isDeepStrictEqual(old.get(partKey(part)), part)
  return { parts: ours.parts.filter((part) => !isRemoved(part)) }
}

/** Leaves every change that can break code, also one that only another one's absence makes one. */
function leaveRisky(plan: Plan): Plan {
  const risky = indexParts(riskyChanges(changesOf(plan)))
  const rows = changeRows(changesOf(plan)).filter((row) => risky.has(partKey(row)))
  if (rows.length === 0) return plan
  const next = leave(
    plan,
    rows.map(({ change }) => skippedRow(change, 'left')),
  )
  // What is left as pinned is there afterwards.
  const [old, now] = [indexParts(lockBefore(plan.before).parts), indexParts(next.after.parts)]
  for (const row of rows) {
    const part = old.get(partKey(row))
    if (part) expect(now.get(partKey(row))).toEqual(part)
  }
  return leaveRisky(next)
}

function assertRefusal({ code, fix }: PromptsError, isUnchanged: boolean): void {
  expect(code).toMatch(/^(?:KEY_MISSING|PART_LOST|LOCK_(?!CHANGED|BUSY).*)$/)
  expect(fix).not.toContain('delete')
  expect(isUnchanged).toBe(true)
}

/** @param former - what may be left as it was */
function assertServed({ parts }: Lock, texts: ReadonlySet<string>, former?: Lock): void {
  const old = indexParts(former?.parts ?? [])
  for (const part of parts) {
    const { held, environment, slug: name, system } = part
    if (held !== undefined || old.get(partKey(part))?.system === system) continue
    expect(texts).toContain(`${environment} ${name} ${system}`)
  }
}

/** No part that our branch had is gone unless a row said so, or it was lost and the service has none. */
function assertNothingGone(
  head: Lock,
  lock: Lock,
  { plan, report }: Pulled,
  listed: ReadonlySet<string>,
): void {
  const now = indexParts(lock.parts)
  const gone = head.parts.filter((part) => !now.has(partKey(part)))
  const { before } = plan
  const lost = indexParts<PartId>(before.kind === 'damaged' ? before.lost : [])
  const changes = changesOf(plan)
  const isSaid = (part: PinnedPrompt): boolean =>
    changes.some(
      (row) => partKey(row) === partKey(part) || (row.kind === 'removed' && row.slug === part.slug),
    ) ||
    report.kept.some((one) => one.reason === 'dropped' && partKey(one) === partKey(part)) ||
    (lost.has(partKey(part)) && !listed.has(partKey(part)))
  expect(gone.filter((part) => !isSaid(part))).toEqual([])
  // What is lost and can't be read stops the pull. A staging part that equals the live one goes by itself.
  const unread = gone.filter((part) => lost.has(partKey(part)) && listed.has(partKey(part)))
  expect(unread.filter(({ environment }) => environment === 'live')).toEqual([])
}

function assertNothingRisky(head: Lock, lock: Lock): void {
  expect(riskyChanges(compareLocks(head, lock))).toEqual([])
}

/** Also one that only the other side of a merge has. */
function assertHeld(before: readonly PinnedPrompt[], { parts }: Lock): void {
  for (const part of before) if (part.held !== undefined) expect(parts).toContainEqual(part)
}

function assertSettled(second: object): void {
  expect(second).toEqual({ changes: [], written: [] })
}

function assertRepairable(code: string): void {
  expect(code).toMatch(/^LOCK_(?:DUPLICATE|EDITED)$/)
}

/** Changes the text of a lock, at any place. */
type Damage = (text: string, at: number, others: readonly string[]) => string

function changeLine(change: (line: string, at: number) => readonly string[]): Damage {
  return (text, at) => {
    const lines = text.split('\n')
    const index = at % lines.length
    return lines.toSpliced(index, 1, ...change(lines[index] ?? '', at)).join('\n')
  }
}

/** The n-th of what matches, in another form. */
function changeMatch(pattern: RegExp, replacement: string): Damage {
  return (text, at) => {
    const { length } = [...text.matchAll(pattern)]
    let left = length === 0 ? -1 : at % length
    return text.replaceAll(pattern, (match) => (left-- === 0 ? replacement : match))
  }
}

const ENTRY = / {4}\{\n {6}"slug"[^]*?\n {4}\}/g

/** Puts an entry behind another one that the lock had at some time, of a prompt that it has. */
const addEntry: Damage = (text, at, others) => {
  const entries = others
    .flatMap((other) => other.match(ENTRY) ?? [])
    .filter((entry) => text.includes(/"slug": "\w"/.exec(entry)?.[0] ?? entry))
  const entry = entries[at % entries.length]
  const places = [...text.matchAll(/\n {4}\}(?=,?\n)/g)].map(
    ({ index }) => index + '\n    }'.length,
  )
  const place = places[at % places.length]
  if (entry === undefined || place === undefined) return text
  return `${text.slice(0, place)},\n${entry}${text.slice(place)}`
}

const DAMAGES: readonly Damage[] = [
  (text, at) => text.slice(0, at % text.length),
  (text, at) => text.slice(0, -(at % 200)),
  changeLine(() => []),
  changeLine((line) => [line, line]),
  changeLine((line) => ['<<<<<<< HEAD', line]),
  changeLine((line) => [line, '=======']),
  changeLine((line) => ['>>>>>>> main', line]),
  changeLine((line) => [line.replace('"', '')]),
  changeLine((line) => [line.replace(/,$/, '')]),
  changeLine((line) => [line.replace(/[{}]/, '')]),
  changeMatch(/Text /g, 'Words '),
  changeMatch(/"v\d+"/g, '"v0"'),
  changeMatch(/"Reason \d+"/g, '"Other"'),
  changeMatch(/"slug": "\w"/g, '"slug": "a"'),
  changeMatch(/ {4}\},?\n/g, ''),
  addEntry,
  (text, at, others) => addEntry(addEntry(text, at, others), at + 1, others),
  // As with `merge=union`, or with all markers deleted by hand.
  (text) => text.replaceAll(/^(?:<{7}|={7}|>{7}).*\n/gm, ''),
  (text) => text.replaceAll(/^(?:<{7}|>{7}).*\n/gm, ''),
  (text) => text.replaceAll(/\n\s*/g, ''),
  () => '',
  () => '{}',
]

const slug = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const keys = fc.constantFrom('live', 'test', 'both' as const)
const answer = fc.constantFrom('takes', 'leaves', 'nobody' as const)
const damage = fc.constantFrom(...DAMAGES)
const step = fc.oneof(
  slug.map((name) => (team: Team) => team.publish(name)),
  slug.map((name) => (team: Team) => team.stage(name)),
  slug.map((name) => (team: Team) => team.refuse(name)),
  fc.tuple(slug, slug).map(
    ([from, to]) =>
      (team: Team) =>
        team.rename(from, to),
  ),
  slug.map((name) => (team: Team) => team.remove(name)),
  {
    weight: 3,
    arbitrary: fc.tuple(keys, answer).map((pull) => (team: Team) => team.pull(...pull)),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(damage, fc.nat(9_999), keys, answer)
      .map((given) => (team: Team) => team.damage(...given)),
  },
  fc.nat(9).map((at) => (team: Team) => team.hold(at)),
  { weight: 2, arbitrary: fc.constant((team: Team) => team.switch()) },
  { weight: 2, arbitrary: answer.map((by) => (team: Team) => team.merge(by)) },
  fc.tuple(answer, damage, fc.nat(9_999)).map((given) => (team: Team) => team.merge(...given)),
  fc.constant((team: Team) => team.revert()),
)

test('in any history of pulls, holds, merges, reverts and damages, no part is gone that no row named, and nothing that can break code is written without an answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const root = await temporaryFolder()
      const team = new Team(root)
      commitAll(root)
      await team.pull('both', 'takes')
      // No revert removes the lock.
      commitAll(root)
      git(root, 'branch', 'feature')
      for (const act of steps) await act(team)
    }),
    sweep(60),
  )
})
