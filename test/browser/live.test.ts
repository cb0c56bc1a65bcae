import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { liveLock, lockOf } from '../helpers/pinned.ts'
import { expectAccessible, pageBrowser, visit } from '../helpers/page/browser.ts'
import { choose, shownSlugs, openPage } from '../helpers/page/open-page.ts'
import { servedPage, testProject } from '../helpers/page/project.ts'

const browser = pageBrowser()

test('the page follows the lock, shows one error while it cannot be read, and how to begin without one', async () => {
  const project = await testProject(liveLock({ system: 'Before.' }))
  await writeFile(project.lockPath, '<<<<<<< HEAD\n')
  const { url } = await servedPage(project)
  const { page } = await visit(browser(), url)
  const alert = page.getByRole('alert')
  await alert.getByText('LOCK_CONFLICTED').waitFor()
  expect(await alert.innerText()).toMatch(/prompts pull/)
  expect(await page.locator('#app').innerText()).not.toMatch(/up to date|0 prompts|no prompts/i)
  expect(project.service.requests).toEqual([])

  await project.writeLock(liveLock({ system: 'After.' }, { slug: 'another' }))
  await page.getByText('Checked 12:00').waitFor()
  await page.goto(`${url}#/support-triage`)
  await page.getByText('After.').waitFor()
  expect(await shownSlugs(page)).toEqual(['another', 'support-triage'])

  await page.setViewportSize({ width: 320, height: 640 })
  await rm(project.lockPath)
  await page.getByRole('heading', { name: 'No prompts yet' }).waitFor()
  await page.getByRole('button', { name: 'Copy the command npx prompts init' }).waitFor()
  expect(await alert.count()).toBe(0)
  await expectAccessible(page)
  await project.writeLock(liveLock())
  await page.getByText('The lock contains no prompts.').waitFor()
  await project.writeLock(liveLock({ system: 'Repaired.' }))
  await page.getByText('Repaired.').waitFor()
})

test('a prompt compares its live part with its staging part, and tries both with the same values', async () => {
  const system = 'Sort {{ ticket }}'
  const tested = { version: 'v23', system: `${system} in a {{ tone }} tone` }
  const project = await testProject(lockOf({ live: [{ system }], staging: [tested] }))
  const page = await openPage(browser(), project, '#/support-triage')
  const strip = page.getByRole('region', { name: 'In staging' })
  await strip.getByText('v23 in staging: contract: +tone').waitFor()
  await strip.getByText('What changes').click()
  expect(await strip.locator('.diff-line.added').innerText()).toContain('{{ tone }}')
  await page.getByRole('link', { name: 'Try' }).click()
  await choose(page, 'Both')
  await page.getByLabel('ticket').fill('Nobody can sign in')
  await page.getByLabel('tone').fill('calm')
  const compared = page.getByRole('group', { name: 'system message of support-triage, inline' })
  await compared.getByText('Nobody can sign in').first().waitFor()
  expect(await compared.locator('.content').allTextContents()).toEqual([
    'Sort Nobody can sign in',
    'Sort Nobody can sign in in a calm tone',
  ])
  expect(await compared.locator('mark').allTextContents()).toEqual([' in a calm tone'])
  await choose(page, 'Staging')
  await choose(page, 'Code')
  await page.getByText(`from 'virtual:prompts/staging'`).waitFor()
  await project.writeLock(liveLock({ system }))
  await strip.waitFor({ state: 'detached' })
})

test('the state of the service is checked again by a click, until the server is gone', async () => {
  const project = await testProject(liveLock({}))
  const { url, close } = await servedPage(project)
  const { page } = await visit(browser(), `${url}#/prompts`)
  await page.getByRole('status').getByText('Up to date, 12:00').waitFor()
  await project.serve(workspaceFromLock(liveLock({ version: 'v23' }, { slug: 'new' })))
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByRole('link', { name: 'Changes 2' }).click()
  await page.getByText('2 changes: 1 added, 1 not read.').waitFor()
  await page.getByRole('link', { name: 'Prompts 1' }).click()
  await page.locator('.row .badge.update').waitFor()
  // A row that is not drawn yet has no inner text.
  expect(await page.locator('.row .badge.update').allTextContents()).toEqual(['→ v23'])
  await close()
  await page.getByRole('alert').getByText('does not answer').waitFor()
  expect(await shownSlugs(page)).toEqual(['support-triage'])
})

test('a project that never pulls asks its service on a click, which counts while the page asks by itself', async () => {
  const project = await testProject(liveLock({}), { env: { PROMPTS_PULL: 'never' } })
  const page = await openPage(browser(), project, '')
  await page.getByText('Not checked yet', { exact: true }).waitFor()
  expect(project.service.requests).toEqual([])
  // Never answered.
  await page.route('**/api/changes', (route) => {
    const { read } = route.request().postDataJSON() as { readonly read: string }
    return read === 'none' ? undefined : route.continue()
  })
  await page.reload()
  await page.getByText('Checking…').waitFor()
  await page.getByRole('button', { name: 'Check now' }).click({ force: true })
  await page.getByText('Up to date, 12:00').first().waitFor()
})
