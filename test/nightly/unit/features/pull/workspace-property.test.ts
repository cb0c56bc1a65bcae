import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChanges } from '../../../../../src/core/compare.ts'
import { printFields, printLock } from '../../../../../src/core/lock/print-lock.ts'
import {
  type Environment,
  indexParts,
  type Lock,
  partKey,
  type PinnedPrompt,
  sortParts,
} from '../../../../../src/core/prompt.ts'
import { holdParts, releaseParts } from '../../../../../src/features/hold/hold.ts'
import { openProject, type Project } from '../../../../../src/features/project/project.ts'
import { sha256 } from '../../../../../src/fs/files.ts'
import { testService } from '../../../../helpers/local-service.ts'
import { lockOf, pinned } from '../../../../helpers/pinned.ts'
import { pull } from '../../../../helpers/pull.ts'
import { rejection } from '../../../../helpers/service-client.ts'
import { sweep } from '../../../../helpers/sweep.ts'
import { temporaryFolder } from '../../../../helpers/temporary-folder.ts'

const SLUGS = ['a', 'b', 'c']
type Keys = 'both' | 'live' | 'test'

/** A version is a label and a text: a draft may be rewritten under its label. */
interface Version {
  readonly version: string
  readonly system: string
}

/** What the service has of a prompt. */
interface Prompt {
  readonly live: Version
  readonly staging: Version | undefined
}

type Workspace = Map<string, Prompt>

/** What an author does with a prompt. */
const AUTHOR = ['edit', 'rewrite', 'publish', 'discard', 'remove', 'add'] as const
type Action = (typeof AUTHOR)[number]

let count = 0
const newVersion = (): Version => ({ version: `v${++count}`, system: `Text ${count}` })

function author(workspace: Workspace, action: Action, slug: string): void {
  const prompt = workspace.get(slug)
  if (prompt === undefined) {
    if (action === 'add') workspace.set(slug, { live: newVersion(), staging: undefined })
    return
  }
  const { live, staging } = prompt
  if (action === 'edit') workspace.set(slug, { live, staging: newVersion() })
  if (action === 'rewrite' && staging)
    workspace.set(slug, { live, staging: { ...staging, system: newVersion().system } })
  if (action === 'publish' && staging) workspace.set(slug, { live: staging, staging: undefined })
  if (action === 'discard') workspace.set(slug, { live, staging: undefined })
  if (action === 'remove') workspace.delete(slug)
}

const slug = fc.constantFrom(...SLUGS)
const keys = fc.constantFrom<Keys>('both', 'live', 'test')
const edit = fc.record({ kind: fc.constant('author'), action: fc.constantFrom(...AUTHOR), slug })
const actions = fc.constantFrom<readonly Action[]>(
  ['edit'],
  ['edit', 'publish'],
  ['edit', 'publish', 'edit'],
  ['rewrite'],
  ['discard'],
  ['remove'],
)
const step = fc.oneof(
  { weight: 4, arbitrary: edit },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pull'), keys, changed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('hold', 'release'),
      slug,
      environment: fc.constantFrom('live', 'test'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('merge'),
      slug,
      // What an author does before each of the three pulls.
      actions: fc.tuple(actions, actions, actions),
      ours: keys,
      theirs: keys,
      keys,
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Whether a part can be read, and what the service has for it. */
function served(
  prompt: Prompt | undefined,
  environment: Environment,
  has: Keys,
): { readonly version: Version | undefined; readonly isReadable: boolean } {
  if (environment === 'test') return { version: prompt?.staging, isReadable: has !== 'live' }
  return { version: prompt?.live, isReadable: has !== 'test' || prompt?.staging === undefined }
}

/** The table of keys, written once more: the parts that a pull leaves. */
function expectedParts(old: Lock, workspace: Workspace, has: Keys): PinnedPrompt[] {
  const before = indexParts(old.parts)
  return SLUGS.flatMap((name) => {
    const prompt = workspace.get(name)
    const next = (environment: Environment): PinnedPrompt | undefined => {
      const part = before.get(partKey({ slug: name, environment }))
      if (part?.held) return part
      if (prompt === undefined) return undefined
      const { version, isReadable } = served(prompt, environment, has)
      if (version === undefined) return liveLabel() === prompt.live.version ? undefined : part
      return isReadable ? pinned({ slug: name, environment, ...version }) : part
    }
    const liveLabel = (): string | undefined => next('live')?.version
    return [next('live'), next('test')].filter((part) => part !== undefined)
  })
}

/** A merge, written once more: the parts of both sides, and what of a conflict is settled. */
function expectedMerge(
  [base, ours, theirs]: readonly [Lock, Lock, Lock],
  workspace: Workspace,
  has: Keys,
): PinnedPrompt[] | 'a key is missing' {
  const sides = [base, ours, theirs].map(({ parts }) => indexParts(parts))
  const print = (part: PinnedPrompt | undefined): string =>
    part ? part.environment + part.slug + printFields(part) : ''
  const parts: PinnedPrompt[] = []
  for (const name of SLUGS)
    for (const environment of ['live', 'test'] as const) {
      const [was, one, other] = sides.map((side) => side.get(partKey({ slug: name, environment })))
      const { version, isReadable } = served(workspace.get(name), environment, has)
      const take = (part: PinnedPrompt | undefined): unknown => part && parts.push(part)
      if (print(one) === print(other) || print(other) === print(was)) take(one)
      else if (print(one) === print(was)) take(other)
      else if (!workspace.has(name)) continue
      else if (isReadable) take(version && pinned({ slug: name, environment, ...version }))
      else {
        const side = [one, other].find((part) => part?.version === version?.version)
        if (side === undefined && environment === 'live') return 'a key is missing'
        take(side)
      }
    }
  return sortParts(parts)
}

test('after any edits, publications, holds, merges and pulls, the lock is what the table of keys says', async () => {
  const service = await testService([])
  const root = await temporaryFolder()
  const path = join(root, 'prompts.lock.json')
  const open = (has: Keys): Promise<Project> =>
    openProject({
      root,
      mode: 'production',
      options: { dts: false },
      processEnv: service[has],
      warn: () => undefined,
    })
  const projects = { both: await open('both'), live: await open('live'), test: await open('test') }
  const write = (lock: Lock): Promise<void> => writeFile(path, printLock(lock, sha256))
  const workspace: Workspace = new Map()
  const serve = (): void =>
    service.serve(
      ...[...workspace].map(([name, { live, staging }]) => ({
        slug: name,
        ...live,
        ...(staging && { staging }),
      })),
    )

  /** Pulls, compares the lock with the table, and pulls again, which changes nothing. */
  async function pullAs(has: Keys, old: Lock | undefined, changed: boolean): Promise<Lock> {
    serve()
    const request = { allowReplace: true, changed }
    const draft = await pull(projects[has], request)
    const before = old ?? lockOf({ environment: 'test' })
    const environment = has === 'test' ? before.environment : 'live'
    const want = { environment, parts: expectedParts(before, workspace, has) }
    expect(await projects[has].lock.read()).toEqual(want)
    expect(applyChanges(before, draft.changes).parts).toEqual(want.parts)
    const again = await pull(projects[has], request)
    expect([again.outcome, again.changes]).toEqual(['unchanged', []])
    return want
  }

  async function mergeAs(
    base: Lock,
    merge: Extract<Step, { readonly theirs: Keys }>,
  ): Promise<Lock> {
    const act = (turn: 0 | 1 | 2): void =>
      merge.actions[turn].forEach((action) => author(workspace, action, merge.slug))
    act(0)
    const ours = await pullAs(merge.ours, base, false)
    act(1)
    await write(base)
    const theirs = await pullAs(merge.theirs, base, false)
    act(2)
    serve()
    const [one, was, other] = [ours, base, theirs].map((lock) => printLock(lock, sha256))
    await writeFile(path, `<<<<<<< HEAD\n${one}||||||| base\n${was}=======\n${other}>>>>>>> main\n`)
    const sides = [base, ours, theirs] as const
    const request = { allowReplace: true }
    const want = expectedMerge(sides, workspace, merge.keys)
    if (want !== 'a key is missing') {
      const { lock } = await pull(projects[merge.keys], request)
      expect(lock.parts).toEqual(want)
      return lock
    }
    const error = await rejection(pull(projects[merge.keys], request))
    expect(error).toMatchObject({ code: 'KEY_MISSING' })
    const { lock } = await pull(projects.both, request)
    expect(lock.parts).toEqual(expectedMerge(sides, workspace, 'both'))
    return lock
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      workspace.clear()
      for (const name of SLUGS) author(workspace, 'add', name)
      await write(lockOf({ environment: 'test' }))
      let lock = await pullAs('live', undefined, false)
      for (const one of steps) {
        if ('action' in one) author(workspace, one.action, one.slug)
        else if ('theirs' in one) lock = await mergeAs(lock, one)
        else if ('keys' in one) lock = await pullAs(one.keys, lock, one.changed)
        else if (lock.parts.some((part) => partKey(part) === partKey(one))) {
          const change = one.kind === 'hold' ? holdParts : releaseParts
          lock = change(lock, [one.slug], one.environment, '')
          await write(lock)
          lock = (await projects.both.lock.read()) ?? lock
        }
      }
    }),
    sweep(30),
  )
})
