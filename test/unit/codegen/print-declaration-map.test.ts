import { decode } from '@jridgewell/sourcemap-codec'
import { expect, test } from 'vitest'
import { printDeclarations, sourceMapComment } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printDeclarationMap } from '../../../src/codegen/print-declaration-map.ts'
import { isGenerated } from '../../../src/core/generated.ts'
import { locateParts } from '../../../src/core/lock/lock-lines.ts'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { lockOf } from '../../helpers/pinned.ts'

/** Lines that are declarations outside of a comment. */
const LINES = 'readonly d: Prompts["d"];\ndeclare module "virtual:prompts/staging"'

// In staging, two prompts would have the identifier `aB`, so none has it.
const LOCK = lockOf({
  live: [{ slug: 'a-b' }, { slug: `it's "c"` }, { slug: 'd', system: LINES }],
  staging: [{ slug: 'd', version: 'v23' }, { slug: 'a_b' }],
})

test.each([
  ['as printed', (text: string) => text],
  ['with single quotes', (text: string) => text.replaceAll(/"([\w-]+)"/g, "'$1'")],
])(
  'each name in declarations %s is mapped to the slug in the lock, and nothing else',
  (_, format) => {
    const lines = printLock(LOCK, sha256).split('\n')
    const plan = planModule(LOCK, 'live')
    const declarations = format(printDeclarations(plan, 'app-2'))
    const source = {
      plan,
      path: '../my app/prompts.lock.json',
      lineOf: locateParts(lines.join('\n')),
    }
    const text = printDeclarationMap(declarations, 'prompts.d.ts', source)
    expect(isGenerated(text)).toBe(true)
    const { version, file, sources, names, mappings } = JSON.parse(text)
    expect([version, file, sources, names]).toEqual([
      3,
      'prompts.d.ts',
      ['../my app/prompts.lock.json'],
      [],
    ])
    const mapped = decode(mappings).flatMap((segments, index) => {
      const line = declarations.split('\n')[index] ?? ''
      expect(segments.slice(0, 1)).toEqual(line === '' ? [] : [[0]])
      const [, start, end] = segments
      if (start?.[2] === undefined) return []
      // Also a name with letters of `readonly`.
      expect(line.slice(0, start[0])).toMatch(/^ *(?:readonly|export const) $/)
      const name = line.slice(start[0], end?.[0]).replaceAll(/["'\\]/g, '')
      return `${name}: ${lines[start[2]]?.slice(start[3])}`
    })
    const live = ['aB: "a-b",', 'd: "d",', String.raw`itSC: "it's \"c\"",`]
    const slugs = ['a-b: "a-b",', String.raw`its c: "it's \"c\"",`]
    // The module itself, `virtual:prompts/all` and `virtual:prompts/staging`, which has only what is staged.
    const staged = ['d: "d",', 'a_b: "a_b",']
    expect(mapped.toSorted()).toEqual([...live, ...slugs, ...live, ...staged].toSorted())
  },
)

test('a lock on one line has no lines to map to', () => {
  const source = { plan: planModule(LOCK, 'live'), path: '', lineOf: () => undefined }
  const map = printDeclarationMap(printDeclarations(source.plan), 'prompts.d.ts', source)
  expect(new Set(decode(JSON.parse(map).mappings).flat(2))).toEqual(new Set([0]))
})

test('declarations name their map, as a part of an address', () => {
  expect(sourceMapComment('my prompts.d.ts')).toBe('//# sourceMappingURL=my%20prompts.d.ts.map\n')
})
