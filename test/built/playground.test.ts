import { join } from 'node:path'
import { expect, test } from 'vitest'
import { declarationsState } from '../../src/features/generate/declarations.ts'
import { createLockStore } from '../../src/fs/lock-store.ts'

const PLAYGROUND = join(import.meta.dirname, '../../playground')

test('the committed declarations of the playground are those of its lock', async () => {
  const lock = createLockStore(join(PLAYGROUND, 'prompts.lock.json'), PLAYGROUND)
  const pinned = await lock.read()
  expect(pinned).toBeDefined()
  const target = { dts: join(PLAYGROUND, 'prompts.d.ts') }
  if (pinned !== undefined)
    expect(await declarationsState(pinned, target)).toMatchObject({ state: 'current' })
})
