import { expect, test, vi } from 'vitest'
import { liveLock } from '../helpers/pinned.ts'
import { expectAccessible, pageBrowser, visit } from '../helpers/page/browser.ts'
import { openPage } from '../helpers/page/open-page.ts'
import { lockFrom, playgroundWorkspace, servedPage, testProject } from '../helpers/page/project.ts'
import { SOON } from '../helpers/soon.ts'

const browser = pageBrowser()

test('Ctrl-K and the slash focus the only search field, and Enter opens the first match', async () => {
  const project = await testProject(lockFrom(await playgroundWorkspace()))
  const page = await openPage(browser(), project, '#/prompts')
  for (const key of ['Control+k', '/']) {
    await page.keyboard.press(key)
    await page.keyboard.type('support-t')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    expect(await page.getByRole('searchbox').count()).toBe(1)
  }
})

test('a long text jumps to its tokens and notes', async () => {
  const sections = Array.from(
    { length: 300 },
    (_, index) => `## Case ${index}\n\nRefund-cases, as {{ agent }} decides.\n\n- one\n- two\n\n`,
  )
  const system = `# Handbook\n\n${sections.join('')}See {{#if}} and {{ ticket }}.`
  const { url } = await servedPage(await testProject(liveLock({ system })))
  const { page, complaints } = await visit(browser(), `${url}#/support-triage`)
  const isSeen = (text: string): Promise<boolean> =>
    page.evaluate<boolean>(`[...document.querySelectorAll('.line')].some((line) => {
      const { top, bottom } = line.getBoundingClientRect()
      return line.textContent.includes(${JSON.stringify(text)}) && top >= 0 && bottom <= innerHeight
    })`)
  await page.getByRole('button', { name: 'ticket' }).click()
  await vi.waitFor(async () => expect(await isSeen('{{ ticket }}')).toBe(true), SOON)
  await page.getByRole('button', { name: 'agent' }).click()
  await vi.waitFor(async () => expect(await isSeen('## Case 0')).toBe(true), SOON)
  await page.getByRole('button', { name: '{{#if}}' }).click()
  const style = `getComputedStyle(document.querySelector('.raw .note-text'))`
  expect(await page.evaluate(`${style}.textDecorationLine`)).toBe('underline')
  await vi.waitFor(async () => expect(await isSeen('{{#if}}')).toBe(true), SOON)
  expect(await page.evaluate('document.scrollingElement.scrollTop')).toBe(0)
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
