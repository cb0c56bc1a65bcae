import { spawnSync } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Run } from '../helpers/binary.ts'
import { type AppGiven, installedApp, NODE, runNode } from '../helpers/installed-app.ts'
import { testService } from '../helpers/local-service.ts'
import { liveLock, lockOf, lockText } from '../helpers/pinned.ts'
import { UNCALLED } from '../helpers/custom-service.ts'

const LOCK = liveLock(
  { slug: 'plain' },
  { slug: 'support-triage', user: 'Ticket: {{ ticket }}', version: 'v7' },
)
const REGISTER = ['--import', 'unplugin-prompts/register']

/** Whether the Node under test runs TypeScript. */
const { stdout: typescript } = spawnSync(NODE, ['-p', 'process.features.typescript'])

interface AppRun extends Run {
  readonly root: string
}

/** Runs `app.js`, or another file, of an app with the hooks registered. */
async function run(
  code: string,
  {
    file = 'app.js',
    env,
    ...given
  }: Partial<AppGiven> & { file?: string; env?: Record<string, string> } = {},
): Promise<AppRun> {
  const root = await installedApp({ lock: LOCK, ...given, files: { [file]: code, ...given.files } })
  return { root, ...(await runNode([...REGISTER, file], root, env)) }
}

/** What a program that must succeed said, and nothing on standard error. */
async function said(...args: Parameters<typeof run>): Promise<unknown> {
  const { stdout, stderr, code } = await run(...args)
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return JSON.parse(stdout)
}

const SAY = (value: string): string => `console.log(JSON.stringify(${value}))\n`
const IMPORT = `import { prompts } from 'virtual:prompts'\n`

describe('node --import unplugin-prompts/register', () => {
  test('serves the lock without a key, a network or a call of a custom service', async () => {
    const deny = `import { Socket } from 'node:net'
Socket.prototype.connect = () => process.exit(1)`
    const code = `${IMPORT}${SAY(`prompts.supportTriage.render({ ticket: 'Help' }).text`)}`
    const files = { 'prompts.config.mjs': UNCALLED, 'deny.mjs': deny }
    const env = { NODE_OPTIONS: '--import=./deny.mjs' }
    expect(await said(code, { files, env })).toBe('Be kind.\n\nTicket: Help')
  })

  test('serves all prompts of large locks, live and staging', async () => {
    const slugs = Array.from({ length: 120 }, (_, index) => `p${index}`)
    const live = slugs.map((slug) => ({ slug }))
    const staging = [{ slug: 'p119', version: 'v24' }]
    const code =
      `${IMPORT}import { prompts as staging } from 'virtual:prompts/staging'\n` +
      SAY(`[Object.keys(prompts).length, prompts.p119.slug, staging.p119.version]`)
    expect(await said(code, { lock: lockOf({ live, staging }) })).toEqual([120, 'p119', 'v24'])
  })

  test('returns one object for a prompt, however it is imported, with the adapters and the error', async () => {
    const code =
      `import { prompts, PromptVariableError, toAnthropic } from 'virtual:prompts'\n` +
      `import * as all from 'virtual:prompts/all'\nimport { other } from './other.js'\nlet error\n` +
      `try { prompts.supportTriage.render({}) } catch (thrown) { error = thrown }\n` +
      `const later = await import('virtual:prompts')\n` +
      SAY(`[
        [prompts['support-triage'], all.supportTriage, other, later.prompts.supportTriage]
          .every((prompt) => prompt === prompts.supportTriage),
        error instanceof PromptVariableError, error.missing, toAnthropic(prompts.plain)
      ]`)
    const files = { 'other.js': `${IMPORT}export const other = prompts.supportTriage\n` }
    expect(await said(code, { files })).toEqual([true, true, ['ticket'], { system: 'Be kind.' }])
  })

  test('works with the test runner of Node', async () => {
    const code =
      `import assert from 'node:assert'\nimport { test } from 'node:test'\n${IMPORT}` +
      `test('the version', () => assert.equal(prompts.supportTriage.version, 'v7'))\n`
    const root = await installedApp({ lock: LOCK, files: { 'app.test.js': code } })
    const { stdout, code: exit } = await runNode([...REGISTER, '--test'], root)
    expect(stdout).toMatch(/pass 1\b/)
    expect(exit).toBe(0)
  })

  test.skipIf(`${typescript}`.trim() !== 'strip')(
    'runs TypeScript (in Node from 22.18 on; older versions do not strip types)',
    async () => {
      const code = `${IMPORT}const version: string = prompts.supportTriage.version\n${SAY('version')}`
      expect(await said(code, { file: 'app.ts' })).toBe('v7')
    },
  )

  test('works with other hooks before and after it', async () => {
    const hook = (name: string): string =>
      `import { register } from 'node:module'\nregister('./${name}-hooks.js', import.meta.url)\n`
    const hooksOf = (name: string): string =>
      `export const resolve = (specifier, context, next) => next(specifier, context)\n` +
      `export const load = async (url, context, next) => url === 'made:${name}' ? { format: 'module', source: 'export default "${name}"', shortCircuit: true } : next(url, context)\n`
    const files = {
      'before.js': hook('before'),
      'after.js': hook('after'),
      'before-hooks.js': hooksOf('before'),
      'after-hooks.js': hooksOf('after'),
      'app.js': `${IMPORT}import before from 'made:before'\nimport after from 'made:after'\n${SAY('[before, after, prompts.supportTriage.version]')}`,
    }
    const root = await installedApp({ lock: LOCK, files })
    const args = ['--import', './before.js', ...REGISTER, '--import', './after.js', 'app.js']
    const { stdout, code } = await runNode(['--no-deprecation', ...args], root)
    expect([stdout, code]).toEqual(['["before","after","v7"]\n', 0])
  })
})

describe('with several workspaces', () => {
  const BILLING = lockText(liveLock({ slug: 'invoice', version: 'v3' }))
  const BOTH = `${IMPORT}import { prompts as billing } from 'virtual:billing-prompts'\n`
  const files = { 'billing-prompts.lock.json': BILLING }

  test('serves each that has a lock there by its own module, and worker threads the same snapshot', async () => {
    const code =
      `${BOTH}import * as all from 'virtual:billing-prompts/all'\n` +
      `import { rmSync } from 'node:fs'\nimport { Worker } from 'node:worker_threads'\n` +
      `rmSync('prompts.lock.json')\n` +
      `const worker = new Worker(new URL('./worker.js', import.meta.url))\n` +
      `const inWorker = await new Promise((resolve) => worker.once('message', resolve))\n` +
      SAY(
        `[prompts.plain.slug, billing.invoice.version, all.invoice === billing.invoice, inWorker]`,
      )
    const worker =
      `import { parentPort } from 'node:worker_threads'\n${BOTH}` +
      `parentPort.postMessage([prompts.supportTriage.version, billing.invoice.slug])\n`
    const answer = await said(code, { files: { ...files, 'worker.js': worker } })
    expect(answer).toEqual(['plain', 'v3', true, ['v7', 'invoice']])
  })

  test('keeps their options, keys and messages apart', async () => {
    const billing = await testService([{ slug: 'invoice', version: 'v4' }])
    const env = {
      BILLING_PROMPTS_BASE_URL: billing.live['PROMPTS_BASE_URL'] ?? '',
      BILLING_PROMPTS_API_KEY: billing.live['PROMPTS_API_KEY'] ?? '',
    }
    const config = `export default { pull: 'always' }\n`
    const { stdout, stderr, code } = await run(BOTH + SAY('billing.invoice.version'), {
      files: { ...files, 'billing-prompts.config.js': config },
      env,
    })
    expect({ stdout, code }).toEqual({ stdout: '"v4"\n', code: 0 })
    expect(stderr).toBe(
      '[unplugin-prompts:billing-prompts] Pulling…\n[unplugin-prompts:billing-prompts] Pinned 1 prompt (1 fetched).\n',
    )
  })

  test('takes only locks and configuration files for theirs, not code of such a name', async () => {
    const code = `import { prompts } from 'virtual:billing-prompts'\n${SAY('prompts.invoice.version')}`
    const others = { 'prompts.ts': '', 'prompts.d.ts': '', 'prompts.lock.json.orig': '' }
    const root = await installedApp({ files: { ...files, ...others, 'app.js': code } })
    const { stdout, stderr } = await runNode([...REGISTER, 'app.js'], root)
    expect([stdout, stderr]).toEqual(['"v3"\n', ''])
  })

  test('ignores files of other tools and modules of other hooks', async () => {
    const code =
      `import { prompts } from 'virtual:prompts'\n` +
      `const codes = await Promise.all(['virtual:packages', 'virtual:folder', 'virtual:odd'].map((id) => import(id).catch(({ code }) => code)))\n` +
      SAY('[prompts.plain.slug, ...codes]')
    const others = {
      'packages.lock.json': '{ "version": 1, "dependencies": {} }',
      'folder.lock.json/file': '',
      'odd.lock.json': '[]',
    }
    const unknown = 'ERR_UNSUPPORTED_ESM_URL_SCHEME'
    expect(await said(code, { files: others })).toEqual(['plain', unknown, unknown, unknown])
  })

  test.each([
    ['LOCK_EDITED', BILLING.replace('v3', 'v4')],
    ['LOCK_CONFLICTED', `<<<<<<< HEAD\n${BILLING}=======\n${BILLING}>>>>>>> main\n`],
    ['LOCK_SYNTAX', ''],
  ])(
    'ends the process with %s if one of their locks is broken, and names it',
    async (error, lock) => {
      const broken = { 'billing-prompts.lock.json': lock }
      const { code, stderr } = await run(`console.log('begun')`, { files: broken })
      expect({ code, told: stderr.includes(`[${error}]`) }).toEqual({ code: 1, told: true })
      expect(stderr).toContain('--name billing-prompts')
    },
  )
})

describe('CommonJS', () => {
  test('gets by require() what import gets, also in a file of an ES module', async () => {
    const code =
      `import { createRequire } from 'node:module'\nimport asked from './asked.cjs'\n` +
      `const { prompts } = createRequire(import.meta.url)('virtual:prompts')\n` +
      SAY('[...(await asked), prompts.supportTriage.version]')
    const required =
      `const { prompts, toAnthropic } = require('virtual:prompts')\n` +
      `const all = require('virtual:prompts/all')\n` +
      `module.exports = import('virtual:prompts').then((imported) => [
        toAnthropic(prompts.plain), all.supportTriage === prompts.supportTriage,
        imported.prompts === prompts, require('node:path').sep
      ])\n`
    const answer = await said(code, { files: { 'asked.cjs': required } })
    expect(answer).toEqual([{ system: 'Be kind.' }, true, true, sep, 'v7'])
  })

  test.each([
    { id: 'virtual:prompts/nothing', wanted: 'MODULE_UNKNOWN', lock: LOCK },
    { id: 'virtual:prompts', wanted: 'LOCK_MISSING', lock: undefined },
  ])('learns why import and require() of $id fail: $wanted', async ({ id, wanted, lock }) => {
    // Another workspace is served all the same.
    const billing = `require('virtual:billing-prompts').prompts.invoice.slug`
    const root = await installedApp({
      ...(lock && { lock }),
      files: {
        'billing-prompts.lock.json': lockText(liveLock({ slug: 'invoice' })),
        'app.cjs':
          `let first\ntry { require('${id}') } catch ({ code }) { first = code }\n` +
          `import('${id}').catch(({ code }) => ${SAY(`[first, code, ${billing}]`).trim()})\n`,
      },
    })
    const stdout = `${JSON.stringify([wanted, wanted, 'invoice'])}\n`
    expect(await runNode([...REGISTER, 'app.cjs'], root)).toMatchObject({ stdout, code: 0 })
  })
})

describe('the start', () => {
  const VERSION = IMPORT + SAY('prompts.a.version')

  test('pulls if there is no lock, logs to stderr, and then writes and asks nothing', async () => {
    const service = await testService([{ slug: 'a', version: 'v1' }])
    const root = await installedApp({ files: { 'app.js': VERSION, 'src/x.js': '' } })
    const first = await runNode([...REGISTER, 'app.js'], root, service.live)
    expect(first.stdout).toBe('"v1"\n')
    expect(first.stderr).toBe(
      '[unplugin-prompts] No lock yet: pulling…\n' +
        '[unplugin-prompts] Pinned 1 prompt (1 fetched). Commit prompts.lock.json, and builds need no key.\n',
    )
    const names = await readdir(root)
    expect(names).toEqual(expect.arrayContaining(['prompts.lock.json', 'prompts.d.ts']))
    service.forget()
    await rm(join(root, 'prompts.d.ts'))
    // Also from a folder below the project, which may be read-only.
    for (const cwd of [root, join(root, 'src')]) {
      const again = await runNode([...REGISTER, join(root, 'app.js')], cwd)
      expect(again).toEqual({ code: 0, stdout: '"v1"\n', stderr: '' })
    }
    expect(service.asked()).toEqual([])
    expect(await readdir(root)).toEqual(names.filter((name) => name !== 'prompts.d.ts'))
  })

  test('ends the process before the app without a lock, with code, why and fix, and no stack', async () => {
    const files = { 'app.js': `console.log('begun')\n` }
    const root = await installedApp({ files })
    const ended = await runNode([...REGISTER, 'app.js'], root, { PROMPTS_PULL: 'never' })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).not.toMatch(/^ {4}at .*dist\/(?:project|start)/m)
    for (const part of ['[LOCK_MISSING]', "code: 'LOCK_MISSING'", 'npx prompts pull'])
      expect(ended.stderr).toContain(part)
  })

  test('warns of staging prompts if NODE_ENV is production', async () => {
    const files = { 'prompts.config.js': `export default { environment: 'test' }\n` }
    const lock = lockOf({ staging: [{ slug: 'a' }] })
    const inProduction = await run(VERSION, { lock, files, env: { NODE_ENV: 'production' } })
    const stderr = expect.stringContaining('staging prompts')
    expect(inProduction).toMatchObject({ code: 0, stderr })
  })

  describe.each([
    ['import', 'app.js', `${IMPORT}import { prompts as staging } from 'virtual:prompts/staging'\n`],
    [
      'require()',
      'app.cjs',
      `const { prompts } = require('virtual:prompts'), { prompts: staging } = require('virtual:prompts/staging')\n`,
    ],
  ])('with staging prompts by %s', (_, file, head) => {
    const staging = [{ slug: 'support-triage', user: '{{ ticket }}', version: 'v8' }]
    const lock = lockOf({ live: LOCK.parts, staging })

    const versions = `[prompts, staging].map(({ supportTriage }) => supportTriage.version)`

    test('serves one object for a prompt that is the same, and staging for the others', async () => {
      const code =
        head +
        SAY(`[${versions}, staging.plain === prompts.plain, staging.supportTriage.environment,
          staging.supportTriage.render({ ticket: 'T' }).user]`)
      expect(await said(code, { file, lock })).toEqual([['v7', 'v8'], true, 'test', 'T'])
      const env = { PROMPTS_ENVIRONMENT: 'test', PROMPTS_API_KEY: 'svc_live_x' }
      expect(await said(head + SAY(versions), { file, lock, env })).toEqual(['v8', 'v8'])
      const same = `Object.keys(prompts).every((name) => staging[name] === prompts[name])`
      expect(await said(head + SAY(same), { file })).toBe(true)
    })
  })
})
