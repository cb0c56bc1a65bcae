import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from '@jridgewell/sourcemap-codec'
import { format as formatText, type FormatConfig } from 'oxfmt'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import { declarationsState, writeDeclarations } from '../../helpers/generated.ts'
import { liveLock, lockOf, pinned, lockText } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const LOCK = liveLock(
  { slug: '3d' },
  { slug: 'it\'s "odd"', version: "v'1", system: '{{ a }} "{{ b }}"' },
  {
    slug: 'support-triage',
    system: 'Sort {{ ticket }}.\n\n *  Be {{ tone }}',
    user: '{{ user.id }}',
  },
)

/** The declarations of a lock, in a folder of their own. */
async function declared(lock: Lock = LOCK): Promise<{ root: string; dts: string; text: string }> {
  const root = await temporaryFolder()
  const files = { root, dts: join(root, 'prompts.d.ts') }
  await writeDeclarations(lock, files)
  return { ...files, text: await readFile(files.dts, 'utf8') }
}

/** A prompt in the declarations. */
const ENTRY = /^ +\/\*\*\n(?: +\*.*\n)+ +readonly .*\n(?: {6}.*\n)+ +\}>;\n/m

describe('declarations', () => {
  test('are written if there are none, in a folder that need not exist', async () => {
    const root = await temporaryFolder()
    const files = { root, dts: join(root, 'shared/types/prompts.d.ts') }
    expect(await declarationsState(LOCK, files)).toEqual({ path: files.dts, state: 'missing' })
    expect(await writeDeclarations(LOCK, files)).toBe('written')
    expect(await declarationsState(LOCK, files)).toEqual({ path: files.dts, state: 'current' })
    expect(await readdir(join(root, 'shared/types'))).toEqual(['prompts.d.ts'])
  })

  // That this needs no ts-morph is in test/built/start-up.test.ts.
  test.each(['\n', '\r\n'])('are written once, and stay in a checkout with %j', async (end) => {
    const files = await declared()
    await writeFile(files.dts, files.text.replaceAll('\n', end))
    await utimes(files.dts, 1, 1)
    expect(await writeDeclarations(LOCK, files)).toBe('unchanged')
    expect((await stat(files.dts)).mtimeMs).toBe(1000)
  })

  const [first, second, triage] = LOCK.parts
  test.each<readonly [string, Lock]>([
    ['a prompt more', { ...LOCK, parts: [...LOCK.parts, pinned({ slug: 'z' })] }],
    ['a prompt less', { ...LOCK, parts: LOCK.parts.slice(1) }],
    ['no prompts', liveLock()],
    ['another variable', liveLock({ ...first }, { ...second }, { ...triage, user: '{{ user }}' })],
    ['another model', liveLock({ ...first, model: 'gpt-4.1' }, { ...second }, { ...triage })],
    ['another identifier', liveLock({ slug: '3d' }, { slug: '3-d' })],
    [
      'a draft',
      lockOf({ live: LOCK.parts, staging: [{ slug: 'support-triage', version: 'v23' }] }),
    ],
  ])('are stale for a lock with %s', async (_, lock) => {
    const files = await declared()
    expect(await declarationsState(lock, files)).toMatchObject({ state: 'stale' })
    expect(await writeDeclarations(lock, files)).toBe('written')
    expect(await declarationsState(lock, files)).toMatchObject({ state: 'current' })
    expect(await declarationsState(LOCK, files)).toMatchObject({ state: 'stale' })
  })

  test.each([
    ['a label', { version: 'v2.2' }, { version: 'v22' }],
    ['signs of a text', { system: 'Answer in C.' }, { system: 'Answer in C++.' }],
    ['asterisks', { system: 'Be **kind**.' }, { system: 'Be kind.' }],
    ['the case of letters', { system: 'Ask GPT.' }, { system: 'Ask gpt.' }],
    ['a combining mark', { system: 'नमस्ते' }, { system: 'नमसते' }],
  ])('are written again if %s differs in nothing but that', async (_, before, after) => {
    const files = await declared(liveLock(before))
    expect(await writeDeclarations(liveLock(after), files)).toBe('written')
  })

  test('with comments of another version are current, and the next pull updates them', async () => {
    const files = await declared()
    const lock = liveLock({ ...first }, { ...second }, { ...triage, version: 'v23' })
    expect(await declarationsState(lock, files)).toMatchObject({ state: 'current' })
    expect(await writeDeclarations(lock, files)).toBe('written')
  })

  test.each<[string, string | RegExp, string]>([
    ['a property that an editor renamed to a bare name', '"support-triage":', 'x:'],
    ['an export that is gone', /^ +export const supportTriage.*\n/m, ''],
    ['a wider type', 'model: "gpt-5"', 'model: string'],
    ['a slug in other letters', 'slug: "support', 'slug: "Support'],
    ['the doc comment of another version', ' · v22', ' · v21'],
    ['a name that is there twice, as a merge can leave it', ENTRY, '$&$&'],
    ['the markers of a conflict', ENTRY, '<<<<<<< ours\n$&=======\n>>>>>>> theirs\n'],
    ['a member of someone else', /^( +)\/\*\*\n/m, '$1readonly x: 1;\n$&'],
  ])('are restored from %s', async (_, pattern, replacement) => {
    const files = await declared()
    const edited = files.text.replace(pattern, replacement)
    expect(edited).not.toBe(files.text)
    await writeFile(files.dts, edited)
    expect(await writeDeclarations(LOCK, files)).toBe('written')
    expect(await readFile(files.dts, 'utf8')).toBe(files.text)
  })

  test.each<readonly [string, FormatConfig]>([
    ['without semicolons, in single quotes', { semi: false, singleQuote: true }],
    ['by names with quotes only where they need them', { quoteProps: 'as-needed' }],
    ['in narrow lines of tabs', { printWidth: 40, useTabs: true }],
    ['with rewritten doc comments', { jsdoc: true, printWidth: 60 }],
  ])('stay as a formatter left them %s', async (_, options) => {
    const files = await declared()
    const { code: formatted } = await formatText(files.dts, files.text, options)
    await writeFile(files.dts, formatted)
    expect(formatted).not.toBe(files.text)
    expect(await declarationsState(LOCK, files)).toMatchObject({ state: 'current' })
    expect(await writeDeclarations(LOCK, files)).toBe('unchanged')
    expect(await readFile(files.dts, 'utf8')).toBe(formatted)
    expect(await mappedNames(files, formatted)).toEqual([
      '3d',
      'itSOdd',
      'it\'s "odd"',
      'supportTriage',
      'support-triage',
      // Exports of `virtual:prompts/all`.
      'itSOdd',
      'supportTriage',
    ])
    const edited = formatted.replace('support-triage', 'support-triages')
    await writeFile(files.dts, edited)
    expect(await declarationsState(LOCK, files)).toMatchObject({ state: 'stale' })
  })
})

/** The names from which the map of declarations leads to the lock. */
async function mappedNames(
  { root, dts }: { root: string; dts: string },
  text: string,
): Promise<string[]> {
  const lockPath = join(root, 'prompts.lock.json')
  await writeFile(lockPath, lockText(LOCK))
  await writeDeclarations(LOCK, { root, dts, lockPath })
  const { mappings } = JSON.parse(await readFile(`${dts}.map`, 'utf8'))
  const lines = text.split('\n')
  return decode(mappings).flatMap((segments, line) =>
    segments.flatMap(([column, source], index) => {
      if (source === undefined) return []
      const name = lines[line]?.slice(column, segments[index + 1]?.[0]) ?? ''
      return /^['"]/.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name
    }),
  )
}
