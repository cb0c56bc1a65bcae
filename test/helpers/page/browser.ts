import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { findBrowser } from '../find-browser.js'
import { SOON } from '../soon.ts'
import { servedPage, type TestProject } from './project.ts'

/** The files of a worker share the browser, which ends with the worker; each visit has its own context. */
let browser: Promise<Browser> | undefined

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
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (
    await (browser ??= launchBrowser())
  ).newContext({
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

/** Opens the page of a project at a path. */
export async function openPage(
  project: TestProject,
  path: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  const { url } = await servedPage(project)
  return (await visit(url + path, options)).page
}

/** The prompts that a document lists. */
export async function listedSlugs(page: Page): Promise<string[]> {
  // Not the inner texts: those of rows that the browser has yet to draw are empty.
  return page.locator('.rows a .slug').allTextContents()
}

/**
 * Takes a picture for people to look at in `npm run screenshots`. Other runs do not, since fonts
 * differ from machine to machine.
 */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['KEEP_SCREENSHOTS'] === undefined) return
  const path = join(import.meta.dirname, '../../browser/screenshots', `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
}

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Holds the page to WCAG 2.2 AA, which has the size of targets, and axe's best practices. */
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
