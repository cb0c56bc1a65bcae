import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registry } from '../../src/cli/commands/registry.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { parseWorkspace, type WorkspaceVersion } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { prompts, promptsOnScreen, screenLines } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { serve } from '../helpers/http.ts'
import { type GivenPrompt, workspaceOf } from '../helpers/local-service.ts'

/** The workspace of the playground, as YAML. */
const HELP_DESK: string = readFileSync(
  join(import.meta.dirname, '../../playground/workspace.yaml'),
  'utf8',
)

/** A small app that uses two prompts of the playground. */
const FILES = {
  'package.json': '{ "devDependencies": { "unplugin-prompts": "1.0.0", "vite": "8.0.0" } }\n',
  'vite.config.ts': `import prompts from 'unplugin-prompts/vite'

export default { plugins: [prompts()] }
`,
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  '.gitignore': 'node_modules\n.env.local\n*.map\n',
  'src/reply.ts': `import { prompts, type PromptMessage } from 'virtual:prompts'

export interface Conversation {
  customer: string
  ticket: string
  knowledge: string
}

export function replyMessages({ customer, ticket, knowledge }: Conversation): PromptMessage[] {
  return prompts.supportReply.render({
    product: 'Northwind Desk',
    customer_name: customer,
    ticket,
    knowledge,
  }).messages
}
`,
  'src/triage.ts': `import { prompts } from 'virtual:prompts'

export function triageText(ticket: string): string {
  return prompts.supportTriage.render({ ticket, tone: 'calm' }).text
}
`,
}

/** The prompts of the playground, as its authors have them before the examples. */
const PROMPTS: readonly GivenPrompt[] = Array.from(
  parseWorkspace(HELP_DESK, 'workspace.yaml').prompts.values(),
  ({ live, staging, ...prompt }) => ({
    ...prompt,
    ...textsOf(live),
    ...(staging && { staging: textsOf(staging) }),
  }),
)

function textsOf({ version, system, user }: WorkspaceVersion) {
  return { version, system, user }
}

/** Live versions that authors publish, by slug; what they stand for is no longer staged. */
type Published = Readonly<Record<string, GivenPrompt['staging']>>

/** An app whose lock has every prompt, and whose service has published these since. */
async function helpDeskApp(
  versions: Published,
): Promise<{ readonly cwd: string; readonly env: Readonly<Record<string, string>> }> {
  const served = new Map(workspaceOf(...PROMPTS).prompts)
  const { url } = await serve({ planStatus: 'active', prompts: served })
  const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live }
  const app = { cwd: await appFolder(FILES), env }
  await prompts(['pull'], app)
  commitAll(app.cwd)
  for (const [slug, version] of Object.entries(versions)) {
    const { staging: _, ...prompt } = promptOf(slug)
    const [[, changed] = []] = workspaceOf({ ...prompt, ...version }).prompts
    if (changed !== undefined) served.set(slug, changed)
  }
  return app
}

function promptOf(slug: string): GivenPrompt {
  const prompt = PROMPTS.find((each) => each.slug === slug)
  if (prompt === undefined) throw new Error(`There is no ${slug}.`)
  return prompt
}

/** The staging versions of these prompts. */
function staged(...slugs: readonly string[]): Published {
  return Object.fromEntries(slugs.map((slug) => [slug, promptOf(slug).staging]))
}

const DOCS = join(import.meta.dirname, '../../src/docs')
const BLOCK = /^```console\n\$ prompts (?<call>.*)\n[^]*?^```$/gm
const COLUMNS = 80

const UPDATED = 'Run `npm run update-docs`, and read the difference.'

test('the examples on the page of updates have what they print', async () => {
  const path = join(DOCS, 'update-prompts.md')
  const page = await readFile(path, 'utf8')
  const calls = [...page.matchAll(BLOCK)].map(({ groups }) => groups?.['call'] ?? '')
  const updates = staged('sales-follow-up', 'support-reply')
  const blocks: string[] = []
  for (const call of calls) {
    const output = await outputOf(call.split(' '), updates)
    blocks.push(`\`\`\`console\n$ prompts ${call}\n${output}\n\`\`\``)
  }
  expect(blocks).not.toEqual([])
  const current = page.replaceAll(BLOCK, () => blocks.shift() ?? '')
  await expect(current, UPDATED).toMatchFileSnapshot(path)
})

test('the page of commands lists them by group, with links to its sections', async () => {
  const path = join(DOCS, 'commands.md')
  const page = await readFile(path, 'utf8')
  const current = page.replace(LIST, listOf(page))
  await expect(current, UPDATED).toMatchFileSnapshot(path)
})

/** What is on a screen in the end, in an app whose service has these updates. */
async function outputOf(args: readonly string[], updates: Published): Promise<string> {
  const app = await helpDeskApp(updates)
  const { output } = await promptsOnScreen(args, { ...app, columns: COLUMNS })
  const lines = screenLines(output).map((line) => line.trimEnd())
  return lines.join('\n').trimEnd()
}

const LIST = /^\*\*Every day\*\*[^]*?^$/m

/** The commands by group, which link to their sections on a page. */
function listOf(page: string): string {
  const groups = [...new Set(registry.map(({ group }) => group))]
  const lines = groups.map((group) => {
    const commands = registry.filter((command) => command.group === group)
    return `**${group}**: ${commands.map(({ name }) => linked(name, page)).join(', ')}`
  })
  return `${lines.join(' · ')}\n`
}

function linked(name: string, page: string): string {
  const hasSection = page.includes(`\n## \`prompts ${name}\``)
  return hasSection ? `[\`${name}\`](#prompts-${name})` : `\`${name}\``
}
