import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { workspaceFromLock } from '../../src/local-service/workspace.ts'
import { promptPath } from '../../src/page/addresses.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { liveLock } from '../helpers/pinned.ts'
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
  '</textarea><img src=x onerror="window.pwned = 1">',
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
    held: { reason: piece },
    system: `${piece} {{ a }}`,
    user: piece,
    source: `${piece} {{ a }}\n\n${piece}`,
  }))
  const whole = { slug: `all </script> \u202e${ATTACKS[1]}`, folder: 'hostile' }
  return [...one, { ...whole, system: text, user: text, source: `${text}\n\n${text}` }]
}

test('hostile prompts are text in every view: nothing runs, hides, or is requested from other hosts', async () => {
  const prompts = hostilePrompts()
  const { url } = await servedPage(await testProject(liveLock(...prompts)))
  const { page, complaints } = await visit(browser(), url)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url())
  })
  for (const { slug = '' } of [...prompts.slice(0, 4), ...prompts.slice(-8)])
    for (const view of ['edit', 'text'] as const) {
      await page.goto(new URL(promptPath(slug, view), url).href)
      await page.locator('#slug').waitFor()
    }
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(await page.evaluate('document.querySelectorAll("script, style, img").length')).toBe(2)
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] })
  // The last one has all pieces in its text.
  const shown = await page.locator('.raw').first().textContent()
  expect(shown).toContain('⟨U+202E⟩')
  expect(shown).not.toMatch(/\p{Bidi_Control}|\u200b|[^\P{Cc}\t\n]/u)
  expect(shown?.split('\n').length).toBe((prompts.at(-1)?.system?.split('\n').length ?? 0) + 1)
  await keepScreenshot(page, 'hostile-light')
  await expectAccessible(page)
})

/** The widths of what is wider than the window, or scrolls sideways as a whole. */
async function expectNoSideways(page: Page): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = `[...document.querySelectorAll('html, body, main, .list, .header')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ className, tagName }) => tagName + className)`
    expect({ width, wide: await page.evaluate(wide) }).toEqual({ width, wide: [] })
  }
}

test('300 prompts, 50 kB on a line, Arabic and Japanese stay without horizontal scrolling', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    slug: `prompt-${index}-with-a-name-that-is-long`,
    folder: `folder-${index % 25}`,
    system: `Number ${index}. {{ ticket }}`,
  }))
  const special = [
    { slug: 'a-long-line', system: `${'word'.repeat(12_500)} {{ ticket }}` },
    { slug: 'arabic', system: 'أنت مساعد. {{ ticket }}\nأجب بإيجاز.', folder: 'عربي' },
    { slug: 'japanese', system: `${'あなたは親切なアシスタントです。'.repeat(80)}{{ ticket }}` },
  ]
  const updated = special.map(({ system, ...more }) => ({
    ...more,
    version: 'v23',
    system: `!${system}`,
  }))
  const served = workspaceFromLock(liveLock(...many, ...updated))
  const project = await testProject(liveLock(...many, ...special), { workspace: served })
  const { url } = await servedPage(project)
  const { page, complaints } = await visit(browser(), `${url}changes`)
  await page.getByRole('button', { name: 'Read all 3 · 3 reads' }).click()
  await page.locator('.diff-line').first().waitFor({ state: 'attached' })
  await page.locator('.change summary').first().click()
  for (const path of [
    'changes',
    'prompts',
    ...special.flatMap(({ slug }) => [`prompts/${slug}`, `prompts/${slug}/edit`]),
  ]) {
    await page.goto(url + path)
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
    await expectNoSideways(page)
  }
  expect(complaints).toEqual([])
})
