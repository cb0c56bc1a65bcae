import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectAccessible, listedSlugs, openPage, visit } from '../helpers/page/browser.ts'
import { appFiles, playgroundLock, servedPage, testProject } from '../helpers/page/project.ts'
import { liveLock } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'

test(
  'a slash, three letters and Enter show what matches, from each page, on a slow processor, before it has settled',
  { timeout: 120_000 },
  async () => {
    const { url } = await servedPage(await testProject(await playgroundLock()))
    const { page } = await visit('about:blank')
    const session = await page.context().newCDPSession(page)
    const slowDown = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate })
    const send = (key: string, text: string): Promise<unknown>[] => {
      const typed = key === 'Enter' ? { windowsVirtualKeyCode: 13, code: key } : {}
      const down = session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text, ...typed })
      return [down, session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, ...typed })]
    }
    const places = ['prompts', 'changes', 'prompts/code-review', 'prompts/code-review/edit']
    for (let run = 0; run < 20; run++) {
      const [typed, count] = run % 2 === 0 ? ['sup', 3] : ['tri', 2]
      await slowDown(6)
      await page.goto(url + places[run % places.length], { waitUntil: 'domcontentloaded' })
      await Promise.all(
        [...`/${typed}`].flatMap((key) => send(key, key)).concat(send('Enter', '\r')),
      )
      // The keys have been handled.
      await slowDown(1)
      await page.waitForURL(`${url}prompts?q=${typed}`)
      expect({ run, count: (await listedSlugs(page)).length }).toEqual({ run, count })
    }
    await page.getByRole('searchbox').fill('postgresql')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/prompts\/sql-explainer\?q=postgresql$/)
  },
)

test('typing in the search filters the list at once, and Enter also searches the texts', async () => {
  const prompts = [
    { slug: 'legal-check', folder: 'law' },
    { slug: 'check_legal', folder: 'law' },
    { slug: 'review', folder: 'law/legal-checks', system: 'Be calm.' },
    { slug: 'triage' },
  ]
  const project = await testProject(liveLock(...prompts))
  const page = await openPage(project, 'prompts/triage')
  const rows = page.locator('.row:visible .slug')
  // Beside a prompt, only its own folder is open.
  expect(await rows.allTextContents()).toEqual(['triage'])
  await page.keyboard.type('/legal check')
  expect(await rows.allTextContents()).toEqual(['check_legal', 'legal-check', 'review'])
  await project.writeLock(liveLock(...prompts, { slug: 'late', folder: 'law' }))
  await page.locator('.row', { hasText: 'late' }).waitFor({ state: 'attached' })
  expect(await rows.allTextContents()).toEqual(['check_legal', 'legal-check', 'review'])
  await page.getByRole('searchbox').fill('calm')
  await page.getByText('No name has these words').waitFor()
  expect(await rows.count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('searchbox').fill('')
  expect(await rows.count()).toBe(5)
  await page.getByRole('searchbox').fill('calm')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/prompts\/review\?q=calm$/)
})

test('the row of a prompt is in view in the list beside it, whichever it is', async () => {
  const slugs = Array.from({ length: 300 }, (_, index) => ({ slug: `customer-${index}` }))
  const page = await openPage(await testProject(liveLock(...slugs)), 'prompts/customer-250')
  await expect.poll(() => page.locator('[aria-current].cells').isVisible(), SOON).toBe(true)
  const box = await page.locator('.row:has([aria-current])').boundingBox()
  expect(box?.y).toBeGreaterThan(48)
  expect(box?.y).toBeLessThan(800)
})

test('a text is copied as it is, by a button', async () => {
  const project = await testProject(liveLock({ system: ' Be {{ tone }}.\r\n<b> ' }))
  const page = await openPage(project, 'prompts/support-triage')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // It is said for a moment only, or until the document is drawn again.
  const isSaid = page.evaluate(
    () =>
      new Promise<true>((resolve) => {
        const look = (): void => {
          if (document.body.textContent.includes('Copied the system text')) resolve(true)
        }
        const what = { subtree: true, childList: true, characterData: true }
        new MutationObserver(look).observe(document.body, what)
      }),
  )
  await page.getByRole('button', { name: 'Copy the system text' }).click()
  expect(await isSaid).toBe(true)
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe(' Be {{ tone }}.\r\n<b> ')
})

test('the lines that use a prompt open in the editor, which leaves the document as it is', async () => {
  const files = appFiles('prompts.supportTriage.render()')
  const project = await testProject(liveLock({}, { slug: '3d' }), { files })
  const opened: string[] = []
  const { url } = await servedPage(project, { launch: async (place) => opened.push(place) > 0 })
  const { page, complaints } = await visit(`${url}prompts/support-triage`)
  await page.getByRole('button', { name: 'src/main.ts:2' }).click()
  await expect.poll(() => opened, SOON).toEqual([join(project.root, 'src/main.ts:2:1')])
  expect(page.url()).toBe(`${url}prompts/support-triage`)
  await page.locator('.row a', { hasText: '3d' }).click()
  await page.getByText('No code uses it.').waitFor()
  expect(await page.locator('.access code').innerText()).toBe(`prompts['3d']`)
  expect(complaints).toEqual([])
})

test('a document follows the lock and keeps focus, scroll, typed text and what is open', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Line ${index}.`).join('\n')
  const served = liveLock({ version: 'v23' })
  const project = await testProject(liveLock({ system: lines }), { served })
  const page = await openPage(project, 'prompts/support-triage')
  await page.getByRole('link', { name: 'Update v23' }).waitFor()
  await page.getByRole('button', { name: 'Hold support-triage' }).click()
  await page.keyboard.type('Legal')
  await page.locator('main').evaluate((main) => main.scrollTo(0, 700))
  await project.writeLock(liveLock({ system: lines.replace('Line 30.', 'After.') }))
  await page.getByText('After.').waitFor()
  await page.keyboard.type(' reads it.')
  expect(await page.getByLabel('Reason').inputValue()).toBe('Legal reads it.')
  expect(await page.locator('main').evaluate((main) => main.scrollTop)).toBe(700)
  // It names the lock for which it was typed.
  await page.getByRole('button', { name: 'Hold it' }).click()
  await page.getByText('FILE_CHANGED').waitFor()
})

test('a document follows the lock when it cannot be read, is not there, and is there again', async () => {
  const project = await testProject(liveLock({}))
  const page = await openPage(project, 'prompts')
  const alert = page.getByRole('alert')
  await writeFile(project.lockPath, '<<<<<<< HEAD\n')
  await alert.getByText('LOCK_CONFLICTED').waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/up to date|no prompts/i)
  await rm(project.lockPath)
  await page.getByRole('heading', { name: 'No prompts yet' }).waitFor()
  expect(await alert.count()).toBe(0)
  await project.writeLock(liveLock({}))
  await page.getByRole('heading', { name: '1 prompt pinned' }).waitFor()
})

test('a text that was typed and taken back follows the lock, and one that is typed stays even if the lock cannot be read', async () => {
  const project = await testProject(liveLock({ system: 'Be kind.' }))
  const page = await openPage(project, 'prompts/support-triage/edit')
  const field = page.getByLabel('System text')
  await field.focus()
  await page.keyboard.type('!')
  await page.keyboard.press('Backspace')
  await project.writeLock(liveLock({ system: 'Be brief.', version: 'v23' }))
  await page.locator('.facts').getByText('v23').waitFor()
  expect(await field.inputValue()).toBe('Be brief.')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.fill('Be calm.')
  await writeFile(project.lockPath, '<<<<<<< HEAD\n')
  await page.getByRole('alert').getByText('LOCK_CONFLICTED').waitFor()
  expect(await field.inputValue()).toBe('Be calm.')
  await project.writeLock(liveLock({ system: 'Be brief.', version: 'v23' }))
  await page.getByRole('alert').getByText('LOCK_CONFLICTED').waitFor({ state: 'detached' })
  expect(await page.locator('textarea').count()).toBe(3)
  expect(await field.inputValue()).toBe('Be calm.')
})

test('a server that is gone leaves the last state of a document, which says so', async () => {
  const { url, close } = await servedPage(await testProject(liveLock({})))
  const { page } = await visit(`${url}prompts`)
  await close()
  await page.getByRole('alert').getByText('does not answer').waitFor()
  expect(await listedSlugs(page)).toEqual(['support-triage'])
  await expectAccessible(page)
})
