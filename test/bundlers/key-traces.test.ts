import { writeFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openProject } from '../../src/features/project/project.ts'
import { servePage } from '../../src/page/server/page.ts'
import { BUNDLERS } from './bundlers.ts'
import { jobIn } from './configs.ts'
import { devServer } from './vite-server.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { prompts } from '../helpers/cli.ts'
import { liveLock } from '../helpers/pinned.ts'
import { outcome } from '../helpers/service-client.ts'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import { ask, formsIn, submit } from '../helpers/page/ask.ts'
import { pull } from '../helpers/pull.ts'
import { respond, LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { startLocalServer } from '../helpers/local-server.ts'
import { workspaceOf } from '../helpers/scripted-service.ts'

/** A key that must never be seen, with characters that URLs and JSON write in other ways. */
const CANARY = 'svc_live_Canary/0123+4567=89abcdefXYZ'

/** Encodings of the key, or of a part that reveals it. */
const TRACES: readonly RegExp[] = [
  /canary/i,
  /0123(?:\+|%2B|\\u002b)4567/i,
  new RegExp(Buffer.from(CANARY).toString('hex'), 'i'),
  ...[0, 1, 2].map(base64At),
]

/** Base64 of the key after `offset` other bytes, without the characters shared with other bytes. */
function base64At(offset: number): RegExp {
  const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(CANARY)]).toString('base64')
  const own = text.slice(offset === 0 ? 0 : 4, -4)
  return new RegExp(own.replaceAll('+', '[+-]').replaceAll('/', '[/_]'))
}

/** The lines of a text in which the key shows, in whatever form. */
function tracesIn(text: string): string[] {
  return text.split('\n').filter((line) => TRACES.some((trace) => trace.test(line)))
}

/** The files of a folder that contain the key, except for the files it was written to. */
async function filesWithTraces(folder: string, given: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  const found = await Promise.all(
    paths.map(async (path) => tracesIn(`${path}\n${await readFile(path, 'latin1')}`).length > 0),
  )
  return paths.filter((path, index) => found[index] && !given.some((name) => path.endsWith(name)))
}

const ECHO = JSON.stringify({ error: `Bearer ${CANARY} is unknown` })

/** How a service answers that echoes the key wherever it can. `flaky`: the first time. */
const BODIES = {
  flaky: { status: 503, body: ECHO },
  refusing: { status: 401, body: ECHO },
  failing: { status: 500, body: ECHO },
  page: { status: 200, body: `<html>${CANARY}</html>` },
  'no JSON': { status: 200, body: `{ "key": "${CANARY}" ] }` },
  misshapen: { status: 200, body: JSON.stringify({ prompts: [{ slug: CANARY }], [CANARY]: 1 }) },
}

type Mood = keyof typeof BODIES | 'fine'

const FAILURES = Object.keys(BODIES) as (keyof typeof BODIES)[]

/** Starts a service with prompts `a` and `b` that accepts the canary as its live key. */
async function canaryService() {
  const workspace = workspaceOf({ slug: 'a', system: 'Hello {{ name }}' }, { slug: 'b' })
  const failed = new Set<string>()
  const service = {
    url: '',
    mood: 'fine' as Mood,
    /** How many requests contained the key. A search proves nothing if there were none. */
    asked: 0,
  }
  service.url = await startLocalServer(({ url: path = '', method = '', headers }, response) => {
    const isOurs = headers.authorization === `Bearer ${CANARY}`
    if (isOurs) service.asked++
    const authorization = isOurs ? `Bearer ${LOCAL_KEYS.live}` : undefined
    const { mood } = service
    const passes = mood === 'fine' || (mood === 'flaky' && failed.has(path))
    failed.add(path)
    const { status, body } = passes
      ? respond({ method, path, authorization }, workspace)
      : BODIES[mood]
    const type = mood === 'page' ? 'text/html' : 'application/json'
    const extra = { 'x-service-plan-status': CANARY, 'retry-after': '0', 'x-echo': CANARY }
    response.writeHead(status, { ...extra, 'content-type': type }).end(body)
  })
  return service
}

/** The only files that may hold the key: people put it there. */
const GIVEN = ['.env.local', 'prompts.config.ts', 'index.html']

const MAIN = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.a.render({ name: 'x' }))\n`

/** An app with an outdated lock, and the canary in its `.env.local`. */
async function app() {
  const service = await canaryService()
  const root = await appFolder({
    // With this package, which `init` would install.
    'package.json': '{ "type": "module", "devDependencies": { "unplugin-prompts": "*" } }',
    'tsconfig.json': APP_TSCONFIG,
    'src/main.ts': MAIN,
    'main.js': MAIN,
    '.env.local': `PROMPTS_API_KEY=${CANARY}\nPROMPTS_BASE_URL=${service.url}\n`,
    'prompts.lock.json': printLock(liveLock({ slug: 'a', system: 'Bye' }), sha256),
  })
  return { root, service }
}

/** Runs a command, which must not print the key. */
async function command(root: string, args: readonly string[]): ReturnType<typeof prompts> {
  const result = await prompts(args, { cwd: root })
  expect(tracesIn(result.stdout + result.stderr), args.join(' ')).toEqual([])
  return result
}

const SETTINGS = { mode: 'development', options: {}, processEnv: {}, warn: () => undefined }

const COMMANDS = [
  ['pull'],
  ['pull', '--changed', '--json'],
  ['check'],
  ['diff', '--json'],
  ['check', '--format', 'github'],
  ['diff', '--impact'],
  ['diff', '--format', 'patch'],
  ['list', '--updates'],
  ['list', '--usage', '--json'],
  ['generate', '--out-dir', 'out'],
  ['init', '-y'],
  ['pull', CANARY],
]

test('no command writes or prints the key that the service echoes', async () => {
  const { root, service } = await app()
  service.mood = 'flaky'
  for (const args of COMMANDS) await command(root, args)
  expect(service.asked).toBeGreaterThan(3)
  expect(await filesWithTraces(root, GIVEN)).toEqual([])
})

/** Everything that is printed from here on, by whatever means. */
function listen(): () => string {
  const said: unknown[] = []
  const hear = (...words: unknown[]): true => {
    said.push(...words)
    return true
  }
  const spies = [
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name)),
    vi.spyOn(process.stdout, 'write'),
    vi.spyOn(process.stderr, 'write'),
  ]
  for (const spy of spies) spy.mockImplementation(hear as never)
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return () => said.map((word) => inspect(word, { depth: 20 })).join('\n')
}

// One bundler of each kind: what is printed is the same text in all.
test.each(['Vite SSR', 'webpack', 'esbuild'] as const)(
  'a build with %s that pulls puts the key nowhere, with source maps',
  async (bundler) => {
    const { root, service } = await app()
    service.mood = 'flaky'
    const said = listen()
    const options = { pull: 'always' } as const
    await BUNDLERS[bundler](jobIn(root, { minify: false, options }))
    service.mood = 'refusing'
    const refused = await outcome(BUNDLERS[bundler](jobIn(root, { options })))
    expect(refused).toBeInstanceOf(Error)
    expect(tracesIn(`${said()}\n${inspect(refused, { depth: 20 })}`)).toEqual([])
    expect(service.asked).toBeGreaterThan(3)
    expect(await filesWithTraces(root, GIVEN)).toEqual([])
  },
)

test('no page and no module of a dev server shows the key', async () => {
  const { root, service } = await app()
  const said = listen()
  const { server, log, sent } = await devServer(root, { pull: 'always' })
  const code = await server.transformRequest('main.js')
  const main = await server.transformRequest('virtual:prompts')
  expect(tracesIn(inspect([code, main, log, sent], { depth: 20 }) + said())).toEqual([])
  const project = await openProject({ ...SETTINGS, root })
  // The page keeps a list for a minute, so each mood comes an hour later.
  let hour = 0
  const page = await servePage({ project, now: () => hour * 3_600_000 }, 0)
  onTestFinished(() => page.close())
  for (const mood of [...FAILURES, 'fine'] as const) {
    service.mood = mood
    hour++
    const changes = `${page.url}changes`
    await submit(changes, { act: 'list' })
    const read = formsIn((await ask(changes)).body).find(({ act }) => act?.[0] === 'read')
    const answers = [await submit(changes, read ?? {})]
    for (const path of ['changes', 'prompts', 'prompts/a', '.env.local'])
      answers.push(await ask(page.url + path))
    for (const { body } of answers) expect(tracesIn(body)).toEqual([])
  }
  expect(service.asked).toBeGreaterThan(FAILURES.length)
  expect(await filesWithTraces(root, GIVEN)).toEqual([])
})

describe('no error shows the key, down to its last cause:', () => {
  test('what options say, whether they parse, throw, are wrong or name an address', async () => {
    const { root } = await app()
    for (const config of [
      `export default { apiKey: '${CANARY}', }}`,
      `throw new Error('x')\nexport default { apiKey: '${CANARY}' }`,
      `export default { apiKey: '${CANARY}', timeout: '${CANARY}' }`,
      `export default { apiKey: '${CANARY} x' }`,
      `export default { baseUrl: 'https://${encodeURIComponent(CANARY)}@prompts.example' }`,
      `export default { baseUrl: 'http://127.0.0.1:9/${CANARY}' }`,
    ]) {
      await writeFile(join(root, 'prompts.config.ts'), config)
      for (const args of [['pull'], ['pull', '--json'], ['list']]) {
        const { code } = await command(root, args)
        if (args[0] === 'pull') expect(code).toBe(1)
      }
      const opened = openProject({ ...SETTINGS, root })
      const error = await outcome(opened.then((project) => pull(project)))
      expect(tracesIn(inspect(error, { depth: 20, showHidden: true }))).toEqual([])
    }
  })

  test('what is typed for a command, an option, a value, a folder, a slug, a file or a name', async () => {
    const { root } = await app()
    for (const args of [
      [CANARY],
      ['pull', `--${CANARY}`],
      [`--${CANARY}`, 'pull'],
      ['pull', `--api-key=${CANARY}`],
      ['check', '--format', CANARY],
      ['serve', '--port', CANARY],
      ['pull', '--root', CANARY],
      ['pull', CANARY],
      ['list', CANARY],
      ['serve', CANARY],
      ['list', '--name', CANARY],
      [CANARY.replace('/', '/\u200b')],
    ])
      for (const argv of [args, [...args, '--json']])
        expect((await command(root, argv)).code).toBeGreaterThan(0)
  })
})
