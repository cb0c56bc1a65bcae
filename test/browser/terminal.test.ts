import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { promptsOnScreen } from '../helpers/cli.ts'
import { keepScreenshot, visit } from '../helpers/page/browser.ts'
import { playgroundLock, testProject } from '../helpers/page/project.ts'

const CODE = `import { prompts } from 'virtual:prompts'

interface Ticket {
  customer: string
  question: string
  knowledge: string
}

export function draftReply({ customer, question, knowledge }: Ticket) {
  return prompts.supportReply.render({
    product: 'Northwind Desk',
    customer_name: customer,
    ticket: question,
    knowledge,
  })
}
`

/** GitHub's colours, as far as the commands use them. */
const THEMES = {
  light: {
    background: '#ffffff',
    foreground: '#1f2328',
    red: '#cf222e',
    green: '#116329',
    yellow: '#9a6700',
  },
  dark: {
    background: '#0d1117',
    foreground: '#e6edf3',
    red: '#ff7b72',
    green: '#3fb950',
    yellow: '#d29922',
  },
} as const

/** With which clack begins to replace a question by its answer. */
const REDRAW = '\u001b[999D'

test.each([
  { columns: 88, looks: { light: 'light', dark: 'dark' } },
  { columns: 44, looks: { narrow: 'dark' } },
] as const)(
  'the question of a pull that would break the app fits a terminal of $columns columns',
  async ({ columns, looks }) => {
    const lock = await playgroundLock()
    const drafts = lock.parts.filter(({ environment }) => environment === 'test')
    const published = (part: PinnedPrompt): PinnedPrompt => {
      const isNew = ['support-reply', 'support-triage'].includes(part.slug)
      const draft = drafts.find(({ slug }) => isNew && slug === part.slug)
      return { ...(draft ?? part), environment: part.environment }
    }
    const files = { 'tsconfig.json': APP_TSCONFIG, 'src/reply.ts': CODE }
    const served = { ...lock, parts: lock.parts.map(published) }
    const { root, env } = await testProject(lock, { served, files })
    const call = { cwd: root, env, columns, steps: [{ await: 'Cancel', send: '\r' }] }
    const { output } = await promptsOnScreen(['pull'], call)
    const [asked = ''] = output.split(REDRAW)
    // As a terminal does.
    const text = `\u001b[32m$\u001b[39m npx prompts pull\n${asked}`.replaceAll('\n', '\r\n')
    for (const [name, look] of Object.entries(looks)) {
      const { page, lines, broken } = await showTerminal(text, columns, look)
      expect(broken).toEqual([])
      expect(lines).toContain('src/reply.ts:10:38')
      expect(lines).toContain('Choose prompts')
      // A new variable has no edit.
      expect(lines).not.toContain('Fix call sites')
      await keepScreenshot(page, `terminal-${name}`)
    }
  },
)

/**
 * Shows what a command printed in xterm.js, the terminal of VS Code.
 *
 * @param output - bytes of a pseudo-terminal
 * @returns the page, as large as the text, its lines, and those that the terminal had to break
 */
async function showTerminal(
  output: string,
  columns: number,
  look: keyof typeof THEMES,
): Promise<{ page: Page; lines: string; broken: string[] }> {
  const { page } = await visit('about:blank', { colorScheme: look, deviceScaleFactor: 2 })
  await page.setContent('<body style="margin:0;padding:16px;display:inline-block"></body>')
  await page.addStyleTag({ path: require.resolve('@xterm/xterm/css/xterm.css') })
  await page.addScriptTag({ path: require.resolve('@xterm/xterm') })
  const shown = await page.evaluate<{ lines: string; broken: string[] }>(
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
      const textOf = (line) => line.translateToString(true)
      terminal.resize(columns, lines.findLastIndex((line) => textOf(line) !== '') + 1)
      const broken = lines.filter((line) => line.isWrapped).map(textOf)
      return { lines: lines.map(textOf).join('\\n'), broken }
    })(${JSON.stringify({ output, columns, rows: 60, theme: THEMES[look] })})`,
  )
  const { width = 0, height = 0 } = (await page.locator('.xterm-screen').boundingBox()) ?? {}
  await page.setViewportSize({ width: Math.ceil(width) + 32, height: Math.ceil(height) + 32 })
  return { page, ...shown }
}

const require = createRequire(import.meta.url)
