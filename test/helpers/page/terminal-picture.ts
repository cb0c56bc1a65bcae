import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { visit } from './browser.ts'

const require = createRequire(import.meta.url)

type ColorScheme = 'light' | 'dark'

/** Colours of the terminal, in the order of ANSI. GitHub's light and dark palettes. */
const THEMES: Readonly<Record<ColorScheme, Readonly<Record<string, string>>>> = {
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

/**
 * Shows what a command printed in xterm.js, the terminal of VS Code.
 *
 * @param output bytes of a pseudo-terminal with `columns` columns
 * @returns the page, as large as the text, and the lines that the terminal had to break
 */
export async function showTerminal(
  browser: Browser,
  output: string,
  { columns, colorScheme }: { columns: number; colorScheme: ColorScheme },
): Promise<{ page: Page; lines: string[]; broken: string[] }> {
  const { page } = await visit(browser, 'about:blank', { colorScheme, deviceScaleFactor: 2 })
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
