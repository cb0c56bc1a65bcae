import type { Browser, Page } from 'playwright-core'
import { visit } from './browser.ts'
import { servedPage, type TestProject } from './project.ts'

/** Opens the page of a project at a place and waits for its list. */
export async function openPage(
  browser: Browser,
  project: TestProject,
  hash: string,
): Promise<Page> {
  const { url } = await servedPage(project)
  const { page } = await visit(browser, url + hash)
  await page.locator('.found').waitFor()
  return page
}

/** Chooses one of a few that are shown side by side. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name, exact: true }).check()
}

/** The slugs of the rows that are drawn, once the texts are searched. */
export async function drawnSlugs(page: Page): Promise<string[]> {
  await page.locator('.found[aria-busy="true"]').waitFor({ state: 'detached' })
  return page.locator('.row .slug').allInnerTexts()
}
