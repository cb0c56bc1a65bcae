import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { liveLock, pinned } from '../helpers/pinned.ts'
import { expectAccessible, keepScreenshot, pageBrowser, visit } from '../helpers/page/browser.ts'
import { servedPage, testProject } from '../helpers/page/project.ts'

const browser = pageBrowser()

/** What would run, were a text ever taken for HTML, a style or an address. */
const ATTACKS = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '"><svg onload="window.pwned = 1">',
  'javascript:window.pwned=1',
  '[click](javascript:window.pwned=1)',
  '![x](https://evil.example/pixel.png)',
  '<a href="https://evil.example">x</a>',
  '</style><style>body{display:none}</style>',
  '{{ __proto__ }} {{ constructor }}',
]

/** Every hostile piece in every field, and all of them in one text. */
function hostilePrompts(): Partial<PinnedPrompt>[] {
  const all = [...HOSTILE, ...ATTACKS]
  const text = all.join('\n')
  const one = all.map((piece, index) => ({
    slug: `${piece} ${index}`,
    folder: index % 3 === 0 ? piece : 'hostile',
    model: piece,
    version: piece,
    system: `${piece} {{ a }}`,
    user: piece,
    source: `${piece} {{ a }}\n\n${piece}`,
  }))
  const whole = {
    slug: `all </script> \u202e${ATTACKS[1]}`,
    folder: 'hostile',
    system: text,
    user: text,
  }
  return [...one, { ...whole, source: `${text}\n\n${text}` }]
}

describe('hostile prompts', () => {
  test('are text in every view: nothing runs, and nothing is requested from other hosts', async () => {
    const prompts = hostilePrompts()
    const { url } = await servedPage(await testProject(liveLock(...prompts)))
    const { page, complaints } = await visit(browser(), url)
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) foreign.push(request.url())
    })
    for (const { slug = '' } of [...prompts.slice(-8), ...prompts.slice(0, 4)]) {
      for (const view of ['', '/try', '/compare']) {
        await page.goto(`${url}#/${encodeURIComponent(slug)}${view}`)
        await page.locator('#slug').waitFor()
      }
    }
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.evaluate('document.querySelectorAll("script, style, img").length')).toBe(2)
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] })
  })

  test('show invisible characters, and keep every character of the text', async () => {
    const prompts = hostilePrompts()
    const { slug = '', system } = prompts.at(-1) ?? {}
    const { url } = await servedPage(await testProject(liveLock(...prompts)))
    const { page } = await visit(browser(), `${url}#/${encodeURIComponent(slug)}`)
    await page.locator('.raw').first().waitFor()
    const hidden = await page.locator('.raw .hidden-character').allInnerTexts()
    expect(hidden).toContain('⟨U+202E⟩')
    expect(hidden).toContain(String.raw`\x1b`)
    const shown = await page.locator('.raw').first().textContent()
    expect(shown).not.toMatch(/\p{Bidi_Control}|\u200b|[^\P{Cc}\t\n]/u)
    expect(shown?.split('\n').length).toBe((system?.split('\n').length ?? 0) + 1)
    await keepScreenshot(page, 'hostile-light')
    await expectAccessible(page)
  })
})

describe('a thousand prompts', () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    slug: `prompt-${String(index).padStart(4, '0')}`,
    folder: `folder-${String(index % 25).padStart(2, '0')}`,
    system: `Number ${index}. ${'You help people with their work. '.repeat(60)}{{ ticket }}`,
  }))

  test('are searched and scrolled with only the visible rows in the DOM', async () => {
    const { url } = await servedPage(await testProject(liveLock(...many)))
    const { page } = await visit(browser(), url)
    await page.getByText('1,000 prompts', { exact: true }).waitFor()
    await keepScreenshot(page, 'thousand-light')
    const rows = page.locator('.row')
    const shows = async (name: string): Promise<void> => {
      await rows.filter({ hasText: name }).first().waitFor()
      expect(await rows.count()).toBeLessThan(60)
    }
    await shows('prompt-0000')
    const search = page.locator('input[type=search]')
    for (const [text, name] of Object.entries({ n: 'prompt-0000', 'number 99': 'prompt-0099' })) {
      await search.fill(text)
      await shows(name)
    }
    await search.fill('')
    await page.locator('[data-list]').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await shows('prompt-0999')
    await expectAccessible(page)
  })

  test('are reachable by keyboard and by URL at every position', async () => {
    const { url } = await servedPage(await testProject(liveLock(...many)))
    const { page } = await visit(browser(), `${url}#/prompt-0640`)
    const current = page.locator('.row a[aria-current="page"]')
    await current.waitFor()
    expect(await current.innerText()).toContain('prompt-0640')
    await current.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'prompt-0999' }).waitFor()
  })
})

describe('ten thousand prompts', () => {
  const many = liveLock(
    ...Array.from({ length: 10_000 }, (_, index) => ({
      slug: `team-${index % 40}-reply-to-customer-${String(index).padStart(5, '0')}`,
      folder: `support/team-${index % 40}`,
      model: 'claude-sonnet-4-5',
      system: `Number ${index}. ${'You help people. '.repeat(10)}{{ ticket }} {{ customer_name }}`,
    })),
  )

  test('are sent once, without texts, and drawn a window at a time', async () => {
    const [first, ...rest] = many.prompts
    const served = { ...many, prompts: [{ ...pinned(first), version: 'v23' }, ...rest] }
    const project = await testProject(many, { workspace: workspaceFromLock(served) })
    const { url } = await servedPage(project, [])
    const { page, complaints } = await visit(browser(), 'about:blank')
    const sizes = sizesByPath(page)
    await page.goto(url)
    await page.getByText('1 change waiting').waitFor()
    await page.getByText('No code uses prompts yet.').waitFor()
    expect(await page.locator('*').count()).toBeLessThan(900)
    expect(sizes()).toMatchObject({ list: [expect.any(Number)], service: [expect.any(Number)] })
    expect(sizes()).not.toHaveProperty('prompt')
    expect(sum(sizes())).toBeLessThan(2_000_000)

    const search = page.getByRole('searchbox')
    await search.pressSequentially('customer-0999')
    await page.getByText('10 of 10,000 prompts').waitFor()
    await search.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'customer-0999' }).waitFor()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByText('Both sides are the same.').waitFor()
    await search.fill('')
    await page.locator('[data-list]').evaluate((box) => box.scrollTo(0, box.scrollHeight / 2))
    await page.locator('.row').first().waitFor()
    expect(await page.locator('.row').count()).toBeLessThan(60)
    // Neither typing, opening nor comparing reads the list or the state of the service again.
    expect(sizes()).toMatchObject({
      list: [expect.any(Number)],
      service: [expect.any(Number)],
      prompt: [expect.any(Number)],
      compare: [expect.any(Number)],
    })
    await page.goto(`${url}#/`)
    await page.getByText('10,000 prompts pinned').waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })
})

/** The sizes of the answers of the page's server, by endpoint. */
function sizesByPath(page: Page): () => Readonly<Record<string, readonly number[]>> {
  const sizes: Record<string, number[]> = {}
  page.on('requestfinished', async (request) => {
    const name = new URL(request.url()).pathname.split('/').at(-1) ?? ''
    const { responseBodySize } = await request.sizes()
    ;(sizes[name] ??= []).push(responseBodySize)
  })
  return () => sizes
}

function sum(sizes: Readonly<Record<string, readonly number[]>>): number {
  return Object.values(sizes)
    .flat()
    .reduce((total, size) => total + size, 0)
}
