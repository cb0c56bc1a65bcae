import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { promptsOnScreen } from '../helpers/cli.ts'
import { keepScreenshot, pageBrowser } from '../helpers/page/browser.ts'
import { lockFrom, playgroundWorkspace, testProject } from '../helpers/page/project.ts'
import { showTerminal } from '../helpers/page/terminal-picture.ts'

const FILES = {
  'package.json': JSON.stringify({ type: 'module' }),
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]').replace(
    '"noEmit":true',
    '"noEmit":true,"allowImportingTsExtensions":true',
  ),
  'src/reply.ts': [
    `import { prompts } from 'virtual:prompts'`,
    '',
    'interface Ticket {',
    '  customer: string',
    '  question: string',
    '  knowledge: string',
    '}',
    '',
    'export function draftReply({ customer, question, knowledge }: Ticket) {',
    '  return prompts.supportReply.render({',
    `    product: 'Northwind Desk',`,
    '    customer_name: customer,',
    '    ticket: question,',
    '    knowledge,',
    '  })',
    '}',
    '',
  ].join('\n'),
}
/** With which clack begins to replace a question by its answer. */
const REDRAW = '\u001b[999D'

const browser = pageBrowser()

/** An app with the playground's prompts, of which two have a newer live version. */
async function appBehindTheService(): Promise<{ cwd: string; env: Record<string, string> }> {
  const workspace = await playgroundWorkspace()
  const { root, serve, service } = await testProject(lockFrom(workspace), {
    workspace,
    files: FILES,
  })
  const prompts = new Map(workspace.prompts)
  for (const slug of ['support-reply', 'support-triage']) {
    const prompt = prompts.get(slug)
    if (prompt?.staging) prompts.set(slug, { ...prompt, live: prompt.staging })
  }
  await serve({ ...workspace, prompts })
  return {
    cwd: root,
    env: { PROMPTS_BASE_URL: service.url, PROMPTS_API_KEY: LOCAL_KEYS.live },
  }
}

test.each([
  { columns: 88, looks: { light: 'light', dark: 'dark' } },
  { columns: 44, looks: { narrow: 'dark' } },
] as const)(
  'the question of a pull that would break the app fits a terminal of $columns columns',
  async ({ columns, looks }) => {
    const { cwd, env } = await appBehindTheService()
    const steps = [{ await: 'Cancel', send: '\r' }]
    const { output } = await promptsOnScreen(['pull'], { cwd, env, columns, steps })
    const typed = '\u001b[32m$\u001b[39m npx prompts pull\n'
    const [asked = ''] = output.split(REDRAW)
    // As a terminal does.
    const lines = (typed + asked).replaceAll('\n', '\r\n')
    for (const [name, colorScheme] of Object.entries(looks)) {
      const shown = await showTerminal(browser(), lines, { columns, colorScheme })
      expect(shown.broken).toEqual([])
      expect(shown.lines.join('\n')).toContain('src/reply.ts:10:38')
      expect(shown.lines.join('\n')).toContain('Fix call sites')
      await keepScreenshot(shown.page, `terminal-${name}`)
    }
  },
)
