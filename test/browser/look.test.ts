import { rm, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { promptPath } from '../../src/page/addresses.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { liveLock } from '../helpers/pinned.ts'
import { expectAccessible, keepScreenshot, visit } from '../helpers/page/browser.ts'
import { playgroundLock, servedPage, testProject } from '../helpers/page/project.ts'

const PLAYGROUND = await playgroundLock()

/** As pinned before the service changed: an update that breaks the app, one of settings, and one of a model. */
const OLDER = { ...PLAYGROUND, parts: PLAYGROUND.parts.map(olderPart) }

function olderPart(part: PinnedPrompt): PinnedPrompt {
  const { environment, slug, user, source } = part
  if (environment !== 'live') return part
  if (slug === 'release-notes') return { ...part, version: 'v5', temperature: 0.2 }
  if (slug === 'incident-summary') return { ...part, version: 'v8', model: 'claude-sonnet-4' }
  if (slug !== 'sales-follow-up') return part
  const renamed = (text: string): string => text.replace('{{ contact }}', '{{ recipient }}')
  const texts = { user: renamed(user), source: renamed(source) }
  return { ...part, ...texts, version: 'v10', temperature: 0.5 }
}

const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': APP_TSCONFIG,
  'src/sales/remind.ts': `import { prompts } from 'virtual:prompts'

export function remind(recipient: string, call_notes: string) {
  const product = 'Northwind Desk'
  return prompts.salesFollowUp.render({ product, recipient, call_notes }).messages
}

export const followUp = (recipient: string, call_notes: string) =>
  prompts.salesFollowUp.render({ product: 'Desk', recipient, call_notes }).text
`,
}

const HELD = { slug: 'held', held: { reason: 'Legal reads it until the end of May.' } }
const TYPED = { product: 'Northwind Desk', customer_name: 'Zoë', knowledge: '14 days.' }

interface State {
  readonly name: string
  /** Default: the one that an update would break. */
  readonly lock?: Lock
  readonly env?: Readonly<Record<string, string>>
  /** What is in the file of the lock. */
  readonly content?: string
  /** Paths of documents, each with a text that it shows, what is clicked before, and its picture. */
  readonly shows: readonly (readonly [string, string, string?, string?])[]
}

const STATES: readonly State[] = [
  { name: 'no lock', content: '', shows: [['', 'page follows the lock']] },
  { name: 'a conflict', content: '<<<<<<<', shows: [['', 'LOCK_CONFLICTED']] },
  { name: 'a refused key', env: { PROMPTS_API_KEY: 'svc_live_Z' }, shows: [['', 'KEY_REFUSED']] },
  { name: 'no service', env: { PROMPTS_BASE_URL: '' }, shows: [['', 'BASE_URL_MISSING']] },
  { name: 'no check', env: { PROMPTS_PULL: 'never' }, shows: [['', 'was not checked yet']] },
  {
    name: 'staging that no key reads',
    lock: liveLock(...PLAYGROUND.parts.filter(({ environment }) => environment === 'live')),
    env: { PROMPTS_TEST_API_KEY: '' },
    shows: [['changes', 'not fetched: needs a test key']],
  },
  {
    name: 'nothing to pull',
    lock: PLAYGROUND,
    shows: [
      ['changes', 'The list shows no change, 12:00'],
      ['prompts', 'prompts pinned'],
      ['prompts?q=support', '3 of '],
      ['prompts?q=nowhere', 'No prompts found.'],
      ['prompts/no-such-prompt', 'Page not found'],
      ['prompts/code-review/history', new Date().toISOString().slice(0, 10)],
      ['prompts/code-review', 'Several template languages', '', 'notes'],
      ['prompts/support-reply/edit', '1 variable has no value', 'Preview', 'try'],
    ],
  },
  {
    name: 'prompts that are gone and held',
    lock: liveLock(HELD, { slug: 'gone' }),
    shows: [
      ['', 'changes wait'],
      ['prompts/held', 'Legal reads it'],
      ['prompts/gone/update', 'v22 → gone'],
    ],
  },
  {
    name: 'changes',
    shows: [
      ['changes', 'Fetch the 1 that'],
      ['prompts/sales-follow-up/update', 'Update v', 'Fetch the text', 'prompt'],
      ['changes', '2 lines stop compiling', '', 'changes'],
    ],
  },
]

test.each(STATES)(
  '$name: documents are accessible, whole and log nothing, dark, light and narrow',
  { timeout: 180_000 },
  async (state) => {
    const { lock = OLDER, env, content, shows } = state
    const keys = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test, ...env }
    const project = await testProject(lock, { served: PLAYGROUND, env: keys, files: FILES })
    commitAll(project.root)
    if (content === '') await rm(project.lockPath)
    else if (content !== undefined) await writeFile(project.lockPath, content)
    const { url } = await servedPage(project)
    const { page, complaints } = await visit(url)
    for (const [path, text, click = '', picture] of shows) {
      await page.goto(url + path)
      for (const [label, value] of click === 'Preview' ? Object.entries(TYPED) : [])
        await page.getByLabel(label, { exact: true }).fill(value)
      if (click !== '') await page.getByRole('button', { name: click }).first().click()
      await page.getByText(text).first().waitFor({ state: 'attached' })
      await expectGood(page, picture)
    }
    // The console names the status of what is not there.
    expect(complaints.filter((line) => !line.includes('404 (Not Found)'))).toEqual([])
  },
)

/** Holds a document to what is asked of all of them, in each look. */
async function expectGood(page: Page, picture = ''): Promise<void> {
  const keep = async (look: string): Promise<void> => {
    if (picture !== '') await keepScreenshot(page, `${picture}-${look}`)
  }
  // What is known later would change the document in between.
  await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await keep('dark')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await keep('light')
  // Nothing but `light-dark()` depends on the scheme.
  await expectAccessible(page, 'colours')
  await expectNothingWraps(page)
  await expectNothingCutOff(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await page.setViewportSize({ width: 375, height: 667 })
  await keep('narrow')
  await expectAccessible(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** What has one line at 1280 pixels, with its height: bars, rows and buttons. */
const LINES = [
  ['.header', 48],
  ['.bar, .change .actions', 36],
  ['.views, .row > a, .button, .facts', 32],
] as const

async function expectNothingWraps(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const [selector, height] of LINES) {
    const wrapped = `[...document.querySelectorAll('${selector}')]
      .filter(({ scrollHeight }) => scrollHeight > ${height}).map(({ innerText }) => innerText)`
    expect(await page.evaluate(wrapped)).toEqual([])
  }
}

/** WCAG 1.4.10: 320 pixels are the width of a window of 1280 at 400 % zoom. */
async function expectNothingCutOff(page: Page): Promise<void> {
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = `[...document.querySelectorAll('html, body, main, .header, .body, .list, .bar .slug')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ className, tagName }) => tagName + className)`
    expect({ width, wide: await page.evaluate(wide) }).toEqual({ width, wide: [] })
  }
}

test('300 prompts, 50 kB on a line, Arabic and Japanese stay without horizontal scrolling', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    slug: `prompt-${index}-with-a-name-that-is-long`,
    folder: `folder-${index % 25}`,
  }))
  const special = (mark: string) => [
    { slug: 'a-line', version: mark, system: `${mark}${'word'.repeat(12_500)} {{ ticket }}` },
    { slug: 'arabic', version: mark, system: `${mark}أنت مساعد. {{ ticket }}\nأجب بإيجاز.` },
    {
      slug: 'japanese',
      version: mark,
      system: mark + 'あなたは親切なアシスタントです。'.repeat(80),
    },
  ]
  const served = liveLock(...many, ...special('v2'))
  const project = await testProject(liveLock(...many, ...special('v1')), { served })
  const { url } = await servedPage(project)
  const { page, complaints } = await visit(`${url}changes`)
  await page.getByRole('button', { name: 'Fetch all 3' }).click()
  await page.locator('.diff-line').first().waitFor({ state: 'attached' })
  const texts = special('').flatMap(({ slug }) => [`prompts/${slug}`, `prompts/${slug}/edit`])
  for (const path of ['changes', 'prompts', ...texts]) {
    await page.goto(url + path)
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
    await expectNothingCutOff(page)
  }
  expect(complaints).toEqual([])
})

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

test('hostile prompts are text in every view: nothing runs, hides, or is requested from other hosts', async () => {
  const all = [...HOSTILE, ...ATTACKS]
  const hostile = all.map((piece, index) => {
    return { slug: `${piece} ${index}`, folder: piece, model: piece, version: piece }
  })
  const text = all.join('\n')
  const whole = { slug: text, folder: text, model: text, version: text, system: text, user: text }
  const lock = liveLock(...hostile, { ...whole, held: { reason: text } })
  const served = liveLock(...hostile.map((fields) => ({ ...fields, version: `${fields.slug}!` })))
  const { url } = await servedPage(await testProject(lock, { served }))
  const { page, complaints } = await visit(url)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url())
  })
  for (const path of [
    '/changes',
    ...(['edit', 'text'] as const).map((view) => promptPath(text, view)),
  ]) {
    await page.goto(new URL(path, url).href)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.locator('script, style, img').count()).toBe(2)
    // A field of a form has the text as it is.
    const shown = await page.evaluate<string>(`{
      for (const field of document.querySelectorAll('textarea')) field.remove()
      document.body.textContent
    }`)
    expect(shown).toContain('⟨U+202E⟩')
    expect(shown).not.toMatch(/\p{Bidi_Control}|\u200b|[^\P{Cc}\t\n]/u)
  }
  expect(await page.locator('#system .line').count()).toBe(text.split('\n').length)
  expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] })
  await keepScreenshot(page, 'hostile-light')
  await expectAccessible(page)
})
