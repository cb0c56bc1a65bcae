import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCAL_KEYS, respond } from '../../src/local-service/respond.ts'
import { APP_TSCONFIG, appFolder } from './app-folder.ts'
import { startLocalServer } from './local-server.ts'
import { workspaceOf } from './local-service.ts'
import { liveLock, lockText } from './pinned.ts'

/** A key that must never be seen, with characters that URLs and JSON write in other ways. */
export const CANARY: string = 'svc_live_Canary/0123+4567=89abcdefXYZ'

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
export function tracesIn(text: string): string[] {
  return text.split('\n').filter((line) => TRACES.some((trace) => trace.test(line)))
}

/** The only files that may hold the key: people put it there. */
const GIVEN = ['.env.local', 'prompts.config.ts', 'index.html']

/** The files of a folder that contain the key, except for the files it was written to. */
export async function filesWithTraces(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  const found = await Promise.all(
    paths.map(async (path) => tracesIn(`${path}\n${await readFile(path, 'latin1')}`).length > 0),
  )
  return paths.filter((path, index) => found[index] && !GIVEN.some((name) => path.endsWith(name)))
}

const ECHO = JSON.stringify({ error: `Bearer ${CANARY} is unknown` })

type Failure = 'flaky' | 'refusing' | 'failing' | 'page' | 'no JSON' | 'misshapen'

interface Body {
  readonly status: number
  readonly body: string
}

/** How a service answers that echoes the key wherever it can. `flaky`: the first time. */
const BODIES: Readonly<Record<Failure, Body>> = {
  flaky: { status: 503, body: ECHO },
  refusing: { status: 401, body: ECHO },
  failing: { status: 500, body: ECHO },
  page: { status: 200, body: `<html>${CANARY}</html>` },
  'no JSON': { status: 200, body: `{ "key": "${CANARY}" ] }` },
  misshapen: { status: 200, body: JSON.stringify({ prompts: [{ slug: CANARY }], [CANARY]: 1 }) },
}

export const FAILURES: readonly Failure[] = Object.keys(BODIES) as Failure[]

export interface CanaryService {
  url: string
  mood: Failure | 'fine'
  /** How many requests contained the key. A search proves nothing if there were none. */
  asked: number
}

/** Starts a service with prompts `a` and `b` that accepts the canary as its live key. */
async function canaryService(): Promise<CanaryService> {
  const workspace = workspaceOf({ slug: 'a', system: 'Hello {{ name }}' }, { slug: 'b' })
  const failed = new Set<string>()
  const service: CanaryService = { url: '', mood: 'fine', asked: 0 }
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

const MAIN = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.a.render({ name: 'x' }))\n`

/** An app with an outdated lock, and the canary in its `.env.local`. */
export async function canaryApp(): Promise<{ root: string; service: CanaryService }> {
  const service = await canaryService()
  const root = await appFolder({
    // With this package, which `init` would install.
    'package.json': '{ "type": "module", "devDependencies": { "unplugin-prompts": "*" } }',
    'tsconfig.json': APP_TSCONFIG,
    'src/main.ts': MAIN,
    'main.js': MAIN,
    '.env.local': `PROMPTS_API_KEY=${CANARY}\nPROMPTS_BASE_URL=${service.url}\n`,
    'prompts.lock.json': lockText(liveLock({ slug: 'a', system: 'Bye' })),
  })
  return { root, service }
}
