import { expect, test, vi } from 'vitest'
import { pinned } from '../helpers/pinned.ts'
import { expectAccessible, pageBrowser, visit } from '../helpers/page/browser.ts'
import { drawnSlugs, openPage } from '../helpers/page/open-page.ts'
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
  const page = await openPage(browser(), await project(), '')
  const search = page.getByRole('searchbox')
  await search.fill('triage')
  await page.getByText('2 of 11 prompts').waitFor()
  expect(await drawnSlugs(page)).toEqual(['support-triage', 'a-note'])
  await search.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
})

test('filters are chips that show their number and stay in the URL', async () => {
  const page = await openPage(browser(), await project(), '')
  await page.getByRole('button', { name: 'Notes 1' }).click()
  expect(await drawnSlugs(page)).toEqual(['code-review'])
  await page.getByRole('button', { name: 'Notes 1' }).click()
  await page.getByRole('combobox', { name: 'Folder' }).selectOption('ops')
  await page.getByRole('searchbox').press('End')
  await page.getByRole('searchbox').pressSequentially(' customer')
  await page.locator('.found', { hasText: '2 of 11' }).waitFor()
  expect(await drawnSlugs(page)).toEqual(['meeting-notes', 'incident-summary'])
  await page.waitForURL((url) => url.hash.includes('customer'))
  await page.reload()
  await page.locator('.found', { hasText: '2 of 11' }).waitFor()
  await expectAccessible(page)
})

test.each(['light', 'dark'] as const)(
  'the palette opens prompts and views and runs actions, %s',
  async (colorScheme) => {
    const { url } = await servedPage(await project())
    const { page, complaints } = await visit(browser(), url, { colorScheme })
    await page.locator('.found').waitFor()
    const palette = page.getByRole('dialog', { name: 'Go to' })
    const run = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').fill(text)
      await palette.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await palette.waitFor({ state: 'detached' })
    }
    await run('tirage')
    await page.getByRole('heading', { level: 1, name: 'support-triage' }).waitFor()
    await run('try it')
    await page.getByLabel('ticket').waitFor()
    const background = (): Promise<string> =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const before = await background()
    await run(colorScheme === 'light' ? 'dark theme' : 'light theme')
    expect(await background()).not.toBe(before)
    await page.reload()
    await page.getByLabel('ticket').waitFor()
    expect(await background()).not.toBe(before)
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await page.keyboard.press('?')
    await shortcuts.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await run('keyboard shortcuts')
    await shortcuts.waitFor()
    expect(complaints).toEqual([])
  },
)

test('a key works at once after the palette is closed, whose field still has the focus', async () => {
  const { url } = await servedPage(await project())
  const { page } = await visit(browser(), url)
  await page.locator('.found').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Prompt, view or action' }).waitFor()
  const typed = await page.evaluate<string>(`(() => {
    document.querySelector('dialog').close()
    const { activeElement } = document
    activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
    return activeElement.localName
  })()`)
  expect(typed).toBe('input')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
})

test('a long text has an outline, finds text in it, and jumps to its tokens and notes', async () => {
  const sections = Array.from(
    { length: 300 },
    (_, index) => `## Case ${index}\n\nRefund-cases, as {{ agent }} decides.\n\n- one\n- two\n\n`,
  )
  const system = `# Handbook\n\n${sections.join('')}See {{#if}} and {{ ticket }}.`
  const lock = { environment: 'live', prompts: [pinned({ system, user: '', source: system })] }
  const { url } = await servedPage(await testProject(lock as never))
  const { page, complaints } = await visit(browser(), `${url}#/support-triage`)
  const isSeen = (text: string): Promise<boolean> =>
    page.evaluate<boolean>(`[...document.querySelectorAll('.line, .heading')].some((line) => {
      const { top, bottom } = line.getBoundingClientRect()
      return line.textContent.includes(${JSON.stringify(text)}) && top >= 0 && bottom <= innerHeight
    })`)
  await page.getByRole('navigation', { name: 'Outline' }).getByText('Case 120').click()
  await vi.waitFor(async () => expect(await isSeen('## Case 120')).toBe(true), SOON)
  await page.getByRole('button', { name: 'ticket' }).click()
  await vi.waitFor(async () => expect(await isSeen('{{ ticket }}')).toBe(true), SOON)
  await page.getByRole('button', { name: 'agent × 300' }).click()
  await vi.waitFor(async () => expect(await isSeen('## Case 0')).toBe(true), SOON)
  await page.getByRole('button', { name: '{{#if}}' }).click()
  await vi.waitFor(async () => expect(await isSeen('{{#if}}')).toBe(true), SOON)

  await page.keyboard.press('f')
  await page.keyboard.type('refund-cases, AS {{')
  const matches = page.getByRole('search', { name: 'In this prompt' }).getByRole('status')
  await expect.poll(() => matches.innerText(), SOON).toBe('1 of 300')
  await page.keyboard.press('Shift+Enter')
  await expect.poll(() => matches.innerText(), SOON).toBe('300 of 300')
  await vi.waitFor(async () => expect(await isSeen('## Case 299')).toBe(true), SOON)
  await page.getByRole('radio', { name: 'Markdown' }).check()
  await expect.poll(() => matches.innerText(), SOON).toBe('1 of 300')
  await page.getByRole('navigation', { name: 'Outline' }).getByText('Case 200').click()
  await vi.waitFor(async () => expect(await isSeen('Case 200')).toBe(true), SOON)
  await page.getByRole('button', { name: 'Full width' }).click()
  await page.locator('.inspector').waitFor({ state: 'detached' })
  await page.waitForURL((address) => /find=.*width=full|width=full.*find=/.test(address.hash))
  expect(await page.evaluate('document.scrollingElement.scrollTop')).toBe(0)
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
