import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible, keepScreenshot, visit } from './browser.ts'

/** Windows, and in which looks each is examined. */
const WINDOWS = [
  { looks: ['light', 'dark'], options: { viewport: { width: 1440, height: 900 } } },
  { looks: ['narrow'], options: { viewport: { width: 375, height: 667 }, hasTouch: true } },
] as const

/** A state of the page. */
export interface ShownState {
  /** Of its screenshots. */
  readonly name: string
  readonly url: string
  /** Brings an opened page into the state. */
  readonly settle: (page: Page) => Promise<unknown>
  /** Whether to keep pictures in `npm run screenshots`. Default: false. */
  readonly isKept?: boolean
}

/** Opens a state of the page in every window, where nothing may be inaccessible, cut off or logged. */
export async function lookAt(
  browser: Browser,
  { name, url, settle, isKept = false }: ShownState,
): Promise<void> {
  for (const { looks, options } of WINDOWS) {
    const { page, complaints } = await visit(browser, url, options)
    await settle(page)
    for (const look of looks) {
      await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' })
      if (isKept) await keepScreenshot(page, `${name}-${look}`)
      await expectAccessible(page)
      if (look === 'narrow') await expectNothingCutOff(page)
      expect({ look, complaints }).toEqual({ look, complaints: [] })
    }
    await page.context().close()
  }
}

/** WCAG 1.4.10: 320 pixels are the width of a window of 1280 at 400 % zoom. */
async function expectNothingCutOff(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 568 })
  const cutOff = `[...document.querySelectorAll('#app, main, .sidebar, .header, .body')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ className, id }) => id || className)`
  expect(await page.evaluate(cutOff)).toEqual([])
}
