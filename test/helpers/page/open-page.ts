import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { visit } from './browser.ts'
import { servedPage, type TestProject } from './project.ts'

/** Opens the page of a project at a path. */
export async function openPage(
  browser: Browser,
  project: TestProject,
  path: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  const { url } = await servedPage(project)
  const { page } = await visit(browser, url + path, options)
  return page
}

export async function shownSlugs(page: Page): Promise<string[]> {
  // Not the inner texts: those of rows that the browser has yet to draw are empty.
  return page.locator('.rows a .slug').allTextContents()
}
