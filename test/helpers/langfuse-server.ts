import { startLocalServer } from './local-server.ts'

export const LANGFUSE_KEYS = {
  LANGFUSE_PUBLIC_KEY: 'pk-lf-0123',
  LANGFUSE_SECRET_KEY: 'sk-lf-Canary0123456789',
}

/** One version of a prompt, with the fields of Langfuse's API reference. */
export interface LangfuseVersion {
  readonly name: string
  readonly version?: number
  readonly labels?: readonly string[]
  readonly prompt?: unknown
  readonly config?: unknown
  readonly commitMessage?: string
}

const PROMPTS = '/api/public/v2/prompts'

/**
 * Answers list and get as Langfuse 4.16.0 says, and the types of @langfuse/core 5.11.1, and refuses every other request:
 * https://github.com/langfuse/langfuse/blob/62751446149b702b419a9292ddfc2280cdf74b8c/fern/apis/server/definition/prompts.yml
 *
 * @param versions - those at the time of a request
 */
export async function startLangfuse(
  versions: readonly LangfuseVersion[] | (() => readonly LangfuseVersion[]),
): Promise<string> {
  const basic = btoa(Object.values(LANGFUSE_KEYS).join(':'))
  return startLocalServer(({ url = '', method, headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const query = Object.fromEntries(searchParams)
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const refuse = (status: number, message: string): void =>
      reply(status, { message, error: 'LangfuseError' })
    if (headers.authorization !== `Basic ${basic}`)
      return refuse(401, 'Invalid credentials. Confirm that you have configured the correct host.')
    if (method !== 'GET') return refuse(405, 'Method not allowed')
    const all = (typeof versions === 'function' ? versions() : versions).map(complete)
    if (pathname === PROMPTS) {
      const answer = list(all, query)
      return answer === undefined ? refuse(400, 'Invalid request data') : reply(200, answer)
    }
    const [, encoded] = /^([^/]+)$/.exec(pathname.slice(PROMPTS.length + 1)) ?? []
    if (!pathname.startsWith(`${PROMPTS}/`) || encoded === undefined)
      return refuse(404, 'Not found')
    const { version, ...others } = query
    if (!/^\d+$/.test(version ?? '') || Object.keys(others).length > 0)
      return refuse(400, 'Invalid request data')
    const prompt = all.find(
      (one) => one.name === decodeURIComponent(encoded) && one.version === Number(version),
    )
    if (prompt === undefined) return refuse(404, 'Prompt not found')
    const resolved = JSON.stringify(prompt).replaceAll(/@@@langfusePrompt:[^@]*@@@/g, 'Be kind.')
    return reply(200, JSON.parse(resolved))
  })
}

type Complete = ReturnType<typeof complete>

function complete(given: LangfuseVersion) {
  const defaults = { version: 1, labels: ['production'], tags: [], config: {}, prompt: 'Hi' }
  const type = Array.isArray(given.prompt) ? 'chat' : 'text'
  return { ...defaults, ...given, type }
}

/** `undefined` for a query that Langfuse refuses. */
function list(all: readonly Complete[], query: Readonly<Record<string, string>>): unknown {
  const { label, limit: size = '50', page: wanted = '1', ...others } = query
  const [limit, page] = [Number(size), Number(wanted)]
  if (Object.keys(others).length > 0 || !(limit >= 1 && limit <= 100) || !(page >= 1))
    return undefined
  const rows = all.filter(({ labels }) => label === undefined || labels.includes(label))
  const names = [...new Set(rows.map(({ name }) => name))].toSorted()
  const data = names.slice(limit * (page - 1), limit * page).map((name) => {
    const own = rows.filter((row) => row.name === name)
    return {
      name,
      versions: own.map(({ version }) => version),
      labels: own.flatMap(({ labels }) => labels),
      tags: [],
      type: own[0]?.type,
    }
  })
  const totalPages = Math.ceil(names.length / limit)
  return { data, meta: { page, limit, totalItems: names.length, totalPages } }
}
