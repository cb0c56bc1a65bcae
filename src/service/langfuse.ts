/**
 * Langfuse as a service of two functions, by its public API:
 * https://github.com/langfuse/langfuse/blob/62751446149b702b419a9292ddfc2280cdf74b8c/fern/apis/server/definition/prompts.yml
 */
import { findWrapping } from '../config/api-key.ts'
import type { CustomService, ServiceContext } from '../config/options.ts'
import type { Refusal } from '../core/service.ts'

export interface LangfuseOptions {
  /**
   * Label of the live versions.
   * @default production
   */
  live?: string
  /**
   * Label of the staging versions.
   * @default staging
   */
  staging?: string
  /**
   * What a text prompt is, or a function of its name; a chat prompt says it by itself.
   * @example role: (name) => (name.startsWith('rag/') ? 'user' : 'system')
   * @default system
   */
  role?: Role | ((name: string) => Role)
}

type Role = 'system' | 'user'

/** Reads the prompts of Langfuse: `service: langfuse()` in `prompts.config.ts`. */
export function langfuse({
  live = 'production',
  staging = 'staging',
  role = 'system',
}: LangfuseOptions = {}): CustomService {
  return {
    name: 'Langfuse',
    secrets: ['LANGFUSE_SECRET_KEY'],
    async list(context) {
      const labelled = [await versions(live, context), await versions(staging, context)] as const
      const slugs = [...new Set(labelled.flatMap((one) => [...one.keys()]))]
      const { meta } = await ask<List>('?limit=1', context)
      const others = meta.totalItems - slugs.length
      if (others > 0) context.warn(`left out, without the labels ${live} and ${staging}: ${others}`)
      return slugs.map((slug) => {
        const [liveVersion = null, stagingVersion = null] = labelled.map((one) => one.get(slug))
        const folder = slug.split('/').slice(0, -1).join('/')
        // A version is never rewritten, so one with both labels is read once.
        const isStaged = stagingVersion !== liveVersion
        return { slug, folder, liveVersion, stagingVersion: isStaged ? stagingVersion : null }
      })
    },
    async get(slug, context) {
      if (slug === '.' || slug === '..') return { refused: "can't be part of a URL" }
      const path = `/${encodeURIComponent(slug)}?version=${context.version.slice(1)}`
      const answer = await ask<Version>(path, context).catch(nullIfMissing)
      if (answer === null) return null
      const { prompt, config, commitMessage: note } = answer
      const textRole = typeof role === 'function' ? role(slug) : role
      const texts = textsOf(prompt, textRole, context.warn)
      if ('refused' in texts) return texts
      return { ...texts, ...settingsOf(config, context.warn), note, syntax: 'mustache' }
    },
  }
}

interface List {
  readonly data: readonly { readonly name: string; readonly versions: readonly number[] }[]
  readonly meta: { readonly totalItems: number; readonly totalPages: number }
}

interface Version {
  readonly prompt: unknown
  readonly config: unknown
  readonly commitMessage?: string | null
}

function ask<Answer>(path: string, { env, fetchJson }: ServiceContext): Promise<Answer> {
  const { LANGFUSE_PUBLIC_KEY: user, LANGFUSE_SECRET_KEY: secret } = env
  if (user === undefined) throw new Error('LANGFUSE_PUBLIC_KEY is not set')
  const wrapping = findWrapping(user)
  if (wrapping !== undefined) throw new Error(`LANGFUSE_PUBLIC_KEY has ${wrapping} around it`)
  const address = env['LANGFUSE_BASE_URL'] ?? env['LANGFUSE_HOST'] ?? 'https://cloud.langfuse.com'
  const base = address.replace(/\/+$/, '')
  return fetchJson(`${base}/api/public/v2/prompts${path}`, {
    headers: { authorization: `Basic ${btoa(`${user}:${secret}`)}` },
    // Servers of one's own are often behind http.
    allowHttp: !URL.canParse(base) || !/(?:^|\.)langfuse\.com$/.test(new URL(base).hostname),
  })
}

/** Returns `null` for the error of a version that was deleted after it was listed. */
function nullIfMissing(error: unknown): null {
  if (Object(error).status === 404) return null
  throw error
}

/** How often a list that changes is read. */
const LOOKS = 3

/**
 * The version of each prompt that has a label: a list by label has no others. Pages are no one moment: a prompt that
 * comes or goes in between moves others to a page that is not read again, so the list is read again.
 */
async function versions(
  label: string,
  context: ServiceContext,
  look = 1,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const totals = new Set<number>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = new URLSearchParams({ label, limit: '100', page: String(page) })
    const { data, meta } = await ask<List>(`?${query}`, context)
    for (const row of data) found.set(row.name, `v${row.versions[0]}`)
    totals.add(meta.totalItems)
    pages = meta.totalPages
  }
  if (totals.size === 1 && totals.has(found.size)) return found
  if (look === LOOKS) throw new Error('the list changes while it is read')
  return versions(label, context, look + 1)
}

interface Message {
  readonly type?: string
  readonly role?: string
  readonly name?: string
  readonly content?: unknown
}

interface Texts {
  readonly systemSource: string
  readonly userSource: string
}

/** The texts of a prompt that has one or both. A history around them is the app's own. */
function textsOf(prompt: unknown, role: string, warn: (message: string) => void): Texts | Refusal {
  const all: readonly Message[] = Array.isArray(prompt) ? prompt : [{ role, content: prompt }]
  const isText = ({ type }: Message): boolean => type !== 'placeholder'
  const messages = all.slice(Math.max(all.findIndex(isText), 0), all.findLastIndex(isText) + 1)
  if (messages.length < all.length) warn('placeholders before and after the texts are left out')
  const roles = messages.map(roleOf)
  if (!/^(?:system|(?:system, )?user)$/.test(roles.join(', ')))
    return { refused: roles.length === 0 ? 'has no text' : `has the messages ${roles.join(', ')}` }
  if (messages.some(({ content }) => typeof content !== 'string'))
    return { refused: 'has a message that is no text' }
  const textOf = (one: string): string => String(messages[roles.indexOf(one)]?.content ?? '')
  return { systemSource: textOf('system'), userSource: textOf('user') }
}

function roleOf({ type, name, role = '' }: Message): string {
  if (type === 'placeholder') return `placeholder ${name}`
  const lower = role.toLowerCase()
  return lower === 'developer' ? 'system' : lower
}

/** What has a place here. An author sees more beside the text, so it is named. */
function settingsOf(
  config: unknown,
  warn: (message: string) => void,
): { model: string | undefined; temperature: number | undefined } {
  const fields: Record<string, unknown> = typeof config === 'object' ? { ...config } : {}
  const { model, temperature } = fields
  const settings = {
    model: typeof model === 'string' ? model : undefined,
    temperature: typeof temperature === 'number' ? temperature : undefined,
  }
  for (const [name, value] of Object.entries(fields))
    if ((value ?? null) !== null && settings[name as keyof typeof settings] !== value)
      warn(`${name} in config is not pinned`)
  return settings
}
