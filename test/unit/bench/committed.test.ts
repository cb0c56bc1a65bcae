import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findWorse, readCommitted, withCommitted } from '../../bench/tools/committed.js'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const PAGE = `<!-- lock -->

## Reading

| What | Median | Ratio | Must reach |  |
| --- | ---: | ---: | ---: | --- |
| reading | 368 ms | 2.43 | ≤ 3 | ok |
| speed | 55 ns | 1.03 of ours | ≥ 0.95 | ok |
| files | 0 |  | 0 | ok |
| files | 7 |  |  |  |

<!-- /lock -->
`
const row = (what: string, values: object = {}): Parameters<typeof findWorse>[0][0] => ({
  what,
  median: '1 ms',
  ratio: '',
  must: '',
  state: '',
  ...values,
})

async function committedRows(): ReturnType<typeof readCommitted> {
  const file = join(await temporaryFolder(), 'README.md')
  await writeFile(file, PAGE)
  expect(await readCommitted('pull', file)).toEqual([])
  return readCommitted('lock', file)
}

test('a benchmark shows what is committed: the ratio, or a median without one', async () => {
  const rows = ['reading', 'files', 'files', 'new'].map((what) => row(what))
  const shown = withCommitted(rows, await committedRows())
  expect(shown.map(({ before }) => before)).toEqual(['2.43', '0', '7', ''])
})

test('a benchmark names what got worse: by more than noise, or beyond its limit', async () => {
  const committed = await committedRows()
  const worse = (what: string, values: object): boolean =>
    findWorse([row(what, values)], committed).length > 0
  expect(worse('reading', { ratio: '2.60', must: '≤ 3', state: 'ok' })).toBe(false)
  expect(worse('reading', { ratio: '2.90', must: '≤ 3', state: 'ok' })).toBe(true)
  expect(worse('reading', { ratio: '2.44', must: '≤ 2', state: 'short' })).toBe(true)
  expect(worse('speed', { ratio: '1.50 of ours', must: '≥ 0.95', state: 'ok' })).toBe(false)
  expect(worse('speed', { ratio: '0.80 of ours', must: '≥ 0.95', state: 'ok' })).toBe(true)
  expect(worse('files', { median: '1', must: '0', state: 'short' })).toBe(true)
  expect(worse('new', { ratio: '9', must: '≤ 3', state: 'short' })).toBe(false)
})
