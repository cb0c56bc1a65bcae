import { assert as hold, property } from 'fast-check'
import { expect, test } from 'vitest'
import { textVariables } from '../../../src/core/template.ts'
import { encodeSlug, placeOf, promptPath } from '../../../src/page/addresses.ts'
import { readForm, typedTexts } from '../../../src/page/server/form.ts'
import { fillIn } from '../../../src/page/views/edit.tsx'
import { hostilePrompt, hostileText } from '../../helpers/hostile.ts'
import { pinned } from '../../helpers/pinned.ts'

const NOWHERE = new URLSearchParams()

/** What a browser makes of a text in a field. */
function returned(text: string): string {
  const html = text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').replaceAll('\n', '\r\n')
  return Buffer.from(html).toString()
}

test('a text that comes back as shown is the stored text, and another one is refused if the field lost something', () => {
  hold(
    property(hostilePrompt, (fields) => {
      const { system, user } = pinned(fields)
      const stored = { system, user }
      const sent = new URLSearchParams({
        act: 'edit',
        system: returned(system),
        user: returned(user),
      })
      const form = readForm(sent, NOWHERE)
      expect(form && typedTexts(stored, stored, form.typed)).toEqual({ texts: stored, lossy: [] })
      sent.set('user', 'Other.')
      const { texts, lossy } = typedTexts(stored, stored, readForm(sent, NOWHERE)?.typed ?? stored)
      expect(texts).toEqual({ system, user: 'Other.' })
      const isKept = user === returned(user).replaceAll('\r\n', '\n')
      expect(lossy).toEqual(isKept || user === 'Other.' ? [] : ['user'])
    }),
  )
})

test('a text that is shown with its keys replaced is kept, and is not changed here', () => {
  const [stored, shown] = [
    { system: 'Use svc_live_x.', user: '' },
    { system: 'Use [key].', user: '' },
  ]
  expect(typedTexts(stored, shown, shown)).toEqual({ texts: stored, lossy: [] })
  expect(typedTexts(stored, shown, { ...shown, system: 'Use [key]!' }).lossy).toEqual(['system'])
})

test('a message that is tried is what the app would send', () => {
  hold(
    property(hostilePrompt, hostileText, (fields, value) => {
      const { system, user } = pinned(fields)
      for (const text of [system, user]) {
        const values = new Map(textVariables([text]).map((name) => [name, value]))
        expect(fillIn(text, values)).toBe(rendered(text, value))
        expect(fillIn(text, new Map())).toBe(text)
      }
    }),
  )
})

/** The text with every token replaced by a value. */
function rendered(text: string, value: string): string {
  return text.replaceAll(/\{\{[ \t]*[\p{L}_][\p{L}\p{N}_.-]*[ \t]*\}\}/gu, () => value)
}

test('a slug has a path of its own, whatever it is, which leads back to it', () => {
  hold(
    property(hostileText, (slug) => {
      if (slug === '') return
      const { pathname } = new URL(promptPath(slug, 'edit'), 'http://page')
      const encoded = encodeSlug(slug)
      expect(placeOf(pathname)).toEqual({ kind: 'prompt', encoded, view: 'edit' })
    }),
  )
  for (const slug of ['.', '..', 'prompts', 'changes', 'a/b', '%2e%2e', '?q=a#b'])
    expect(new URL(`/prompts/${encodeSlug(slug)}`, 'http://page').pathname).toBe(
      `/prompts/${encodeSlug(slug)}`,
    )
})
