import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Workspace } from '../../src/local-service/workspace.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { expectAccessible, pageBrowser, visit } from '../helpers/page/browser.ts'
import { openPage, shownSlugs } from '../helpers/page/open-page.ts'
import { lockFrom, playgroundWorkspace, servedPage, testProject } from '../helpers/page/project.ts'
import { liveLock } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'

const browser = pageBrowser()
let workspace: Workspace

beforeAll(async () => {
  workspace = await playgroundWorkspace()
})

async function open(path: string): Promise<Page> {
  return openPage(browser(), await testProject(lockFrom(workspace)), path)
}

test('the list has a heading for each folder and rows of 32 pixels, and is searched by address', async () => {
  const page = await open('prompts')
  const folders = await page.locator('.folder').allTextContents()
  expect(folders).toEqual(['content', 'engineering', 'ops', 'sales', 'support'])
  const row = page.locator('.row', { hasText: 'code-review' })
  await row.getByText('5 notes').waitFor()
  expect((await row.boundingBox())?.height).toBe(32)
  await row.getByText('unused').waitFor()
  const cells = await row.locator('.cell').allTextContents()
  expect(cells.slice(1)).toEqual(['v14', 'claude-sonnet-4-5', '4', 'unused'])
  await page.getByRole('searchbox').fill('staged')
  await page.keyboard.press('Enter')
  await page.locator('.results').waitFor()
  const staged = await shownSlugs(page)
  expect(staged).toHaveLength(3)
  await page.locator('.row a').first().click()
  await page.locator('#slug').waitFor()
  expect(await shownSlugs(page)).toEqual(staged)
  await page.goBack()
  await page.getByRole('searchbox').fill('nowhere at all')
  await page.keyboard.press('Enter')
  await page.getByText('No prompts found.').waitFor()
})

test('a slash, three letters and Enter show what matches, from each page, on a slow processor, before it has settled', async () => {
  const { url } = await servedPage(await testProject(lockFrom(workspace)))
  const { page } = await visit(browser(), 'about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const send = (key: string, text: string): Promise<unknown>[] => {
    const typed = key === 'Enter' ? { windowsVirtualKeyCode: 13, code: key } : {}
    const down = session.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text, ...typed })
    return [down, session.send('Input.dispatchKeyEvent', { type: 'keyUp', key, ...typed })]
  }
  const places = ['prompts', 'changes', 'prompts/code-review', 'prompts/code-review/edit']
  for (let run = 0; run < 20; run++) {
    await page.goto(url + places[run % places.length], { waitUntil: 'domcontentloaded' })
    const [typed, address] =
      run % 2 === 0 ? ['sup', /\/prompts\?q=sup$/] : ['tri', /\/prompts\?q=tri$/]
    await Promise.all([...`/${typed}`].flatMap((key) => send(key, key)).concat(send('Enter', '\r')))
    await page.waitForURL(address)
    await page.locator('.results').waitFor()
    const found = await shownSlugs(page)
    expect({ run, found: found.length }).toEqual({ run, found: run % 2 === 0 ? 3 : 2 })
  }
  await page.getByRole('searchbox').fill('postgresql')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'sql-explainer' }).waitFor()
  expect(page.url()).toMatch(/\/prompts\/sql-explainer\?q=postgresql$/)
})

test('a prompt has an address, a title, its texts with tokens, and copies them', async () => {
  const page = await open('prompts/support-triage')
  const { system = '' } = workspace.prompts.get('support-triage')?.live ?? {}
  expect(await page.title()).toBe('support-triage · Prompts')
  expect(await page.locator('.facts').innerText()).toMatch(
    /^support · v22 · gpt-5\.1 · temperature 0\.2 · 1,0\d\d characters/,
  )
  expect(await page.locator('.access code').innerText()).toBe('prompts.supportTriage')
  const tokens = await page.locator('.raw .token').allTextContents()
  expect(tokens).toEqual(['{{ tone }}', '{{ ticket }}'])
  expect(await page.locator('.raw').first().textContent()).toBe(`${system}\n`)
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
  const { page, complaints } = await visit(browser(), `${url}prompts/support-triage`)
  await page.getByRole('button', { name: 'src/main.ts:2' }).click()
  await expect.poll(() => opened, SOON).toEqual([join(project.root, 'src/main.ts:2:1')])
  expect(page.url()).toBe(`${url}prompts/support-triage`)
  await page.locator('.row a', { hasText: '3d' }).click()
  await page.getByText('No code uses it.').waitFor()
  expect(await page.locator('.access code').innerText()).toBe(`prompts['3d']`)
  expect(complaints).toEqual([])
})

test('a prompt is shown if the code of the app cannot be analysed, with the reason', async () => {
  const files = { 'tsconfig.json': '{ "extends": "./nothing.json" }' }
  const project = await testProject(liveLock({}), { files })
  const page = await openPage(browser(), project, 'prompts/support-triage')
  await page.locator('.inspector').getByText('TSCONFIG_INVALID').waitFor()
})

test('a document follows the lock and keeps focus, scroll, typed text and what is open', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `Line ${index}.`).join('\n')
  const project = await testProject(liveLock({ system: lines }), {
    workspace: workspaceFromLock(liveLock({ version: 'v23' })),
  })
  const page = await openPage(browser(), project, 'prompts/support-triage')
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
  const project = await testProject(liveLock({ system: 'Before.' }))
  await writeFile(project.lockPath, '<<<<<<< HEAD\n')
  const page = await openPage(browser(), project, '')
  const alert = page.getByRole('alert')
  await alert.getByText('LOCK_CONFLICTED').waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/up to date|no prompts/i)
  expect(project.service.requests).toEqual([])
  await project.writeLock(liveLock({ system: 'After.' }, { slug: 'another' }))
  await page.getByText('Checked 12:00').waitFor()
  await rm(project.lockPath)
  await page.getByRole('heading', { name: 'No prompts yet' }).waitFor()
  expect(await alert.count()).toBe(0)
  await project.writeLock(liveLock({ system: 'Repaired.' }))
  await page.getByRole('link', { name: 'Prompts 1' }).waitFor()
})

test('the state of the service is checked again by a click, until the server is gone', async () => {
  const project = await testProject(liveLock({}), { env: { PROMPTS_PULL: 'never' } })
  const { url, close } = await servedPage(project)
  const { page } = await visit(browser(), url)
  await page.getByText('Not checked yet', { exact: true }).waitFor()
  await project.serve(workspaceFromLock(liveLock({ version: 'v23' }, { slug: 'new' })))
  expect(project.service.requests).toEqual([])
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('2 changes: 1 added, 1 not read.').waitFor()
  await page.getByRole('link', { name: 'Prompts 1' }).click()
  await page.locator('.row .badge.waiting').getByText('→ v23').waitFor()
  await close()
  await page.getByRole('alert').getByText('does not answer').waitFor()
  expect(await shownSlugs(page)).toEqual(['support-triage'])
  await expectAccessible(page)
})
