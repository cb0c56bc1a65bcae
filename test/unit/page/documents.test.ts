import { assert as hold, property } from 'fast-check'
import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { encodeSlug, placeOf, promptPath } from '../../../src/page/addresses.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { buttonsIn, press, settled, textsIn } from '../../helpers/page/ask.ts'
import { appFiles, projectAt, type testProject } from '../../helpers/page/project.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

/** The page of a project that has checked the service. */
async function open(...given: Parameters<typeof testProject>): Promise<string> {
  const { url } = await projectAt('', ...given)
  await press(`${url}changes`, 'Check now')
  return url
}

const rowsIn = (html: string): string[] => textsIn(html, 'a class="cells"')

const firstWord = (text: string): string | undefined => text.split(' ')[0]

test('the list is sorted by folder and slug as people count, and searched in every field and mark', async () => {
  const c = { slug: 'c', folder: 'a', model: 'Triage' }
  const staged = { ...c, version: 'v30' }
  const team2 = { slug: 'team-2', folder: 'z', held: { reason: '' }, version: 'v1-edited' }
  const team10 = { slug: 'team-10', folder: 'z', system: 'How to triage.' }
  const files = appFiles(`export default [prompts.c, prompts['team-10']]`)
  const lock = lockOf({ live: [c, team2, team10], staging: [staged] })
  const served = lockOf({ live: [c, team2, { ...team10, version: 'v23' }], staging: [staged] })
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const url = await open(lock, { served, files, env })
  for (const [search, want] of [
    ['', ['c', 'team-2', 'team-10']],
    [' TRIAGE', ['c', 'team-10']],
    ['how TO', ['team-10']],
    ['triage%20Z/team', ['team-10']],
    ['10_team', ['team-10']],
    ['tirage', []],
    ['waiting', ['team-10']],
    ['edited', ['team-2']],
    ['held', ['team-2']],
    ['staged', ['c']],
    ['unused', ['team-2']],
  ] as const) {
    const found = rowsIn(await settled(`${url}prompts?q=${search}`)).map(firstWord)
    expect({ search, found }).toEqual({ search, found: want })
  }
})

test.each<[string, Partial<PinnedPrompt>, Partial<PinnedPrompt> | undefined, string]>([
  ['nothing', {}, {}, 'v22'],
  ['the waiting version', {}, { version: 'v23' }, '→ v23 v22'],
  ['it visibly', {}, { version: 'v\u202e3' }, '→ v⟨U+202E⟩3 v22'],
  ['the update of a text', {}, { model: 'other' }, 'update v22'],
  ['the removal', {}, undefined, 'removed v22'],
  ['the hold', { held: { reason: 'legal' } }, {}, 'held v22'],
  ['the edit', { held: { reason: '' }, version: 'v22-edited' }, {}, 'edited v22-edited'],
  ['the edit that is held no longer', { version: 'v22-edited' }, {}, 'edited v22-edited'],
  ['its notes', { system: '{{#if}}' }, {}, '1 note v22'],
  ['the update first', { system: '{{#if}}' }, { version: 'v23' }, '→ v23 v22'],
])('a prompt has one badge in the list, which tells %s', async (_, fields, update, want) => {
  const served = liveLock(...(update ? [{ ...fields, ...update }] : []))
  const url = await open(liveLock(fields), { served })
  const [row] = rowsIn(await settled(`${url}prompts`))
  expect(row).toBe(`support-triage ${want} gpt-5 0 unused`)
})

test('the first 1,000 prompts are listed until a search finds fewer', async () => {
  const slugs = Array.from({ length: 1010 }, (_, index) => ({ slug: `customer-${1000 + index}` }))
  const { url } = await projectAt('prompts', liveLock(...slugs))
  expect(rowsIn(await settled(url))).toHaveLength(1000)
  expect(rowsIn(await settled(`${url}?q=customer-200`))).toHaveLength(11)
})

test('a prompt is listed once, with its line of the lock: the live part with its staging part, or what is staged alone', async () => {
  const lock = lockOf({
    live: [{ slug: 'a "\u200b"' }, { slug: 'b' }],
    staging: [
      { slug: 'b', version: 'v30', system: 'Be brief.' },
      { slug: 'c', version: 'v31' },
    ],
  })
  const { url, ...project } = await projectAt('', lock)
  expect(rowsIn(await settled(`${url}prompts`))).toEqual([
    'a "⟨U+200B⟩" v22 gpt-5 0',
    'b staged v22 gpt-5 0',
    'c staged v31 gpt-5 0',
  ])
  const html = await settled(`${url}prompts/b`)
  expect(textsIn(html, 'summary')).toContain('v30 in staging: text: system text changed')
  const lines = (await project.readLock()).split('\n')
  const line = lines.findIndex((text) => text.trim() === '"slug": "b",') + 1
  expect(buttonsIn(html)).toContain(`prompts.lock.json:${line}`)
})

test('a prompt has a title, facts, tokens and notes, and its links keep the search', async () => {
  const prompt = { system: 'Be {{ tone }}. {{#if}}', user: '{{ ticket }}', temperature: 0.5 }
  const { url } = await projectAt('prompts', liveLock(prompt, { slug: 'other' }))
  expect(textsIn(await settled(url), 'summary')).toEqual(['support 2'])
  const html = await settled(`${url}?q=TONE`)
  expect(textsIn(html, 'title')).toEqual(['support-triage · Prompts'])
  const facts = 'support · v22 · gpt-5 · temperature 0.5 · 34 characters, about 9 tokens'
  expect(textsIn(html, 'p class="facts')).toEqual([facts])
  expect(textsIn(html, 'mark class="token"')).toEqual(['{{ tone }}', '{{ ticket }}'])
  expect(textsIn(html, 'span class="note-text"')).toEqual(['{{#if}}'])
  expect(html).toContain('href="/prompts/support-triage/edit?q=TONE"')
  // The search leads to this prompt alone.
  expect(html).toContain('class="back small" href="/prompts"')
  const many = await settled(`${url}/other?q=gpt`)
  expect(many).toContain('class="back small" href="/prompts?q=gpt"')
})

test('the code of a prompt is that of the view that the app gets', async () => {
  const lock = lockOf({
    live: [{ slug: 'new_one' }],
    staging: [{ slug: 'new-one' }, { slug: 'b' }],
  })
  const accessIn = async (environment: string): Promise<string[]> => {
    const files = { 'prompts.config.json': JSON.stringify({ environment }) }
    const { url } = await projectAt('prompts/new_one', lock, { files })
    return textsIn(await settled(url), 'p class="access').map((text) => text.replace(/ Copy.*/, ''))
  }
  expect(await accessIn('live')).toEqual(['prompts.newOne'])
  expect(await accessIn('test')).toEqual(["prompts['new_one']"])
})

test('a slug has a path of its own, whatever it is, which leads back to it', () => {
  const leadsBack = (slug: string): void => {
    const { pathname } = new URL(promptPath(slug, 'edit'), 'http://page')
    expect(placeOf(pathname)).toEqual({ kind: 'prompt', encoded: encodeSlug(slug), view: 'edit' })
  }
  const slugs = ['.', '..', 'prompts', 'a/b', '%2e%2e', '?q=a#b', '%2E', '.,', '%2E%2E']
  for (const slug of slugs) leadsBack(slug)
  expect(new Set(slugs.map(encodeSlug)).size).toBe(slugs.length)
  hold(property(hostileText, (slug) => slug === '' || leadsBack(slug)))
})
