import { watch } from 'node:fs'
import { readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openProject } from '../../src/features/project/project.ts'
import { finished, runBinary as prompts, startBinary as start } from '../helpers/binary.ts'
import { filesIn } from '../helpers/cli.ts'
import { type PromptGiven, testService, type TestService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'
import { SEED, sweepRuns } from '../helpers/sweep.ts'
import { pull } from '../helpers/pull.ts'

/** A workspace that is large enough for a slow write of its lock. */
function workspace(version: string): PromptGiven[] {
  const system = `${version}: Sort {{ ticket }} by {{ queue }}.\n`.repeat(120)
  return Array.from({ length: 60 }, (_, index) => ({ slug: `p${index}`, version, system }))
}

/** The file that appears when a pull reaches a phase, and the maximum duration of that phase. */
const PARTS = {
  start: { sign: undefined, milliseconds: 500 },
  commit: { sign: /^\.prompts\.lock\.json\.pulling$/, milliseconds: 10 },
  'write of the lock': { sign: /^\.prompts\.lock\.json\..+\.tmp$/, milliseconds: 4 },
  'generation of the declarations': { sign: /^prompts\.lock\.json$/, milliseconds: 10 },
  'write of the map': { sign: /^\.prompts\.d\.ts\.map\..+\.tmp$/, milliseconds: 4 },
  'write of the declarations': { sign: /^\.prompts\.d\.ts\.prompts.+\.tmp$/, milliseconds: 4 },
} as const

/** A moment of a pull: so far into that part of it. */
interface Moment {
  readonly part: keyof typeof PARTS
  /** From 0 to 99. */
  readonly percent: number
}

/** Starts a pull and kills it at a moment, if it has not ended by then. */
async function killAt({ part, percent }: Moment, cwd: string, env: TestService['live']) {
  const { sign, milliseconds } = PARTS[part]
  const watcher = watch(cwd)
  const seen = new Promise<void>((resolve) => {
    if (sign === undefined) resolve()
    watcher.on('change', (_, name) => sign?.test(String(name)) === true && resolve())
  })
  const child = start(['pull', '--silent'], { cwd, env })
  const ended = await Promise.race([child.code.then(() => true), seen])
  if (ended === undefined) {
    const wait = Math.floor((percent / 100) * milliseconds)
    // A timer would round the shortest waits up to a millisecond.
    if (wait > 0) await delay(wait)
    child.kill('SIGKILL')
    await child.code
  }
  watcher.close()
}

/** A folder with both states of the workspace in turn, and what its files are in each. */
async function twoStates() {
  const service = await testService(workspace('v1'))
  const config = { 'prompts.config.mjs': 'export default { timeout: 600_000 }\n' }
  const cwd = await pinnedProject(service, config)
  const files = [await filesIn(cwd)]
  service.serve(...workspace('v2'))
  files.push(await filesIn(await pinnedProject(service, config)))
  const serve = (state: number): void => service.serve(...workspace(`v${state + 1}`))
  return { service, cwd, files, serve }
}

/** Many processes on a machine that may be busy: nothing here is about speed. */
const LONG_TIMEOUT = { timeout: 3_600_000 }

/** Two moments in ordinary runs, before the lock is written and after; more at night. */
const ROUNDS = sweepRuns(2)

function moments(): Moment[] {
  const parts = fc.constantFrom(...(Object.keys(PARTS) as Moment['part'][]))
  const moment = fc.noBias(fc.record({ part: parts, percent: fc.nat(99) }))
  const each: readonly Moment[] = [
    { part: 'start', percent: 50 },
    { part: 'generation of the declarations', percent: 0 },
  ]
  return [...each, ...fc.sample(moment, { numRuns: ROUNDS, seed: SEED })].slice(0, ROUNDS)
}

test(
  `killed at any of ${ROUNDS} moments, a pull leaves the old or the new lock, and the next one fixes the rest`,
  LONG_TIMEOUT,
  async () => {
    const { service, cwd, files, serve } = await twoStates()
    const left = { old: 0, new: 0 }
    for (const [round, given] of moments().entries()) {
      const [before, after] = round % 2 === 0 ? [0, 1] : [1, 0]
      serve(after)
      await killAt(given, cwd, service.live)
      const lock = await readFile(join(cwd, 'prompts.lock.json'), 'utf8')
      const context = `round ${round}, ${JSON.stringify(given)}, SWEEP_SEED=${SEED}`
      const locks = [files[before]?.['prompts.lock.json'], files[after]?.['prompts.lock.json']]
      expect({ context, isWhole: locks.includes(lock) }).toEqual({ context, isWhole: true })
      left[lock === locks[0] ? 'old' : 'new']++
      await pullAgain(cwd, service.live)
      expect({ context, files: await filesIn(cwd) }).toStrictEqual({ context, files: files[after] })
    }
    console.info(`Killed ${ROUNDS} pulls: ${JSON.stringify(left)}, SWEEP_SEED=${SEED}`)
    expect(Math.min(left.old, left.new)).toBeGreaterThan(0)
  },
)

/** In this process, which loads the compiler once, as if ten seconds had passed. */
async function pullAgain(root: string, processEnv: TestService['live']): Promise<void> {
  await utimes(join(root, '.prompts.lock.json.pulling'), 0, 0).catch(() => undefined)
  const settings = { root, mode: 'production', options: {}, processEnv, warn: () => undefined }
  await pull(await openProject(settings))
}

/** Eight at night, since each is a process that loads the compiler. */
test.each(ROUNDS > 2 ? [3, 8] : [3])(
  '%i concurrent pulls end with one complete lock',
  LONG_TIMEOUT,
  async (count) => {
    const { service, cwd, files, serve } = await twoStates()
    serve(1)
    const pulls = Array.from({ length: count }, () =>
      prompts(['pull', '--json'], { cwd, env: service.live }),
    )
    const runs = await Promise.all(pulls)
    // One writes. Who prepared before that is refused, and who prepared later finds no change.
    const outcomes = runs.map(({ stdout }) => {
      const { outcome, error } = JSON.parse(stdout) as {
        outcome?: string
        error?: { code: string }
      }
      return outcome ?? error?.code
    })
    expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(1)
    for (const outcome of outcomes) expect(outcome).toMatch(/^(?:written|unchanged|LOCK_CHANGED)$/)
    expect(await filesIn(cwd)).toStrictEqual(files[1])
  },
)

test(
  'if one of several pulls is killed, the others end, and the next one fixes the rest',
  LONG_TIMEOUT,
  async () => {
    const { service, cwd, files, serve } = await twoStates()
    serve(1)
    const watcher = watch(cwd)
    const commit = new Promise<void>((resolve) => {
      watcher.on('change', (_, name) => PARTS.commit.sign.test(String(name)) && resolve())
    })
    const children = Array.from({ length: 3 }, () => start(['pull'], { cwd, env: service.live }))
    const runs = children.map(finished)
    await commit
    watcher.close()
    const pid = await readFile(join(cwd, '.prompts.lock.json.pulling'), 'utf8').catch(() => '')
    const holder = children.find((child) => child.pid === Number.parseInt(pid, 10)) ?? children[0]
    holder?.kill('SIGKILL')
    // Who prepared before another one committed is refused with 1.
    for (const { code } of await Promise.all(runs)) expect([0, 1, null]).toContain(code)
    await pullAgain(cwd, service.live)
    expect(await filesIn(cwd)).toStrictEqual(files[1])
  },
)
