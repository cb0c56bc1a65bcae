// Renders prompts one way, again and again, and sends the time of one.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const [way, folder, count, duration] = process.argv.slice(2)

const WAYS = {
  async ours() {
    const { prompts } = await load('prompts/index.js')
    return ({ slug }) => {
      const prompt = prompts[slug]
      return (values) => prompt.render(values)
    }
  },
  async handWritten() {
    const module = await load('hand-written.js')
    return ({ slug }) => module[slug.replaceAll('-', '_')]
  },
  async paraglide() {
    const { m } = await load('paraglide/messages.js')
    return ({ slug }) => {
      const name = slug.replaceAll('-', '_')
      const [system, user] = [m[`${name}_system`], m[`${name}_user`]]
      return (values) => compose(system(values), user(values))
    }
  },
  async handlebars() {
    const { default: handlebars } = await import('handlebars')
    const compile = (text) => {
      const code = handlebars.precompile(text, { noEscape: true, strict: true })
      return handlebars.template(new Function(`return ${code}`)())
    }
    return (prompt) => {
      const [system, user] = [compile(prompt.system), compile(prompt.user)]
      return (values) => compose(system(values), user(values))
    }
  },
  async mustache() {
    const { default: mustache } = await import('mustache')
    const config = { escape: String }
    return ({ system, user }) =>
      (values) =>
        compose(
          mustache.render(system, values, undefined, config),
          mustache.render(user, values, undefined, config),
        )
  },
  async langfuse() {
    const { ChatPromptClient } = await import('@langfuse/client')
    return ({ slug, system, user }) => {
      const prompt = [
        { type: 'chatmessage', role: 'system', content: system },
        { type: 'chatmessage', role: 'user', content: user },
      ]
      const client = new ChatPromptClient({ name: slug, version: 1, prompt, config: {} })
      return (values) => {
        const messages = client.compile(values)
        return compose(messages[0].content, messages[1].content)
      }
    }
  },
}

function compose(system, user) {
  return {
    system,
    user,
    text: `${system}\n\n${user}`,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  }
}

function load(file) {
  return import(pathToFileURL(join(folder, file)).href)
}

const prompts = JSON.parse(await readFile(join(folder, 'prompts.json'), 'utf8'))
const make = await WAYS[way]()
const renders = prompts.slice(0, Number(count)).map(make)
const values = Array.from({ length: 16 }, (_, index) => ({
  ticket: `T-${index}`,
  customer_name: `Customer ${index}`,
  product: index % 2 === 0 ? 'desk' : 'chair',
  tone: 'calm',
  history: `${index} earlier tickets`,
}))
const wanted = (text) => text.includes('T-3') && text.includes('Customer 3') && text.length > 2000
if (!renders.every((render) => wanted(render(values[3]).text))) throw new Error(`${way} is wrong`)

let kept
/** One turn over all prompts, `turns` times. */
function turn(turns) {
  for (let index = 0; index < turns; index++) {
    for (const render of renders) kept = render(values[index & 15])
  }
}

const turns = Math.ceil(2000 / renders.length)
const best = []
const end = performance.now() + Number(duration)
for (let now = performance.now(); now < end;) {
  turn(turns)
  const next = performance.now()
  best.push((next - now) / (turns * renders.length))
  now = next
}
// The first half warms up.
const measured = best.slice(best.length >> 1).toSorted((a, b) => a - b)
process.send({ each: measured[measured.length >> 1], kept: kept.text.length })
