import type { Browser, Page } from 'playwright-core'
import { visit } from './browser.ts'
import { servedPage, type TestProject } from './project.ts'

/** Opens the page of a project at a place and waits for its prompts. */
export async function openPage(
  browser: Browser,
  project: TestProject,
  hash: string,
): Promise<Page> {
  const { url } = await servedPage(project)
  const { page } = await visit(browser, url + hash)
  await page.locator('#main[tabindex]').waitFor()
  return page
}

/** Chooses one of a few that are shown side by side. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name, exact: true }).check()
}

export async function shownSlugs(page: Page): Promise<string[]> {
  // Not the inner texts: those of rows that the browser has yet to draw are empty.
  return page.locator('.rows a .slug:visible').allTextContents()
}
