import { join, resolve } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest'
import { buildPage } from './built-page.ts'

/**
 * Builds the page and connects to Chromium before the tests of a file.
 *
 * @returns a function that returns the browser once the tests run
 */
export function pageBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    await buildPage()
    browser = await chromium.connect(inject('browser'))
  })
  afterAll(() => browser?.close())
  return () => {
    if (browser === undefined) throw new Error('The browser is there in tests only.')
    return browser
  }
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
  page.setDefaultTimeout(10_000)
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

/** Holds the page to WCAG 2.2 AA, which has the size of targets, and axe's best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const violations = await page.evaluate<unknown>(`
    axe.run(document, { rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => html + ' ' + failureSummary),
      })),
    )`)
  expect(violations).toEqual([])
}
