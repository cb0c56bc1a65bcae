import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { findBrowser } from '../find-browser.js'
import { SOON } from '../soon.ts'

const require = createRequire(import.meta.url)

/**
 * Starts Chromium before the tests of a file. The files of a worker share the
 * browser, which ends with the worker; each visit has a context of its own.
 *
 * @returns a function that returns the browser once the tests run
 */
export function pageBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await (shared ??= launchBrowser())
  })
  return () => {
    if (browser === undefined) throw new Error('The browser is there in tests only.')
    return browser
  }
}

let shared: Promise<Browser> | undefined

async function launchBrowser(): Promise<Browser> {
  const launch = findBrowser()
  return chromium.launch({ ...launch, args: [...launch.args] }).catch((cause: unknown) => {
    const reason = /error while loading shared libraries: .*/.exec(String(cause))?.[0]
    throw new Error(
      `Chromium at ${launch.executablePath} does not start${reason ? ` (${reason})` : ''}. ` +
        'Set CHROMIUM to the path of one that does, or to `off` to leave out the tests in a browser.',
      { cause },
    )
  })
}

/** The page under test, and the logs that must stay empty. */
export interface Visit {
  readonly page: Page
  /** Warnings and errors of the console, and uncaught errors. */
  readonly complaints: readonly string[]
}

/** Opens a URL in a new window that is closed after the test. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(SOON.timeout)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  return { page, complaints }
}

const SCREENSHOTS = resolve(import.meta.dirname, '../../browser/screenshots')

/**
 * Takes a picture for people to look at in `npm run screenshots`. Other runs do not, since fonts
 * differ from machine to machine.
 */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['KEEP_SCREENSHOTS'] === undefined) return
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' })
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Holds the page to WCAG 2.2 AA, which has the size of targets, and axe's best practices.
 *
 * @param rules - `colours` leaves out what does not depend on colours
 */
export async function expectAccessible(
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  const options =
    rules === 'all'
      ? { rules: { 'target-size': { enabled: true } } }
      : { runOnly: ['color-contrast', 'link-in-text-block'] }
  const violations = await page.evaluate<unknown>(`
    axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary),
      })),
    )`)
  expect(violations).toEqual([])
}
