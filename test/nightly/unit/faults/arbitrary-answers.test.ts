import { readFile, writeFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPromptsError } from '../../../../src/errors/prompts-error.ts'
import { hostileText } from '../../../helpers/hostile.ts'
import { startLocalServer } from '../../../helpers/local-server.ts'
import { liveLock, lockText } from '../../../helpers/pinned.ts'
import { openTestProject } from '../../../helpers/project.ts'
import { pull } from '../../../helpers/pull.ts'
import { listed, outcome, served, stopTime } from '../../../helpers/service-client.ts'
import { sweep } from '../../../helpers/sweep.ts'

/** Any JSON value, and the names and values that break what is not careful. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  hostileText,
  fc.constantFrom(null, [], {}, '', -0, '__proto__', 'svc_live_0123456789abcdef', '\ud800'),
)

/** Anything that is JSON, also with a key that assignments would take for the prototype. */
const anything = fc.oneof(
  value,
  fc.dictionary(fc.oneof(hostileText, fc.constant('__proto__')), value),
)

/** An answer of the right shape with some fields replaced, left out or added. */
function bent(whole: object): fc.Arbitrary<unknown> {
  const names = fc.constantFrom(...Object.keys(whole), 'next', '__proto__', 'toJSON')
  const change = fc.tuple(names, fc.option(value, { nil: undefined }))
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => ({ ...whole, ...Object.fromEntries(changes) }))
}

const rows = fc.array(bent(listed.prompts[0] ?? {}), { maxLength: 3 })
const lists = fc.oneof(
  anything,
  bent(listed),
  rows.map((prompts) => ({ ...listed, prompts })),
)
const prompts = fc.oneof(anything, bent(served))

/** The bytes of a body: JSON, JSON that is cut, or anything. */
function bodies(json: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const whole = json.map((each) => Buffer.from(JSON.stringify(each) ?? ''))
  const cut = fc
    .tuple(whole, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([bytes, part]) => bytes.subarray(0, Math.floor(bytes.length * part)))
  return fc.oneof(
    { arbitrary: whole, weight: 4 },
    cut,
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
}

/** The answers of the service. Either the list or a prompt after a valid list is arbitrary. */
const answers = fc.oneof(
  bodies(lists).map((list) => ({ list, prompt: Buffer.from(JSON.stringify(served)) })),
  bodies(prompts).map((prompt) => ({ list: Buffer.from(JSON.stringify(listed)), prompt })),
)

test('arbitrary answers never crash a pull, and what is refused writes nothing', async () => {
  let given: { list: Buffer; prompt: Buffer } = { list: Buffer.alloc(0), prompt: Buffer.alloc(0) }
  const url = await startLocalServer(({ url: path }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(path === '/api/v1/prompts' ? given.list : given.prompt)
  })
  stopTime()
  const { project } = await openTestProject({
    options: { baseUrl: url, apiKey: 'svc_live_local', timeout: 30_000, dts: false },
  })
  const { lock } = project
  const before = lockText(liveLock({ slug: 'before' }))
  const tally = { written: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(answers, async (next) => {
      given = next
      await writeFile(lock.path, before)
      const end = await outcome(pull(project))
      if (!(end instanceof Error)) {
        tally.written++
        expect(await lock.read()).toMatchObject({ parts: [{ slug: 'support-triage' }] })
        return
      }
      tally.refused++
      expect(isPromptsError(end) ? end.code : end).toMatch(/^[A-Z]/)
      expect(await readFile(lock.path, 'utf8')).toBe(before)
    }),
    sweep(50),
  )
  // Both ends are reached, or the property would hold for nothing.
  expect(Math.min(tally.written, tally.refused)).toBeGreaterThan(0)
})
