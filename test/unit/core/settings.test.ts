import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseLock } from '../../../src/core/lock/parse-lock.ts'
import { LOCK_VERSION, printLock } from '../../../src/core/lock/print-lock.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { lockOf, pinned } from '../../helpers/pinned.ts'
import { workspaceYaml } from '../../helpers/workspace-yaml.ts'

const LOCK = lockOf({ live: [{ slug: 'a' }, { slug: 'b' }], staging: [{ slug: 'b' }] })
const FIRST = printLock(LOCK, sha256)

/** A later version of this package, whose table of settings has one row more. */
async function loadLater() {
  vi.resetModules()
  const { finiteNumber } = await import('../../../src/core/schema.ts')
  const { SETTINGS } = await import('../../../src/core/settings.ts')
  const another = { schema: () => finiteNumber, missing: null, since: LOCK_VERSION + 1 }
  Object.assign(SETTINGS, { another })
  return {
    ...(await import('../../../src/core/lock/parse-lock.ts')),
    ...(await import('../../../src/core/lock/print-lock.ts')),
    ...(await import('../../../src/service/wire.ts')),
    ...(await import('../../../src/local-service/workspace.ts')),
  }
}

describe('a setting that a later version of the lock has', () => {
  let later: Awaited<ReturnType<typeof loadLater>>
  beforeAll(async () => void (later = await loadLater()))
  afterAll(() => void vi.resetModules())

  const withAnother = (another: number | null) => {
    return { ...LOCK, parts: LOCK.parts.map((part) => ({ ...part, another })) }
  }

  test('it is printed, hashed and read back without a line of its own anywhere else', () => {
    const text = later.printLock(withAnother(0.5), sha256)
    expect(text).toContain(`"lockVersion": ${LOCK_VERSION + 1},`)
    expect(text.match(/"another": 0.5,\n +"system"/g)).toHaveLength(3)
    for (const form of [text, text.replaceAll('  ', '\t')])
      expect(later.parseLock(form, sha256)).toMatchObject({ lock: withAnother(0.5) })
    const edited = later.parseLock(text.replace('"another": 0.5', '"another": 0.6'), sha256)
    expect(edited).toMatchObject({ fault: { code: 'LOCK_EDITED', details: { slugs: ['a'] } } })
  })

  test.each([
    ['as printed', FIRST],
    ['formatted', FIRST.replaceAll('  ', '\t')],
  ])('an earlier lock, %s, is read, and written in the newest form', (_, text) => {
    const parsed = later.parseLock(text, sha256)
    expect(parsed).toMatchObject({ kind: 'lock', lock: withAnother(null) })
    if (parsed.kind === 'lock')
      expect(later.printLock(parsed.lock, sha256)).toBe(later.printLock(withAnother(null), sha256))
  })

  test.each([
    ['a text', '"Be kind."', '"Be rude."', 'LOCK_EDITED'],
    ['the setting of a later one', '"system"', '"another": 1,\n$&', 'LOCK_INVALID'],
    ['another form', '"gpt-5"', '"gpt\\u002d5"', 'LOCK_INVALID'],
  ])('an earlier lock is refused that was edited to have %s', (_, from, to, code) => {
    const text = FIRST.replace(new RegExp(from), to)
    expect(text).not.toBe(FIRST)
    expect(later.parseLock(text, sha256)).toMatchObject({ fault: { code } })
  })

  test('the present package refuses the later lock', () => {
    expect(parseLock(later.printLock(withAnother(1), sha256), sha256)).toMatchObject({
      fault: {
        code: 'LOCK_TOO_NEW',
        details: { found: `${LOCK_VERSION + 1}`, known: LOCK_VERSION },
      },
    })
  })

  test.each([
    ['it is what the service says', { another: 0.5 }, 0.5],
    ['it is null where the service says nothing', {}, null],
  ])('%s', (_, given, another) => {
    const { system: systemSource, user: userSource, ...prompt } = pinned()
    const answer = { ...prompt, systemSource, userSource, ...given }
    const response = {
      status: 200,
      header: () => undefined,
      body: Buffer.from(JSON.stringify(answer)),
    }
    const request = { url: 'http://x', path: '/', mask: String, timeout: 1, attempts: 1 }
    expect(later.readPrompt(response as never, request as never, prompt)).toMatchObject({ another })
    expect(later.readCustomPrompt(answer, prompt, String)).toMatchObject({ another })
    const line = another === null ? '' : `another: ${another}`
    const workspace = later.parseWorkspace(workspaceYaml({ another: line }), 'w.yaml')
    expect(workspace.prompts.get('a')?.live).toMatchObject({ another })
  })
})
