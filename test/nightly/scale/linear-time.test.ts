import { describe, expect, test } from 'vitest'
import { containsSecret } from '../../../src/core/secrets.ts'
import { findNotes } from '../../../src/core/notes.ts'
import { locateParts } from '../../../src/core/lock/lock-lines.ts'
import { sanitize } from '../../../src/core/text/sanitize.ts'
import { parseTemplate } from '../../../src/core/template.ts'
import { findUsedNames } from '../../../src/plugin/by-use/used-names.ts'
import { wrapParts } from '../../../src/cli/shell/layout.ts'
import { fencedCode } from '../../../src/cli/view/print-change-report.ts'
import { parseModule } from '../../../src/codegen/assert-only-data.ts'
import { diffTexts } from '../../../src/features/diff/text-diff.ts'
import { liveLock, parsedLock, pinned, lockText } from '../../helpers/pinned.ts'
import { printModules, runLock } from '../../helpers/run-modules.ts'

/**
 * No time is asserted, since it would say more of the machine than of the code: linear work on
 * these texts takes a second on a busy one, quadratic work half a minute to hours, and so past this limit.
 */
const LIMIT = { timeout: 20_000 }

const MILLION = 1_000_000
const SPELLINGS = Array.from({ length: 50_000 }, (_, index) => `{{v${index}}}`)

const VARIABLE = /\{\{ ?(\w+) ?\}\}/g

const TEXTS = [
  { title: '10 MB on one line', text: 'x'.repeat(10 * MILLION), tokens: 0, notes: 0 },
  { title: '200,000 lines', text: 'a\n'.repeat(200_000), tokens: 0, notes: 0 },
  { title: '50,000 tokens', text: '{{ a }} b\n'.repeat(50_000), tokens: 50_000, notes: 0 },
  { title: '50,000 spellings', text: SPELLINGS.join(''), tokens: 50_000, notes: 0 },
  { title: '100,000 unclosed openers', text: '{{ a '.repeat(100_000), tokens: 0, notes: 100_000 },
  {
    title: '500,000 openers and one closer',
    text: `${'{{ '.repeat(500_000)}}}`,
    tokens: 0,
    notes: 500_000,
  },
  { title: 'openers and empty braces', text: '{{{{}}'.repeat(50_000), tokens: 0, notes: 100_000 },
  { title: 'braces', text: '{'.repeat(200_000), tokens: 0, notes: 100_000 },
  { title: 'an opener and spaces', text: `{{${' '.repeat(MILLION / 2)}`, tokens: 0, notes: 1 },
  { title: 'a name without end', text: `{{${'a'.repeat(MILLION / 2)}`, tokens: 0, notes: 1 },
  { title: 'a name and spaces', text: `{{a${' '.repeat(MILLION / 2)}`, tokens: 0, notes: 1 },
  { title: 'one name', text: `{{ ${'𝒳a'.repeat(MILLION / 2)} }}`, tokens: 0, notes: 1 },
  { title: 'beginnings of keys', text: 'a_live_'.repeat(200_000), tokens: 0, notes: 0 },
  { title: 'beginnings of escapes', text: '\u001b[\u001b]'.repeat(200_000), tokens: 0, notes: 0 },
]

describe.each(TEXTS)('$title takes linear time', LIMIT, ({ text, tokens, notes }) => {
  const prompt = pinned({ system: text, source: `no join: ${text}` })
  const lock = { parts: [prompt] } as const

  test('to parse', () => {
    expect(parseTemplate(text).filter((part) => typeof part !== 'string')).toHaveLength(tokens)
  })

  test('to find notes', () => {
    expect(findNotes({ ...prompt, source: text }, 1)).toMatchObject({ count: notes })
  })

  test('to print as a lock and to read it', () => {
    const printed = lockText(lock)
    expect(parsedLock(printed).parts[0]?.system === text).toBe(true)
    // As a formatter prints it.
    expect(parsedLock(printed.replaceAll('\n  ', '\n\t')).parts[0]?.system === text).toBe(true)
  })

  test('to print as a module, to check it and to render it in order', async () => {
    const { entry } = await runLock(lock)
    const [rendered] = Object.values(entry.prompts)
    const names = Array.from(text.matchAll(VARIABLE), ([, name]) => name)
    expect(rendered?.variables).toEqual([...new Set(names)])
    const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]))
    expect(rendered?.render(values).system === text.replaceAll(VARIABLE, '<$1>')).toBe(true)
    if (tokens > 0) expect(() => rendered?.render({})).toThrow(entry.PromptVariableError)
  })

  test('to find its line in a lock, as a folder', () => {
    const folder = liveLock({ slug: 'a', folder: text })
    expect(locateParts(lockText(folder))(pinned({ slug: 'a' }))).toBe(5)
  })

  test('to show as a block of code', () => {
    expect(fencedCode(text, 'text')).toMatch(/^```text\n[^]*\n```\n$/)
  })

  test('to search for keys and to sanitize', () => {
    expect(containsSecret(text, ['svc_live_none'])).toBe(false)
    expect(sanitize(text).length).toBeLessThanOrEqual(text.length)
  })
})

test('a long text is printed in short chains: for a long one Rolldown takes quadratic time', () => {
  const text = SPELLINGS.slice(0, 2000).join(' and ')
  const code = printModules(liveLock({ slug: 'long', system: text }))['definitions.mjs'] ?? ''
  const depth = deepestSum(parseModule(code))
  expect(depth).toBeGreaterThan(10)
  expect(depth).toBeLessThan(80)
})

/** How many additions are nested in one another at most. */
function deepestSum(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  const below = Object.values(node).reduce((most, each) => Math.max(most, deepestSum(each)), 0)
  return 'type' in node && node.type === 'BinaryExpression' ? below + 1 : below
}

test('10,000 prompts take linear time', LIMIT, () => {
  const fields = Array.from({ length: 10_000 }, (_, index) => ({ slug: `prompt-${index}` }))
  expect(printModules(liveLock(...fields))).toHaveProperty(['definitions.mjs'])
})

test('escaped strings of 3 MB are read, as printed and formatted', LIMIT, () => {
  const long = 'a"\\'.repeat(1_000_000)
  const lock = liveLock({ system: long, folder: long })
  const printed = lockText(lock)
  for (const text of [printed, printed.replaceAll('\n ', '\n\t')])
    expect(parsedLock(text).parts[0]?.system === long).toBe(true)
})

test('a new text of 200,000 lines is one hunk', LIMIT, () => {
  const [hunk, ...others] = diffTexts('', 'a\n'.repeat(200_000))
  expect(hunk).toHaveLength(200_000)
  expect(others).toEqual([])
})

test('5 texts of 15,000 characters that were written anew are compared', LIMIT, () => {
  const words = (first: number): string =>
    Array.from({ length: 2500 }, (_, index) => `w${(index * index * (first + 3)) % 997}`).join(' ')
  for (let index = 0; index < 5; index++)
    expect(diffTexts(words(index), words(index + 5))).toHaveLength(1)
})

test('the use of prompts is read from a module with an array of 300,000 values', LIMIT, () => {
  const id = 'virtual:prompts'
  const code = `import { prompts } from '${id}'; prompts.a; [${'1,'.repeat(300_000)}]`
  expect(findUsedNames(code, { id, kind: 'entry', parsers: [parseModule] }).use).toEqual(
    new Set(['a']),
  )
})

test('a word of 100,000 characters is wrapped, in linear time', LIMIT, () => {
  const rows = wrapParts([{ text: '字'.repeat(100_000) }], 100)
  expect(rows).toHaveLength(2000)
  expect(new Set(rows.map(([part]) => part?.text.length))).toEqual(new Set([50]))
})
