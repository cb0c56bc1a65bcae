import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { startServer } from '../../src/local-service/serve.ts'
import { parseWorkspace } from '../../src/local-service/workspace-file.ts'
import type { WorkspacePrompt } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG, appFolder } from './app-folder.ts'
import { prompts } from './cli.ts'

/** The workspace of the playground, as YAML. */
export const HELP_DESK: string = readFileSync(
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
export interface HelpDeskApp {
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
export async function helpDeskApp(
  files: Readonly<Record<string, string>> = {},
): Promise<HelpDeskApp> {
  const { planStatus, prompts: served } = parseWorkspace(HELP_DESK, 'workspace.yaml')
  const current = new Map(served)
  const workspace = { planStatus, prompts: current }
  const server = await startServer({ readWorkspace: () => Promise.resolve(workspace) })
  onTestFinished(() => server.close())
  const env = { PROMPTS_BASE_URL: server.url, PROMPTS_API_KEY: LOCAL_KEYS.live }
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
      change(slug, ({ live: { system, user, source } }) => ({
        version,
        system: edit(system),
        user: edit(user),
        source: edit(source),
      }))
    },
  }
}
