import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { workspaceFromLock } from '../../src/server/workspace.ts'
import { liveLock } from '../helpers/pinned.ts'
import { pageBrowser, visit } from './helpers/browser.ts'
import { drawnSlugs, openPage } from './helpers/open-page.ts'
import { servedPage, testProject, type TestProject } from './helpers/project.ts'

const browser = pageBrowser()

async function open(hash: string, project: TestProject): Promise<Page> {
  return openPage(browser(), project, hash)
}

describe('live', () => {
  test('follows the lock, and shows what keeps it from being read', async () => {
    const project = await testProject(liveLock({ system: 'Before.' }))
    const page = await open('#/support-triage', project)
    await page.getByText('Before.').waitFor()
    await project.writeLock(liveLock({ system: 'After.' }, { slug: 'another' }))
    await page.getByText('After.').waitFor()
    expect(await drawnSlugs(page)).toEqual(['another', 'support-triage'])
    await writeFile(project.lockPath, '<<<<<<< HEAD\n')
    await page.getByText('LOCK_CONFLICTED').waitFor()
    await project.writeLock(liveLock({ system: 'Mended.' }))
    await page.getByText('Mended.').waitFor()
  })

  test('shows the state of the service and asks again', async () => {
    const project = await testProject(liveLock({}))
    const page = await open('', project)
    const state = page.locator('.service [role="status"]')
    await page.getByText('In step with the service').waitFor()
    expect((await state.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^In step with the service ?, checked at 12:00$/,
    )
    await project.serve(workspaceFromLock(liveLock({ version: 'v23' }, { slug: 'new' })))
    await page.getByRole('button', { name: 'Check the service now' }).click()
    await page.getByText('2 changes waiting').waitFor()
    await expect(page.locator('.row .badge').allInnerTexts()).resolves.toEqual(['→ v23'])
    await page.getByText('1 prompt of the service not pinned yet').waitFor()
  })

  test('asks nothing unasked where the project never pulls', async () => {
    const project = await testProject(liveLock({}), { env: { PROMPTS_PULL: 'never' } })
    const page = await open('', project)
    await page.getByText('Service not asked yet').waitFor()
    expect(project.service.requests).toEqual([])
    await page.getByRole('button', { name: 'Check the service now' }).click()
    await page.getByText('In step with the service').waitFor()
  })

  test('says that the service refuses the key, without the key', async () => {
    const key = 'svc_live_Canary0123456789abcdefXYZ'
    const page = await open('', await testProject(liveLock({}), { env: { PROMPTS_API_KEY: key } }))
    await page.getByText('refused the key from PROMPTS_API_KEY').waitFor()
    expect(await page.content()).not.toContain(key)
  })

  test('works from the lock alone without a key', async () => {
    const page = await open('', await testProject(liveLock({}), { env: { PROMPTS_API_KEY: '' } }))
    await page.getByText('No service: the lock alone').waitFor()
    expect(await drawnSlugs(page)).toEqual(['support-triage'])
  })

  test('says when the server is gone', async () => {
    const { url, close } = await servedPage(await testProject(liveLock({})))
    const { page } = await visit(browser(), url)
    await page.getByText('In step with the service').waitFor()
    await close()
    await page.getByRole('alert').getByText('does not answer').waitFor()
    expect(await drawnSlugs(page)).toEqual(['support-triage'])
  })
})
