import { describe, expect, test } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
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
  test('are text in every view: nothing runs, nothing is asked of others', async () => {
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
        if (view !== '') continue
        await page.getByRole('radio', { name: 'Markdown' }).check()
        await page.locator('.markdown').first().waitFor()
      }
    }
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.evaluate('document.querySelectorAll("script, style, img").length')).toBe(2)
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] })
  })

  test('show what hides, and keep every character of the text', async () => {
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

  test('are searched and scrolled without lag', async () => {
    const { url } = await servedPage(await testProject(liveLock(...many)))
    const { page } = await visit(browser(), url)
    await page.getByText('1,000 prompts', { exact: true }).waitFor()
    expect(await page.locator('.row').count()).toBeLessThan(60)
    await keepScreenshot(page, 'thousand-light')
    const times = await page.evaluate<number[]>(`(async () => {
      const frame = () => new Promise(requestAnimationFrame)
      const input = document.querySelector('input[type=search]')
      const box = document.querySelector('[data-list]')
      const times = []
      const measure = async (act) => {
        const start = performance.now()
        act()
        await frame()
        await frame()
        times.push(performance.now() - start)
      }
      for (const text of ['n', 'nu', 'number 99', '']) {
        await measure(() => {
          input.value = text
          input.dispatchEvent(new Event('input', { bubbles: true }))
        })
      }
      for (let top = 0; top < 40000; top += 4000) await measure(() => (box.scrollTop = top))
      return times.sort((a, b) => a - b)
    })()`)
    // The median, since a busy machine may hold up any single frame.
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(100)
    await expectAccessible(page)
  })

  test('are reached by keyboard and by address, wherever they stand', async () => {
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
