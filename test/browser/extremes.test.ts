import { expect, test } from 'vitest'
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

test('hostile prompts are text in every view: nothing runs, hides, or is requested from other hosts', async () => {
  const prompts = hostilePrompts()
  const { url } = await servedPage(await testProject(liveLock(...prompts)))
  const { page, complaints } = await visit(browser(), url)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url())
  })
  for (const { slug = '' } of [...prompts.slice(0, 4), ...prompts.slice(-8)]) {
    for (const view of ['/try', '']) {
      await page.goto(`${url}#/${encodeURIComponent(slug)}${view}`)
      await page.locator('#slug').waitFor()
    }
  }
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(await page.evaluate('document.querySelectorAll("script, style, img").length')).toBe(2)
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] })

  // The last one has all pieces in its text.
  const hidden = await page.locator('.raw .hidden-character').allInnerTexts()
  expect(hidden).toEqual(expect.arrayContaining(['⟨U+202E⟩', String.raw`\x1b`]))
  const shown = await page.locator('.raw').first().textContent()
  expect(shown).not.toMatch(/\p{Bidi_Control}|\u200b|[^\P{Cc}\t\n]/u)
  expect(shown?.split('\n').length).toBe((prompts.at(-1)?.system?.split('\n').length ?? 0) + 1)
  await page.locator('.list').evaluate((box) => box.scrollTo(0, 0))
  await keepScreenshot(page, 'hostile-light')
  await expectAccessible(page)
})

test('a thousand prompts are sorted, searched by text, and reachable by keyboard and URL', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    slug: `prompt-${String(index).padStart(4, '0')}`,
    folder: `folder-${String(index % 25).padStart(2, '0')}`,
    system: `Number ${index}. ${'You help people with their work. '.repeat(60)}{{ ticket }}`,
  }))
  const { url } = await servedPage(await testProject(liveLock(...many)))
  const { page } = await visit(browser(), `${url}#/prompts`)
  await page.getByText('1,000 prompts pinned', { exact: true }).waitFor()
  await page.getByText('1,000 unused').waitFor()
  await keepScreenshot(page, 'thousand-light')
  await page.getByRole('button', { name: 'prompt', exact: true }).click()
  await page.getByRole('button', { name: 'prompt ↑' }).click()
  expect(await page.locator('.row .slug').first().textContent()).toBe('prompt-0999')
  await page.getByRole('searchbox').fill('number 99')
  await page.getByText('11 of 1,000 prompts').waitFor()
  await expectAccessible(page)
  await page.goto(`${url}#/prompt-0640`)
  await page.locator('.row a[aria-current="page"]', { hasText: 'prompt-0640' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'prompt-0665' }).waitFor()
})

test('ten thousand prompts are sent once, searched, and opened', { timeout: 60_000 }, async () => {
  const many = liveLock(
    ...Array.from({ length: 10_000 }, (_, index) => ({
      slug: `team-${index % 40}-reply-to-customer-${String(index).padStart(5, '0')}`,
      folder: `support/team-${index % 40}`,
      model: 'claude-sonnet-4-5',
      system: `Number ${index}. ${'You help people. '.repeat(10)}{{ ticket }} {{ customer_name }}`,
    })),
  )
  const [first, ...rest] = many.parts
  const served = { ...many, parts: [{ ...pinned(first), version: 'v23' }, ...rest] }
  const project = await testProject(many, { workspace: workspaceFromLock(served) })
  const { url } = await servedPage(project)
  const { page, complaints } = await visit(browser(), 'about:blank')
  page.setDefaultTimeout(30_000)
  const states: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/state')) states.push(request.url())
  })
  await page.goto(url)
  await page.getByRole('heading', { name: /^1 change waits/ }).waitFor()
  const search = page.getByRole('searchbox')
  await search.fill('customer-0999')
  await page.getByText('10 of 10,000 prompts').waitFor()
  await search.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'customer-0999' }).waitFor()
  await search.fill('')
  await page.getByText('The first 1,000.').waitFor()
  expect(states).toHaveLength(1)
  expect(complaints).toEqual([])
})
