import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { promptsOnScreen } from '../helpers/cli.ts'
import { keepScreenshot, visit } from '../helpers/page/browser.ts'
import { playgroundLock, testProject, type TestProject } from '../helpers/page/project.ts'

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
const require = createRequire(import.meta.url)

/** Colours of the terminal, in the order of ANSI. GitHub's light and dark palettes. */
const THEMES: Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>> = {
  light: {
    background: '#ffffff',
    foreground: '#1f2328',
    black: '#1f2328',
    red: '#cf222e',
    green: '#116329',
    yellow: '#9a6700',
    blue: '#0969da',
    magenta: '#8250df',
    cyan: '#1b7c83',
    white: '#59636e',
    brightBlack: '#59636e',
    brightRed: '#a40e26',
    brightCyan: '#1b7c83',
  },
  dark: {
    background: '#0d1117',
    foreground: '#e6edf3',
    black: '#484f58',
    red: '#ff7b72',
    green: '#3fb950',
    yellow: '#d29922',
    blue: '#58a6ff',
    magenta: '#bc8cff',
    cyan: '#39c5cf',
    white: '#b1bac4',
    brightBlack: '#8b949e',
    brightRed: '#ffa198',
    brightCyan: '#56d4dd',
  },
}

/** With which clack begins to replace a question by its answer. */
const REDRAW = '\u001b[999D'

/** An app with the playground's prompts, of which two have a newer live version. */
async function appBehindTheService(): Promise<TestProject> {
  const lock = await playgroundLock()
  const drafts = lock.parts.filter(({ environment, slug }) => {
    return environment === 'test' && ['support-reply', 'support-triage'].includes(slug)
  })
  const live = lock.parts.filter(({ environment }) => environment === 'live')
  const newer = live.map((part) => ({
    ...(drafts.find(({ slug }) => slug === part.slug) ?? part),
    environment: 'live' as const,
  }))
  return testProject(
    { environment: 'live', parts: live },
    { served: { environment: 'live', parts: newer }, files: FILES },
  )
}

test.each([
  { columns: 88, looks: { light: 'light', dark: 'dark' } },
  { columns: 44, looks: { narrow: 'dark' } },
] as const)(
  'the question of a pull that would break the app fits a terminal of $columns columns',
  async ({ columns, looks }) => {
    const { root: cwd, env } = await appBehindTheService()
    const steps = [{ await: 'Cancel', send: '\r' }]
    const { output } = await promptsOnScreen(['pull'], { cwd, env, columns, steps })
    const typed = '\u001b[32m$\u001b[39m npx prompts pull\n'
    const [asked = ''] = output.split(REDRAW)
    // As a terminal does.
    const lines = (typed + asked).replaceAll('\n', '\r\n')
    for (const [name, colorScheme] of Object.entries(looks)) {
      const shown = await showTerminal(lines, { columns, colorScheme })
      expect(shown.broken).toEqual([])
      expect(shown.lines.join('\n')).toContain('src/reply.ts:10:38')
      expect(shown.lines.join('\n')).toContain('Fix call sites')
      await keepScreenshot(shown.page, `terminal-${name}`)
    }
  },
)

/**
 * Shows what a command printed in xterm.js, the terminal of VS Code.
 *
 * @param output bytes of a pseudo-terminal with `columns` columns
 * @returns the page, as large as the text, and the lines that the terminal had to break
 */
async function showTerminal(
  output: string,
  { columns, colorScheme }: { columns: number; colorScheme: 'light' | 'dark' },
): Promise<{ page: Page; lines: string[]; broken: string[] }> {
  const { page } = await visit('about:blank', { colorScheme, deviceScaleFactor: 2 })
  await page.setContent('<body style="margin:0;padding:16px;display:inline-block"></body>')
  await page.addStyleTag({ path: require.resolve('@xterm/xterm/css/xterm.css') })
  await page.addScriptTag({ path: require.resolve('@xterm/xterm') })
  const shown: unknown = await page.evaluate(
    `(async ({ output, columns, rows, theme }) => {
      document.body.style.background = theme.background
      const terminal = new Terminal({
        cols: columns, rows, theme, fontSize: 15, lineHeight: 1.25,
        fontFamily: '"JetBrains Mono", "DejaVu Sans Mono", ui-monospace, monospace',
        cursorInactiveStyle: 'none', scrollback: 0,
      })
      terminal.open(document.body)
      await new Promise((written) => terminal.write(output.trimEnd(), written))
      const { active } = terminal.buffer
      const lines = Array.from({ length: rows }, (_, row) => active.getLine(row))
      const used = lines.findLastIndex((line) => line.translateToString(true) !== '') + 1
      terminal.resize(columns, used)
      return {
        lines: lines.slice(0, used).map((line) => line.translateToString(true)),
        broken: lines.filter((line) => line.isWrapped).map((line) => line.translateToString(true)),
      }
    })(${JSON.stringify({ output, columns, rows: 60, theme: THEMES[colorScheme] })})`,
  )
  const box = await page.locator('.xterm-screen').boundingBox()
  if (box === null) throw new Error('The terminal is not on the page.')
  await page.setViewportSize({
    width: Math.ceil(box.width) + 32,
    height: Math.ceil(box.height) + 32,
  })
  return { page, ...(shown as { lines: string[]; broken: string[] }) }
}
