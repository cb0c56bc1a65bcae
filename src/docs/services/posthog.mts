// Tested without an account, against a server written from
// PostHog's SDK: https://github.com/PostHog/posthog-js/releases/tag/@posthog%2Fai@8.11.0
import { defineConfig, type ServiceContext } from 'unplugin-prompts'

type Row = { name: string; version: number; labels?: string[]; prompt: unknown; config?: unknown }
const rows = new Map<string, Row>() // The list has all texts, so `get` asks nothing.

export default defineConfig({
  service: {
    name: 'PostHog',
    secrets: ['POSTHOG_PERSONAL_API_KEY'],
    async list(context) {
      const live = await labelled('production', context)
      const staging = await labelled('staging', context)
      return [...new Set([...live.keys(), ...staging.keys()])].map((slug) => {
        const [liveVersion = null, draft = null] = [live.get(slug), staging.get(slug)]
        return { slug, liveVersion, stagingVersion: draft === liveVersion ? null : draft }
      })
    },
    async get(slug, { version }) {
      const { prompt, config } = rows.get(`${slug} ${version}`)!
      if (typeof prompt !== 'string') return { refused: 'is no text' }
      // PostHog fills `{{name}}` only without spaces, and `{{1}}` too.
      const odd = /\{\{(?:\s+[\w.-]+\s*|[\w.-]+\s+|[\d.-][\w.-]*)\}\}/.exec(prompt)
      if (odd) return { refused: `has ${odd[0]}, which PostHog reads in another way` }
      const { model, temperature } = Object(config)
      return {
        systemSource: '',
        userSource: prompt,
        model: typeof model === 'string' ? model : '',
        temperature: typeof temperature === 'number' ? temperature : null,
      }
    },
  },
})

async function labelled(label: string, context: ServiceContext, look = 1): Promise<Map<string, string>> {
  const { env, fetchJson } = context
  const [versions, totals] = [new Map<string, string>(), new Set<number>()]
  const host = env.POSTHOG_HOST ?? 'https://us.posthog.com'
  const base = `${host}/api/environments/${env.POSTHOG_PROJECT_ID}/llm_prompts/?label=${label}`
  const headers = { authorization: `Bearer ${env.POSTHOG_PERSONAL_API_KEY}` }
  for (let offset = 0, next: unknown = ''; next !== null; offset += 100) {
    const url = `${base}&content=full&limit=100&offset=${offset}`
    const page = await fetchJson<{ results: Row[]; next: unknown; count: number }>(url, { headers })
    for (const row of page.results) {
      // A server from before September 2026 ignores `label`.
      if (!row.labels?.includes(label)) throw new Error('this PostHog has no list by label')
      rows.set(`${row.name} v${row.version}`, row)
      versions.set(row.name, `v${row.version}`)
    }
    totals.add(page.count)
    next = page.next
  }
  // A prompt that comes or goes between two pages moves others to a page that is not read again.
  if (totals.size === 1) return versions
  if (look === 3) throw new Error('the list changes while it is read')
  return labelled(label, context, look + 1)
}
