import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJoin, type PinnedPrompt } from '../../../src/core/prompt.ts'
import { printModuleDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import type { ModuleFormat, ModuleShape } from '../../../src/codegen/print-module.ts'
import type { RenderedPrompt } from '../../../src/runtime/index.ts'
import { HOSTILE, hostilePrompt } from '../../helpers/hostile.ts'
import { liveLock, pinned } from '../../helpers/pinned.ts'
import { printModules, runLock } from '../../helpers/run-modules.ts'
import { sweep } from '../../helpers/sweep.ts'

const FORMS: readonly (readonly [ModuleShape, ModuleFormat])[] = [
  ['namespace', 'esm'],
  ['object', 'esm'],
  ['namespace', 'cjs'],
]

const ADAPTERS = ['toAISDK', 'toAISDK6', 'toAnthropic', 'toOpenAI', 'toOpenAIResponses']

const WORDS = '3d default class await null then catch prompts p0 definePrompt undefined constructor'
const SIGNS = '" \' \\ ` ${x} 😀 a/b . .. </script> */ __proto__ toString hasOwnProperty'
const ODD_SLUGS = ['', ' ', 'a b', '\0', '\u2028', ...WORDS.split(' '), ...SIGNS.split(' ')]

describe.each(FORMS)('the modules as %s in %s', (...form) => {
  test.each([
    ['a slug and an identifier', ['support-triage'], ['support-triage', 'supportTriage']],
    ['slugs alone where identifiers collide', ['a-b', 'a_b'], ['a-b', 'a_b']],
    ['nothing without prompts', [], []],
  ])('have %s', async (_, slugs, names) => {
    const { entry } = await runLock(liveLock(...slugs.map((slug) => ({ slug }))), ...form)
    expect(Object.keys(entry.prompts).toSorted()).toEqual(names)
    expect(new Set(Object.values(entry.prompts)).size).toBe(slugs.length)
  })

  test.each([
    ['odd slugs', ODD_SLUGS.filter((slug) => slug !== '__proto__')],
    ['odd slugs next to __proto__', ODD_SLUGS],
  ])('work with %s, also as exports that are declared', async (_, slugs) => {
    const lock = liveLock(...slugs.map((slug) => ({ slug, system: `S ${slug}` })))
    const { entry, all } = await runLock(lock, ...form)
    for (const slug of slugs) {
      expect(Object.hasOwn(entry.prompts, slug)).toBe(true)
      expect(entry.prompts[slug]?.source).toBe(`S ${slug}`)
    }
    expect(Object.getPrototypeOf(entry.prompts)).toBeNull()
    expect({}).not.toHaveProperty('source')
    const declared = printModuleDeclarations(planModule(lock, 'live'), 'prompts')
    const names = Array.from(declared.all.matchAll(/export const (\S+):/g), ([, name]) => name)
    expect(names).toContain('hasOwnProperty')
    expect(Object.keys(all)).toEqual(expect.arrayContaining(names))
  })

  test('can be awaited and returned from an async function, also prompts called then', async () => {
    const { entry } = await runLock(liveLock({ slug: 'then' }, { slug: 'catch' }), ...form)
    expect(await entry.prompts).toBe(entry.prompts)
    expect(await entry.prompts['then']).toHaveProperty('slug', 'then')
    expect(await (async () => entry.prompts)()).toBe(entry.prompts)
  })

  test('export the adapters and the error, and nothing else', async () => {
    const { entry } = await runLock(liveLock(), ...form)
    const names = ['PromptVariableError', 'prompts', ...ADAPTERS, 'toSpanAttributes']
    expect(Object.keys(entry).toSorted()).toEqual(names)
  })

  test.each([
    ['default', 'a-b', 'then'],
    ['default', 'a-b', 'then', '__proto__'],
  ])(
    'have an export for each name that can be one, with the slugs %s, %s, %s %s',
    async (...slugs) => {
      const { all } = await runLock(liveLock(...slugs.map((slug) => ({ slug }))), ...form)
      const names = ['a-b', 'default', 'aB', 'then']
      const proto = slugs.includes('__proto__') ? ['proto'] : []
      expect(Object.keys(all).toSorted()).toEqual([...names, ...proto].toSorted())
    },
  )
})

/** A hostile value that can be recognized in the output. */
function valueOf(name: string): string {
  return `<${name}|{{a}}$&\\n\`>`
}

/** What a second, naive implementation of rendering returns. */
function expected(prompt: PinnedPrompt): Pick<RenderedPrompt, 'system' | 'user' | 'text'> {
  const token = /\{\{[ \t]*([\p{L}_][\p{L}\p{Nd}_.-]*)[ \t]*\}\}/gu
  const fill = (text: string): string => text.replaceAll(token, (_, name) => valueOf(name))
  const { system, user, source } = prompt
  const join = findJoin(prompt)
  const text = join === undefined ? fill(source) : fill(system) + join + fill(user)
  return { system: fill(system), user: fill(user), text }
}

/** A prompt for each hostile text, which is in all its fields. */
const HOSTILE_PROMPTS = HOSTILE.map((text, index) =>
  pinned({
    slug: `p${index}${text}`,
    folder: text,
    model: text,
    version: text,
    system: text + text,
    user: `x${text}`,
  }),
)

test('the raw texts of any prompts equal the input, and rendering follows the rules', async () => {
  const size = { minLength: 20, maxLength: 20 }
  const many = fc.uniqueArray(hostilePrompt, { selector: ({ slug }) => slug, ...size })
  await fc.assert(
    fc.asyncProperty(many, fc.constantFrom(...FORMS), async (prompts, form) => {
      const { entry } = await runLock(liveLock(...prompts), ...form)
      for (const given of prompts) {
        const prompt = entry.prompts[given.slug]
        if (prompt === undefined) throw new Error(`There is no ${given.slug}.`)
        const { system: systemSource, user: userSource, held: _, ...fields } = given
        const variables = Object.fromEntries(prompt.variables.map((name) => [name, valueOf(name)]))
        expect(prompt).toMatchObject({ ...fields, systemSource, userSource })
        expect(prompt.render(variables)).toMatchObject(expected(given))
      }
    }),
    { ...sweep(20), examples: FORMS.map((form) => [HOSTILE_PROMPTS, form]) },
  )
})

test('a long text renders, in sums of few terms', async () => {
  const lock = liveLock({ slug: 'long', system: '{{ a }}, '.repeat(500) })
  const { entry } = await runLock(lock)
  expect(entry.prompts['long']?.render({ a: 'A' }).system).toBe('A, '.repeat(500))
  const sums = printModules(lock)['definitions.mjs']?.split(/[()]/) ?? []
  const terms = sums.map((sum) => sum.split(' + ').length)
  // The empty text that a sum begins with, and 16 others.
  expect(Math.max(...terms)).toBe(17)
})
