import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { expectAccessible, listedSlugs, openPage, visit } from '../helpers/page/browser.ts'
import { playgroundLock, servedPage, testProject } from '../helpers/page/project.ts'
import { liveLock } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'

test('the list has a heading for each folder, and a search has an address that its links keep', async () => {
  const page = await openPage(await testProject(await playgroundLock()), 'prompts')
  const folders = await page.locator('.folder').allTextContents()
  expect(folders).toEqual(['content', 'engineering', 'ops', 'sales', 'support'])
  await page.getByRole('searchbox').fill('staged')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\?q=staged$/)
  const staged = await listedSlugs(page)
  expect(staged).toHaveLength(3)
  await page.locator('.row a').first().click()
  await page.locator('#slug').waitFor()
  expect(await listedSlugs(page)).toEqual(staged)
})

test('a slash, three letters and Enter show what matches, from each page, on a slow processor, before it has settled', async () => {
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
    await Promise.all([...`/${typed}`].flatMap((key) => send(key, key)).concat(send('Enter', '\r')))
    // The keys have been handled.
    await slowDown(1)
    await page.waitForURL(`${url}prompts?q=${typed}`)
    expect({ run, count: (await listedSlugs(page)).length }).toEqual({ run, count })
  }
  await page.getByRole('searchbox').fill('postgresql')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/prompts\/sql-explainer\?q=postgresql$/)
})

test('a prompt has a title and its texts with tokens, and copies them', async () => {
  const lock = await playgroundLock()
  const { system = '' } = lock.parts.find(({ slug }) => slug === 'support-triage') ?? {}
  const page = await openPage(await testProject(lock), 'prompts/support-triage')
  expect(await page.title()).toBe('support-triage · Prompts')
  expect(await page.locator('.facts').innerText()).toMatch(
    /^support · v22 · gpt-5\.1 · temperature 0\.2 · 1,0\d\d characters/,
  )
  const tokens = await page.locator('.raw .token').allTextContents()
  expect(tokens).toEqual(['{{ tone }}', '{{ ticket }}'])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the system text' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(system)
})

test('the lines that use a prompt open in the editor, which leaves the document as it is', async () => {
  const main = `import { prompts } from 'virtual:prompts'\nprompts.supportTriage.render()\n`
  const files = { 'src/main.ts': main, 'tsconfig.json': APP_TSCONFIG }
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
  await page.getByText('Waits in the service').waitFor()
  await page.getByRole('button', { name: 'Hold support-triage' }).click()
  await page.keyboard.type('Legal')
  await page.locator('main').evaluate((main) => main.scrollTo(0, 700))
  await project.writeLock(liveLock({ system: lines.replace('Line 30.', 'After.') }))
  await page.getByText('After.').waitFor()
  await page.keyboard.type(' reads it.')
  expect(await page.getByLabel('Why, for the reviewers').inputValue()).toBe('Legal reads it.')
  expect(await page.locator('main').evaluate((main) => main.scrollTop)).toBe(700)
  // It names the lock for which it was typed.
  await page.getByRole('button', { name: 'Hold it' }).click()
  await page.getByText('LOCK_CHANGED').waitFor()
})

test('the page shows one error while the lock cannot be read, and how to begin without one', async () => {
  const project = await testProject(liveLock({}))
  await writeFile(project.lockPath, '<<<<<<< HEAD\n')
  const page = await openPage(project, '')
  const alert = page.getByRole('alert')
  await alert.getByText('LOCK_CONFLICTED').waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/up to date|no prompts/i)
  expect(project.service.requests).toEqual([])
  await rm(project.lockPath)
  await page.getByRole('heading', { name: 'No prompts yet' }).waitFor()
  expect(await alert.count()).toBe(0)
  await project.writeLock(liveLock({}))
  await page.getByRole('link', { name: 'Prompts 1' }).waitFor()
})

test('the service is checked by a click, and a server that is gone leaves the last state', async () => {
  const project = await testProject(liveLock({}), { env: { PROMPTS_PULL: 'never' } })
  const { url, close } = await servedPage(project)
  const { page } = await visit(url)
  await page.getByText('Not checked yet', { exact: true }).waitFor()
  project.serve(liveLock({ version: 'v23' }, { slug: 'new' }))
  expect(project.service.requests).toEqual([])
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('2 changes: 1 added, 1 not read.').waitFor()
  await page.getByRole('link', { name: 'Prompts 1' }).click()
  await page.waitForURL(`${url}prompts`)
  await close()
  await page.getByRole('alert').getByText('does not answer').waitFor()
  expect(await listedSlugs(page)).toEqual(['support-triage'])
  await expectAccessible(page)
})
