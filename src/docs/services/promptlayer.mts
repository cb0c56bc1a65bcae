// Tested without an account, against a server written from
// PromptLayer's reference: https://docs.promptlayer.com/reference/list-prompt-templates
import { defineConfig, type ServiceContext } from 'unplugin-prompts'

type Message = { role: string; content?: { text?: string }[]; template_format?: string }

export default defineConfig({
  service: {
    name: 'PromptLayer',
    secrets: ['PROMPTLAYER_API_KEY'],
    async list(context) {
      const [live, staging] = [await labelled('prod', context), await labelled('staging', context)]
      return [...new Set([...live.keys(), ...staging.keys()])].map((slug) => {
        const [liveVersion = null, draft = null] = [live.get(slug), staging.get(slug)]
        return { slug, liveVersion, stagingVersion: draft === liveVersion ? null : draft }
      })
    },
    async get(slug, context) {
      const path = `/${encodeURIComponent(slug)}?version=${context.version.slice(1)}`
      const { prompt_template: template, metadata } = await ask<any>(path, context)
      const messages: Message[] = template.messages ?? [{ ...template, role: 'user' }]
      const roles = messages.map(({ role }) => role)
      const formats = new Set(messages.map((one) => one.template_format ?? 'f-string'))
      const parts = messages.map(({ content = [] }) => content.map(({ text }) => text))
      if (!/^(system|(system, )?user)$/.test(roles.join(', '))) return { refused: `has ${roles}` }
      if (template.tools?.length) return { refused: 'has tools' }
      if (formats.size > 1 || parts.flat().includes(undefined)) return { refused: 'is no text' }
      const textOf = (role: string) => parts[roles.indexOf(role)]?.join('') ?? ''
      const [systemSource, userSource] = [textOf('system'), textOf('user')]
      const { name: model, parameters } = metadata?.model ?? {}
      const given = parameters?.temperature
      const temperature = typeof given === 'number' ? given : null
      const syntax = formats.has('jinja2') ? 'jinja' : 'f-string'
      return { systemSource, userSource, syntax, model, temperature }
    },
  },
})

function ask<T>(path: string, { env, fetchJson }: ServiceContext) {
  const headers = { 'X-API-KEY': env.PROMPTLAYER_API_KEY ?? '' }
  return fetchJson<T>(`https://api.promptlayer.com/prompt-templates${path}`, { headers })
}

async function labelled(label: string, context: ServiceContext, look = 1): Promise<Map<string, string>> {
  const [versions, totals] = [new Map<string, string>(), new Set<number>()]
  for (let page = 1, more = true; more; page++) {
    const query = `?label=${label}&is_snippet=false&per_page=100&page=${page}`
    const { items, has_next, total } = await ask<any>(query, context)
    for (const item of items) versions.set(item.prompt_name, `v${item.version}`)
    totals.add(total)
    more = has_next
  }
  // A prompt that comes or goes between two pages moves others to a page that is not read again.
  if (totals.size === 1) return versions
  if (look === 3) throw new Error('the list changes while it is read')
  return labelled(label, context, look + 1)
}
