import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { respond, LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { startLocalServer } from './local-server.ts'
import { workspaceOf } from './scripted-service.ts'

/** A key that must never be seen, with characters that URLs and JSON write in other ways. */
export const CANARY = 'svc_live_Canary/0123+4567=89abcdefXYZ'

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

/** The files of a folder that contain the key, except for the files it was written to. */
export async function filesWithTraces(folder: string, given: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  const found = await Promise.all(
    paths.map(async (path) => tracesIn(`${path}\n${await readFile(path, 'latin1')}`).length > 0),
  )
  return paths.filter((path, index) => found[index] && !given.some((name) => path.endsWith(name)))
}

/** How a service that echoes the key wherever it can answers. */
export type Mood = 'fine' | 'flaky' | 'refusing' | 'failing' | 'page' | 'no JSON' | 'misshapen'

/** A service that accepts the canary as its live key. */
export interface CanaryService {
  readonly url: string
  mood: Mood
  /** How many requests contained the key. A search proves nothing if there were none. */
  readonly asked: () => number
}

const ECHO = JSON.stringify({ error: `Bearer ${CANARY} is unknown` })

const BODIES: Readonly<Record<Exclude<Mood, 'fine'>, { status: number; body: string }>> = {
  flaky: { status: 503, body: ECHO },
  refusing: { status: 401, body: ECHO },
  failing: { status: 500, body: ECHO },
  page: { status: 200, body: `<html>${CANARY}</html>` },
  'no JSON': { status: 200, body: `{ "key": "${CANARY}" ] }` },
  misshapen: { status: 200, body: JSON.stringify({ prompts: [{ slug: CANARY }], [CANARY]: 1 }) },
}

/** Starts it with prompts `a` and `b`. */
export async function canaryService(): Promise<CanaryService> {
  const workspace = workspaceOf({ slug: 'a', system: 'Hello {{ name }}' }, { slug: 'b' })
  const failed = new Set<string>()
  let asked = 0
  const url = await startLocalServer(({ url: path = '', method = '', headers }, response) => {
    const isOurs = headers.authorization === `Bearer ${CANARY}`
    if (isOurs) asked++
    const authorization = isOurs ? `Bearer ${LOCAL_KEYS.live}` : undefined
    const fine = respond({ method, path, authorization }, workspace)
    const { mood } = service
    const passes = mood === 'fine' || (mood === 'flaky' && failed.has(path))
    failed.add(path)
    const { status, body } = passes ? fine : BODIES[mood]
    const type = mood === 'page' ? 'text/html' : 'application/json'
    const extra = { 'x-service-plan-status': CANARY, 'retry-after': '0', 'x-echo': CANARY }
    response.writeHead(status, { ...extra, 'content-type': type }).end(body)
  })
  const service: CanaryService = { url, mood: 'fine', asked: () => asked }
  return service
}
