import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible, keepScreenshot, visit } from './browser.ts'

export interface ShownState {
  /** Of its screenshots. */
  readonly name: string
  readonly url: string
  /** Brings an opened page into the state. */
  readonly settle: (page: Page) => Promise<unknown>
  /** Whether to keep pictures in `npm run screenshots`. Default: false. */
  readonly isKept?: boolean
}

/** Opens a state, where nothing may be inaccessible, cut off or logged: dark, light and on a phone. */
export async function lookAt(
  browser: Browser,
  { name, url, settle, isKept = false }: ShownState,
): Promise<void> {
  const viewport = { width: 1440, height: 900 }
  const { page, complaints } = await visit(browser, url, { viewport, colorScheme: 'dark' })
  const expectGood = async (look: string, rules?: 'colours'): Promise<void> => {
    if (isKept) await keepScreenshot(page, `${name}-${look}`)
    await expectAccessible(page, rules)
    expect({ look, complaints }).toEqual({ look, complaints: [] })
  }
  await settle(page)
  await expectGood('dark')
  await expectNothingWraps(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNothingWraps(page)
  // Nothing but `light-dark()` depends on the scheme.
  await expectGood('light', 'colours')
  await makeNarrow(page)
  // Styles follow the window. Only the layout of a comparison is chosen when it is opened.
  if (url.includes('/compare')) {
    await page.reload()
    await settle(page)
  }
  await expectGood('narrow')
  await expectNothingCutOff(page)
}

/** What has one line at 1280 pixels: bars, rows and buttons. */
const LINES =
  '.header, .toolbar, .change summary, .change .actions, .views, .row > a, .button, .facts'

async function expectNothingWraps(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1280, height: 800 })
  const wrapped = await page.evaluate<string[]>(`
    [...document.querySelectorAll(${JSON.stringify(LINES)})].flatMap((element) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const rects = []
      while (texts.nextNode()) {
        if (texts.currentNode.parentElement.closest('.offscreen')) continue
        const range = document.createRange()
        range.selectNode(texts.currentNode)
        rects.push(...range.getClientRects())
      }
      const bottom = Math.min(...rects.map((rect) => rect.bottom))
      return rects.some(({ top }) => top >= bottom) ? [element.innerText] : []
    })`)
  expect(wrapped).toEqual([])
  if (size) await page.setViewportSize(size)
}

async function makeNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 375, height: 667 })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  expect(await page.evaluate(`matchMedia('(pointer: coarse)').matches`)).toBe(true)
}

/** WCAG 1.4.10: 320 pixels are the width of a window of 1280 at 400 % zoom. */
async function expectNothingCutOff(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 568 })
  const cutOff = `[...document.querySelectorAll('#app, main, .sidebar, .header, .body')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ className, id }) => id || className)`
  expect(await page.evaluate(cutOff)).toEqual([])
}
