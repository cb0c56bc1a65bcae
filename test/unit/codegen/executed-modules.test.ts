import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJoin, type PinnedPrompt } from '../../../src/core/prompt.ts'
import { printModuleDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import type { ModuleShape } from '../../../src/codegen/print-module.ts'
import type { RenderedPrompt } from '../../../src/runtime/index.ts'
import { HOSTILE, hostilePrompt } from '../../helpers/hostile.ts'
import { liveLock, pinned } from '../../helpers/pinned.ts'
import { runLock } from '../../helpers/run-modules.ts'
import { sweep } from '../../helpers/sweep.ts'

const SHAPES: readonly ModuleShape[] = ['namespace', 'object']

const ODD_SLUGS = [
  '',
  ' ',
  '3d',
  'default',
  'class',
  'await',
  'null',
  '"',
  "'",
  '\\',
  '`',
  '${x}',
  '😀',
  'a b',
  'a/b',
  '.',
  '..',
  '\0',
  '\u2028',
  '</script>',
  '*/',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  'catch',
  'prompts',
  'p0',
  'definePrompt',
  'undefined',
]

describe.each(SHAPES)('as %s', (shape) => {
  test('a prompt is under its slug and its identifier', async () => {
    const { entry } = await runLock(liveLock({ slug: 'support-triage' }), shape)
    expect(Object.keys(entry.prompts).toSorted()).toEqual(['support-triage', 'supportTriage'])
    expect(entry.prompts['support-triage']).toBe(entry.prompts['supportTriage'])
  })

  test('no prompts are an empty namespace', async () => {
    const { entry, all } = await runLock(liveLock(), shape)
    expect([Object.keys(entry.prompts), Object.keys(all)]).toEqual([[], []])
  })

  test.each([
    ['odd slugs work', ODD_SLUGS.filter((slug) => slug !== '__proto__')],
    ['odd slugs work next to one called __proto__', ODD_SLUGS],
  ])('%s', async (_, slugs) => {
    const lock = liveLock(...slugs.map((slug) => ({ slug, system: `S ${slug}` })))
    const { entry } = await runLock(lock, shape)
    for (const slug of slugs) {
      expect(Object.hasOwn(entry.prompts, slug)).toBe(true)
      expect(entry.prompts[slug]?.source).toBe(`S ${slug}`)
    }
    expect(Object.getPrototypeOf(entry.prompts)).toBeNull()
    expect({}).not.toHaveProperty('source')
  })

  test('colliding slugs keep their slugs', async () => {
    const { entry } = await runLock(liveLock({ slug: 'a-b' }, { slug: 'a_b' }), shape)
    expect(Object.keys(entry.prompts).toSorted()).toEqual(['a-b', 'a_b'])
  })

  test('prompts can be awaited and returned from an async function', async () => {
    const { entry } = await runLock(liveLock({ slug: 'then' }, { slug: 'catch' }), shape)
    expect(await entry.prompts).toBe(entry.prompts)
    expect(await entry.prompts['then']).toHaveProperty('slug', 'then')
    expect(await (async () => entry.prompts)()).toBe(entry.prompts)
  })

  test('the adapters and the error are exported, and nothing else', async () => {
    const { entry } = await runLock(liveLock(), shape)
    expect(Object.keys(entry)).toEqual([
      'PromptVariableError',
      'prompts',
      'toAISDK',
      'toAISDK6',
      'toAnthropic',
      'toOpenAI',
      'toOpenAIResponses',
      'toSpanAttributes',
    ])
  })
})

describe('the module with every name', () => {
  const lock = liveLock({ slug: 'default' }, { slug: 'a-b' }, { slug: 'then' })

  test('has each name as an export', async () => {
    const { all } = await runLock(lock)
    expect(Object.keys(all)).toEqual(['a-b', 'aB', 'default', 'then'])
  })

  test('has only identifiers if names cannot be strings', async () => {
    const { all } = await runLock(lock, 'object')
    expect(Object.keys(all)).toEqual(['aB', 'then'])
  })

  test.each([
    ['namespace', ['a-b', 'aB', 'default', 'proto', 'then']],
    ['object', ['aB', 'proto', 'then']],
  ] as const)('as %s, lacks __proto__ and nothing else', async (shape, names) => {
    const { all } = await runLock(
      { ...lock, parts: [pinned({ slug: '__proto__' }), ...lock.parts] },
      shape,
    )
    expect(Object.keys(all)).toEqual(names)
  })

  test.each(SHAPES)('as %s, has every export that is declared', async (shape) => {
    const { all } = await runLock(liveLock(...ODD_SLUGS.map((slug) => ({ slug }))), shape)
    const plan = planModule(liveLock(...ODD_SLUGS.map((slug) => ({ slug }))))
    const declared = printModuleDeclarations(plan, 'prompts')
    const names = Array.from(declared.all.matchAll(/export const (\S+):/g), ([, name]) => name)
    expect(names).toContain('hasOwnProperty')
    expect(Object.keys(all)).toEqual(expect.arrayContaining(names))
  })
})

test('every hostile text stays exact, and nothing in it runs', async () => {
  const prompts = HOSTILE.map((text, index) => ({
    slug: `p${index}`,
    folder: text,
    model: text,
    version: text,
    system: text + text,
    user: `x${text}`,
  }))
  const { all } = await runLock(liveLock(...prompts))
  for (const { slug, folder, model, version, system, user } of prompts) {
    expect(all[slug]).toMatchObject({ slug, folder, model, version })
    expect(all[slug]).toMatchObject({ systemSource: system, userSource: user })
  }
})

/** A hostile value that can be recognized in the output. */
function valueOf(name: string): string {
  return `<${name}|{{a}}$&\\n\`>`
}

/** What the reference implementation renders. */
function expected(prompt: PinnedPrompt): Pick<RenderedPrompt, 'system' | 'user' | 'text'> {
  const fill = (text: string): string => referenceRender(text, valueOf)
  const { system, user, source } = prompt
  const join = findJoin(prompt)
  const text = join === undefined ? fill(source) : fill(system) + join + fill(user)
  return { system: fill(system), user: fill(user), text }
}

test('any prompts: raw texts equal the input, and rendering follows the rules', async () => {
  const many = fc.uniqueArray(hostilePrompt, {
    selector: ({ slug }) => slug,
    minLength: 20,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(many, fc.constantFrom(...SHAPES), async (prompts, shape) => {
      const { entry } = await runLock(liveLock(...prompts), shape)
      for (const given of prompts) {
        const prompt = entry.prompts[given.slug]
        if (prompt === undefined) throw new Error(`There is no ${given.slug}.`)
        const { system: systemSource, user: userSource, held: _, ...fields } = given
        const variables = Object.fromEntries(prompt.variables.map((name) => [name, valueOf(name)]))
        expect(prompt).toMatchObject({ ...fields, systemSource, userSource })
        expect(prompt.render(variables)).toMatchObject(expected(given))
      }
    }),
    sweep(10),
  )
})

/**
 * A second, naive implementation of rendering: goes through the text by character and replaces
 * each token by its value.
 */
function referenceRender(text: string, value: (name: string) => string): string {
  let rendered = ''
  for (let index = 0; index < text.length;) {
    const token = tokenAt(text, index)
    rendered += token === undefined ? (text[index] ?? '') : value(token.name)
    index = token?.end ?? index + 1
  }
  return rendered
}

function tokenAt(text: string, start: number): { name: string; end: number } | undefined {
  if (text.slice(start, start + 2) !== '{{') return undefined
  const nameStart = skipBlanks(text, start + 2)
  const characters = Array.from(text.slice(nameStart))
  const length = characters.findIndex((character) => !/[\p{L}\p{Nd}_.-]/u.test(character))
  const name = characters.slice(0, Math.max(length, 0)).join('')
  const end = skipBlanks(text, nameStart + name.length)
  const closed = /^[\p{L}_]/u.test(name) && text.slice(end, end + 2) === '}}'
  return closed ? { name, end: end + 2 } : undefined
}

function skipBlanks(text: string, start: number): number {
  let index = start
  while (text[index] === ' ' || text[index] === '\t') index++
  return index
}
