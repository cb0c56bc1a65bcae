import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registry } from '../../src/cli/commands/registry.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { parseWorkspace, type WorkspaceVersion } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { folderWith, prompts, promptsOnScreen, screenLines } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { serve } from '../helpers/http.ts'
import type { PromptGiven, VersionGiven } from '../helpers/local-service.ts'
import { workspaceOf } from '../helpers/scripted-service.ts'

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
const PROMPTS: readonly PromptGiven[] = Array.from(
  parseWorkspace(HELP_DESK, 'workspace.yaml').prompts.values(),
  ({ live, staging, ...prompt }) => ({
    ...prompt,
    ...textsOf(live),
    ...(staging && { staging: textsOf(staging) }),
  }),
)

function textsOf({ version, system, user }: WorkspaceVersion): VersionGiven {
  return { version, system, user }
}

/** Live versions that authors publish, by slug; what they stand for is no longer staged. */
type Published = Readonly<Record<string, VersionGiven | undefined>>

/** An app whose lock has every prompt, and whose service has published these since. */
async function helpDeskApp(
  versions: Published = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Required<Setting>> {
  const served = new Map(workspaceOf(...PROMPTS).prompts)
  const { url } = await serve({ planStatus: 'active', prompts: served })
  const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live }
  const app = { cwd: await appFolder({ ...FILES, ...files }), env }
  await prompts(['pull'], app)
  commitAll(app.cwd)
  for (const [slug, version] of Object.entries(versions)) {
    const { staging: _, ...prompt } = promptOf(slug)
    const [[, changed] = []] = workspaceOf({ ...prompt, ...version }).prompts
    if (changed !== undefined) served.set(slug, changed)
  }
  return app
}

function promptOf(slug: string): PromptGiven {
  const prompt = PROMPTS.find((each) => each.slug === slug)
  if (prompt === undefined) throw new Error(`There is no ${slug}.`)
  return prompt
}

/** The staging versions of these prompts. */
function staged(...slugs: readonly string[]): Published {
  return Object.fromEntries(slugs.map((slug) => [slug, promptOf(slug).staging]))
}

/** A version of a prompt whose texts are edited. */
function edited(slug: string, version: string, before: string, after: string): Published {
  const { system = '', user = '' } = promptOf(slug)
  const texts = { system: system.replace(before, after), user: user.replace(before, after) }
  return { [slug]: { version, ...texts } }
}

const DOCS = join(import.meta.dirname, '../../src/docs')
const BLOCK = /^```console\n(?<call>.*)\n[^]*?^```$/gm
const COLUMNS = 80

const LOCAL = 'http://127.0.0.1'

/** In place of the address of the test's service, with as many characters, so lines wrap alike. */
const ADDRESS = 'https://ai.example.com'

/** In place of the version of Node. */
const NODE = '22.14.0'

/** In place of commits and their dates. */
const COMMITS = ['8c1f02ab34  2026-03-09', '5d0e77c1f9  2026-02-24']
const COMMIT = /^[\da-f]{10} {2}\d{4}-\d\d-\d\d/gm

/** Where a command of the page runs. */
interface Setting {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** A command whose output is on the page. */
interface Scenario {
  readonly command: string
  readonly setUp: () => Promise<Setting>
  /** Start of the last line, for a command that runs until Ctrl-C. */
  readonly until?: string | undefined
  /** Start of the first line that the page leaves out, with all below it. */
  readonly cutAt?: string | undefined
}

const BREAKING = staged('sales-follow-up', 'support-reply')
const SAFE = staged('sales-follow-up', 'support-triage')

const UPDATES: readonly Scenario[] = [
  { command: 'prompts pull', setUp: () => helpDeskApp(BREAKING) },
  { command: 'prompts pull --skip-breaking', setUp: () => helpDeskApp(BREAKING) },
  {
    command: 'prompts pull --fix --rename support-reply:knowledge=facts --yes',
    setUp: appBeforeRename,
  },
]

/** The commands of the page that need more than an app whose service has updates. */
const COMMANDS: readonly Scenario[] = [
  { command: 'prompts init -y --example', setUp: newApp, cutAt: '--- a/' },
  { command: 'prompts log sales-follow-up', setUp: appWithHistory },
  { command: 'prompts check --all', setUp: appWithoutPlugin },
  {
    command: 'prompts serve workspace.yaml --port 44100',
    setUp: async () => ({ cwd: await folderWith({ 'workspace.yaml': HELP_DESK }) }),
    until: 'The file is read again',
  },
]

test.each([
  { name: 'update-prompts', scenarios: UPDATES },
  { name: 'commands', scenarios: COMMANDS },
])('the examples on the page $name have what they print', async ({ name, scenarios }) => {
  const path = join(DOCS, `${name}.md`)
  const page = await readFile(path, 'utf8')
  const lines = [...page.matchAll(BLOCK)].map(({ groups }) => groups?.['call'] ?? '')
  const calls = lines.map((line) => line.slice('$ '.length))
  expect(calls).toEqual(expect.arrayContaining(scenarios.map(({ command }) => command)))
  const blocks: string[] = []
  for (const command of calls) {
    const usual = { command, setUp: () => helpDeskApp(SAFE) }
    const scenario = scenarios.find((each) => each.command === command) ?? usual
    blocks.push(`\`\`\`console\n$ ${command}\n${await outputOf(scenario)}\n\`\`\``)
  }
  const current = page
    .replaceAll(BLOCK, () => blocks.shift() ?? '')
    .replace(TABLE, await tableOf(page))
  await expect(current, 'Run `npm run update-docs`, and read the difference.').toMatchFileSnapshot(
    path,
  )
})

const TABLE = /^\| every day \|[^]*?^$/m

/** The table of all commands, which link to their sections on a page. */
async function tableOf(page: string): Promise<string> {
  const rows = ['| every day | what it does |', '|---|---|']
  let heading = registry[0]?.group
  for (const { name, alias, group, summary, load } of registry) {
    if (group !== heading) rows.push(`| **${group.toLowerCase()}** | |`)
    heading = group
    const { argument } = await load()
    const call = [alias === undefined ? name : `${name}\`, \`${alias}`, argument?.placeholder]
    const cell = `\`${call.filter(Boolean).join(' ')}\``
    const hasSection = page.includes(`\n## \`prompts ${name}\``)
    const link = hasSection ? `[${cell}](#prompts-${name})` : cell
    rows.push(`| ${link} | ${summary.charAt(0).toLowerCase()}${summary.slice(1)} |`)
  }
  return rows.map((row) => `${row}\n`).join('')
}

/** What is on a screen in the end, without what differs from machine to machine. */
async function outputOf({ command, setUp, until, cutAt }: Scenario): Promise<string> {
  const { cwd, env } = await setUp()
  const args = command.split(' ').slice(1)
  const [, port] = /--port (\d+)/.exec(command) ?? []
  // The system chooses the port. The page shows one of as many digits, so lines align alike.
  const { output } = await promptsOnScreen(
    args.map((argument) => (argument === port ? '0' : argument)),
    { cwd, env, columns: COLUMNS, ...(until === undefined ? {} : { until }) },
  )
  const commits = [...COMMITS]
  const lines = screenLines(output).map((line) => line.trimEnd())
  return shownLines(lines, { until, cutAt })
    .join('\n')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d{5}/g, port === undefined ? ADDRESS : `${LOCAL}:${port}`)
    .replaceAll(process.versions.node, NODE)
    .replaceAll(COMMIT, () => commits.shift() ?? '')
    .trimEnd()
}

function shownLines(
  lines: readonly string[],
  { until, cutAt }: Pick<Scenario, 'until' | 'cutAt'>,
): readonly string[] {
  const indexOf = (start: string): number => lines.findIndex((line) => line.startsWith(start))
  if (until !== undefined) return lines.slice(0, indexOf(until) + 1)
  if (cutAt !== undefined) return [...lines.slice(0, indexOf(cutAt)), '…']
  return lines
}

/** A project that builds with Vite and depends on this package, and no more. */
async function newApp(): Promise<Setting> {
  const devDependencies = { 'unplugin-prompts': '1.0.0', vite: '8.0.0' }
  const cwd = await folderWith({
    'package.json': JSON.stringify({ type: 'module', devDependencies }, undefined, 2),
    'vite.config.ts': `import { defineConfig } from 'vite'\n\nexport default defineConfig({})\n`,
    '.gitignore': 'node_modules\n',
  })
  return { cwd }
}

/** An app before a variable of one prompt is renamed and another prompt needs a new one. */
function appBeforeRename(): Promise<Setting> {
  const tone = 'in this tone: {{ tone }}.'
  return helpDeskApp({
    ...edited('support-reply', 'v9', '{{ knowledge }}', '{{ facts }}'),
    ...edited('support-triage', 'v23', tone, `in {{ language }}, ${tone}`),
  })
}

/** An app that committed a pull. */
async function appWithHistory(): Promise<Setting> {
  const app = await helpDeskApp(staged('sales-follow-up'))
  expect(await prompts(['pull', '--yes'], app)).toMatchObject({ code: 0 })
  commitAll(app.cwd)
  return app
}

/** An app whose key is in `.env.local`, and whose bundler lacks the plugin. */
async function appWithoutPlugin(): Promise<Setting> {
  const { cwd, env } = await helpDeskApp({}, { 'vite.config.ts': 'export default {}\n' })
  const values = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(cwd, '.env.local'), values.join(''))
  return { cwd }
}
