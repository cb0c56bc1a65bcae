import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULT_NAME } from '../src/core/workspace-name.ts'
import { declarationsState } from '../src/generate.ts'
import { lockFile } from '../src/io/lock-file.ts'

const PLAYGROUND = join(import.meta.dirname, '../playground')

test('the committed declarations of the playground are those of its lock', async () => {
  const lock = lockFile(join(PLAYGROUND, 'prompts.lock.json'), PLAYGROUND)
  const pinned = await lock.read()
  expect(pinned).toBeDefined()
  const target = { dts: join(PLAYGROUND, 'prompts.d.ts'), lock: lock.path, name: DEFAULT_NAME }
  if (pinned !== undefined) expect(await declarationsState(pinned, target)).toBe('current')
})
