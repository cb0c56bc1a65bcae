// The browser of the nightly checks of frameworks.
import { chromium } from 'playwright-core'
import { findBrowser } from '../../helpers/find-browser.js'

/** Opens a page in Chromium and returns what `look` finds there. */
export async function inBrowser(url, look) {
  const browser = await chromium.launch(findBrowser())
  try {
    const page = await browser.newPage()
    await page.goto(url)
    return await look(page)
  } finally {
    await browser.close()
  }
}
