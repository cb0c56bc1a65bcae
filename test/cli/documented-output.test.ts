import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { parseWorkspace } from '../../src/local-service/workspace-file.ts'
import type { WorkspacePrompt } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { folderWith, prompts, promptsOnScreen, screenLines } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { serve } from '../helpers/http.ts'

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

/** An app whose lock has every prompt of {@link HELP_DESK}, and the service that they come from. */
interface HelpDeskApp {
  readonly cwd: string
  /** Variables by which the commands find the service. */
  readonly env: Readonly<Record<'PROMPTS_BASE_URL' | 'PROMPTS_API_KEY', string>>
  /** Makes the staging version of these prompts their live version. */
  publish(...slugs: readonly string[]): void
  /** Publishes a version of a prompt whose texts are edited. */
  update(slug: string, version: string, edit: (text: string) => string): void
}

/**
 * Creates the app in a folder, and starts its service. Both end with the test.
 *
 * @param files - in addition to those of the app, or instead of them
 */
async function helpDeskApp(files: Readonly<Record<string, string>> = {}): Promise<HelpDeskApp> {
  const { planStatus, prompts: served } = parseWorkspace(HELP_DESK, 'workspace.yaml')
  const current = new Map(served)
  const workspace = { planStatus, prompts: current }
  const { url } = await serve(workspace)
  const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live }
  const cwd = await appFolder({ ...FILES, ...files })
  await prompts(['pull'], { cwd, env })
  const change = (
    slug: string,
    live: (prompt: WorkspacePrompt) => WorkspacePrompt['live'],
  ): void => {
    const prompt = current.get(slug)
    if (prompt === undefined) throw new Error(`There is no ${slug}.`)
    current.set(slug, { ...prompt, live: live(prompt), staging: null })
  }
  return {
    cwd,
    env,
    publish(...slugs) {
      for (const slug of slugs) change(slug, ({ live, staging }) => staging ?? live)
    },
    update(slug, version, edit) {
      change(slug, ({ live }) => {
        const [system, user, source] = [edit(live.system), edit(live.user), edit(live.source)]
        return { ...live, version, system, user, source }
      })
    },
  }
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
type Setting = Pick<HelpDeskApp, 'cwd'> & Partial<Pick<HelpDeskApp, 'env'>>

/** A command whose output is on the page. */
interface Scenario {
  readonly command: string
  readonly setUp: () => Promise<Setting>
  /** Start of the last line, for a command that runs until Ctrl-C. */
  readonly until?: string | undefined
  /** Start of the first line that the page leaves out, with all below it. */
  readonly cutAt?: string | undefined
}

/** In the order of the page. */
const UPDATES: readonly Scenario[] = [
  { command: 'prompts pull', setUp: () => published('sales-follow-up', 'support-reply') },
  {
    command: 'prompts pull --skip-breaking',
    setUp: () => published('sales-follow-up', 'support-reply'),
  },
  {
    command: 'prompts pull --fix --rename support-reply:knowledge=facts --yes',
    setUp: appBeforeRename,
  },
]

/** In the order of the page. */
const COMMANDS: readonly Scenario[] = [
  { command: 'prompts init -y --example', setUp: newApp, cutAt: '--- a/' },
  { command: 'prompts diff sales-follow-up', setUp: () => published('sales-follow-up') },
  { command: 'prompts log sales-follow-up', setUp: appWithHistory },
  { command: 'prompts check', setUp: () => published('sales-follow-up', 'support-triage') },
  { command: 'prompts doctor', setUp: appWithoutPlugin },
  {
    command: 'prompts serve workspace.yaml --port 44100',
    setUp: async () => ({ cwd: await folderWith({ 'workspace.yaml': HELP_DESK }) }),
    until: 'The file is read again',
  },
]

test.each([
  { name: 'update-prompts', scenarios: UPDATES },
  { name: 'commands', scenarios: COMMANDS },
])(
  'the examples on the page $name are these, with what they print',
  async ({ name, scenarios }) => {
    const path = join(DOCS, `${name}.md`)
    const page = await readFile(path, 'utf8')
    const examples = [...page.matchAll(BLOCK)].map(({ groups }) => groups?.['call'])
    expect(examples).toEqual(scenarios.map(({ command }) => `$ ${command}`))
    const blocks: string[] = []
    for (const scenario of scenarios) {
      blocks.push(`\`\`\`console\n$ ${scenario.command}\n${await outputOf(scenario)}\n\`\`\``)
    }
    const current = page.replaceAll(BLOCK, () => blocks.shift() ?? '')
    await expect(
      current,
      'Run `npm run update-docs`, and read the difference.',
    ).toMatchFileSnapshot(path)
  },
)

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

/** An app after the staging versions of these prompts were published. */
async function published(...slugs: readonly string[]): Promise<HelpDeskApp> {
  const app = await helpDeskApp()
  app.publish(...slugs)
  return app
}

/** An app in git, before a variable of one prompt is renamed and another prompt needs a new one. */
async function appBeforeRename(): Promise<HelpDeskApp> {
  const app = await helpDeskApp()
  commitAll(app.cwd)
  app.update('support-reply', 'v9', (text) => text.replace('{{ knowledge }}', '{{ facts }}'))
  app.update('support-triage', 'v23', (text) =>
    text.replace('in this tone: {{ tone }}.', 'in {{ language }}, in this tone: {{ tone }}.'),
  )
  return app
}

/** An app that committed a pull. */
async function appWithHistory(): Promise<HelpDeskApp> {
  const app = await helpDeskApp()
  commitAll(app.cwd)
  app.publish('sales-follow-up')
  expect(await prompts(['pull', '--yes'], app)).toMatchObject({ code: 0 })
  commitAll(app.cwd)
  return app
}

/** An app in git whose key is in `.env.local`, and whose bundler lacks the plugin. */
async function appWithoutPlugin(): Promise<Setting> {
  const app = await helpDeskApp({ 'vite.config.ts': 'export default {}\n' })
  commitAll(app.cwd)
  const values = Object.entries(app.env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(app.cwd, '.env.local'), values.join(''))
  return { cwd: app.cwd }
}
