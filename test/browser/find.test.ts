import { expect, test, vi } from 'vitest'
import { pinned } from '../helpers/pinned.ts'
import { expectAccessible, pageBrowser, visit } from '../helpers/page/browser.ts'
import { shownSlugs, openPage } from '../helpers/page/open-page.ts'
import {
  lockFrom,
  playgroundWorkspace,
  servedPage,
  testProject,
  type TestProject,
} from '../helpers/page/project.ts'
import { SOON } from '../helpers/soon.ts'

const browser = pageBrowser()

/** The playground with a prompt whose text has the name of another. */
async function project(): Promise<TestProject> {
  const { environment, prompts } = lockFrom(await playgroundWorkspace())
  const note = pinned({ slug: 'a-note', folder: 'a', system: 'How to triage.', source: 'x' })
  const source = `${note.system}\n\n${note.user}`
  return testProject({ environment, prompts: [...prompts, { ...note, source }] })
}

test('the search lists the best match first, and Enter opens it', async () => {
  const page = await openPage(browser(), await project(), '#/prompts')
  const search = page.getByRole('searchbox')
  await search.fill('triage')
  await page.getByText('2 of 11 prompts').waitFor()
  expect(await shownSlugs(page)).toEqual(['support-triage', 'a-note'])
  await search.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
})

test.each(['light', 'dark'] as const)(
  'the shortcuts are a key away, and choose a theme that stays, %s',
  async (colorScheme) => {
    const { url } = await servedPage(await project())
    const { page, complaints } = await visit(browser(), url, { colorScheme })
    await page.locator('#main[tabindex]').waitFor()
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const background = (): Promise<string> =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const before = await background()
    await page.keyboard.press('?')
    await shortcuts.waitFor()
    await expectAccessible(page)
    await page.getByLabel('Theme').selectOption(colorScheme === 'light' ? 'dark' : 'light')
    await expect.poll(background, SOON).not.toBe(before)
    await page.keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'hidden' })
    await page.reload()
    await page.locator('#main[tabindex]').waitFor()
    expect(await background()).not.toBe(before)
    expect(complaints).toEqual([])
  },
)

test('Ctrl-K and the slash focus the only search field', async () => {
  const page = await openPage(browser(), await project(), '#/prompts')
  for (const key of ['Control+k', '/']) {
    await page.keyboard.press(key)
    await page.keyboard.type('triage')
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
  const lock = { environment: 'live', prompts: [pinned({ system, user: '', source: system })] }
  const { url } = await servedPage(await testProject(lock as never))
  const { page, complaints } = await visit(browser(), `${url}#/support-triage`)
  const isSeen = (text: string): Promise<boolean> =>
    page.evaluate<boolean>(`[...document.querySelectorAll('.line')].some((line) => {
      const { top, bottom } = line.getBoundingClientRect()
      return line.textContent.includes(${JSON.stringify(text)}) && top >= 0 && bottom <= innerHeight
    })`)
  await page.getByRole('button', { name: 'ticket' }).click()
  await vi.waitFor(async () => expect(await isSeen('{{ ticket }}')).toBe(true), SOON)
  await page.getByRole('button', { name: 'agent × 300' }).click()
  await vi.waitFor(async () => expect(await isSeen('## Case 0')).toBe(true), SOON)
  await page.getByRole('button', { name: '{{#if}}' }).click()
  const style = `getComputedStyle(document.querySelector('.raw .note-text'))`
  expect(await page.evaluate(`${style}.textDecorationLine`)).toBe('underline')
  await vi.waitFor(async () => expect(await isSeen('{{#if}}')).toBe(true), SOON)
  expect(await page.evaluate('document.scrollingElement.scrollTop')).toBe(0)
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
