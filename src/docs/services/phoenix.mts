// Tested without an account, against a server written from
// Phoenix's description: https://github.com/Arize-ai/phoenix/blob/main/schemas/openapi.json
import { defineConfig, type ServiceContext } from 'unplugin-prompts'

type Message = { role: string; content: string | { text?: string }[] }

export default defineConfig({
  service: {
    name: 'Phoenix',
    secrets: ['PHOENIX_API_KEY'],
    async list(context) {
      const rows = []
      for (let after: string | null = ''; after !== null;) {
        const page: any = await ask(`prompts?limit=100${after && `&cursor=${after}`}`, context)
        for (const { name: slug } of page.data) {
          const liveVersion = await tagOf(slug, 'production', context)
          const draft = await tagOf(slug, 'staging', context)
          const stagingVersion = draft === liveVersion ? null : draft
          if (liveVersion ?? draft) rows.push({ slug, liveVersion, stagingVersion })
        }
        after = page.next_cursor
      }
      return rows
    },
    async get(_slug, context) {
      const { data } = await ask<any>(`prompt_versions/${context.version}`, context)
      const { template, template_format: format, invocation_parameters: parameters } = data
      const all: Message[] = template.messages ?? [{ role: 'user', content: template.template }]
      const roles = all.map(({ role }) => role.replace('developer', 'system'))
      const parts = all.map(({ content }) => (Array.isArray(content) ? content : [{ text: content }]))
      const textOf = (one: string) => parts[roles.indexOf(one)]?.map(({ text }) => text).join('')
      if (!/^(system|(system, )?user)$/.test(roles.join(', '))) return { refused: `has ${roles}` }
      if (data.tools || data.response_format) return { refused: 'has tools or a response format' }
      if (parts.flat().some((part) => part.text === undefined)) return { refused: 'has more than text' }
      const [system = '', user = ''] = ['system', 'user'].map(textOf)
      if (format === 'NONE' && /\{\{/.test(system + user)) return { refused: 'has {{ as text' }
      const { temperature } = Object(parameters[parameters.type])
      const syntax = format === 'F_STRING' ? 'f-string' : 'mustache'
      return { systemSource: system, userSource: user, syntax, temperature, model: data.model_name }
    },
  },
})

function ask<T>(path: string, { env, fetchJson }: ServiceContext) {
  const headers = { authorization: `Bearer ${env.PHOENIX_API_KEY}` }
  return fetchJson<T>(`${env.PHOENIX_COLLECTOR_ENDPOINT}/v1/${path}`, { headers, allowHttp: true })
}

async function tagOf(slug: string, tag: string, context: ServiceContext): Promise<string | null> {
  const tagged = ask<any>(`prompts/${encodeURIComponent(slug)}/tags/${tag}`, context)
  const missing = (error: any) => (error.status === 404 ? null : Promise.reject(error))
  return tagged.then(({ data }) => data.id, missing)
}
