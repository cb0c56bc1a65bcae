import { describe, expect, test } from 'vitest'
import { printLock } from '../../../../src/core/lock/print-lock.ts'
import type { Lock } from '../../../../src/core/prompt.ts'
import { prepareHold, prepareRelease } from '../../../../src/features/hold/hold.ts'
import { sha256 } from '../../../../src/fs/files.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { openTestProject } from '../../../helpers/project.ts'
import { rejection } from '../../../helpers/service-client.ts'

const LOCK = liveLock({ slug: 'a' }, { slug: 'b', held: { reason: 'Legal' } })

async function projectWith(lock: Lock) {
  return (await openTestProject({ lock, options: { dts: false } })).project
}

function reasons(lock: Lock | undefined): (string | undefined)[] | undefined {
  return lock?.prompts.map(({ held }) => held?.reason)
}

describe('prepareHold', () => {
  test('marks the named prompts and leaves the others', async () => {
    const { lock, changes } = await prepareHold(await projectWith(LOCK), ['a'], 'Tone')
    expect(reasons(lock)).toEqual(['Tone', 'Legal'])
    expect(changes).toEqual([])
  })

  test.each([
    ['keeps the reason of a held prompt without a new one', undefined, 'Legal'],
    ['replaces the reason by a new one', 'Tone', 'Tone'],
    ['removes the reason by an empty one', '', ''],
  ])('%s', async (_, reason, want) => {
    const { lock } = await prepareHold(await projectWith(LOCK), ['b'], reason)
    expect(reasons(lock)).toEqual([undefined, want])
  })

  test('gives a lock that can be read again, whatever the reason', async () => {
    const reason = '"\\\n\u202e\u0000💥 held": {'
    const project = await projectWith(LOCK)
    await project.commit(await prepareHold(project, ['a', 'b'], reason))
    expect(reasons(await project.lock.read())).toEqual([reason, reason])
  })
})

test.each([
  ['hold', (project: Awaited<ReturnType<typeof projectWith>>) => prepareHold(project, ['c'], '')],
  ['release', (project: Awaited<ReturnType<typeof projectWith>>) => prepareRelease(project, ['c'])],
])('what the lock does not have is refused: %s', async (_, edit) => {
  expect(await rejection(edit(await projectWith(LOCK)))).toMatchObject({ code: 'SLUG_UNKNOWN' })
})

describe('prepareRelease', () => {
  test('gives the lock as it was before the prompts were held', async () => {
    const plain = liveLock({ slug: 'a' }, { slug: 'b' })
    const project = await projectWith(plain)
    await project.commit(await prepareHold(project, ['a', 'b'], 'x'))
    const { lock } = await prepareRelease(project, ['a', 'b'])
    expect(printLock(lock, sha256)).toBe(printLock(plain, sha256))
  })

  test('leaves prompts that are not held', async () => {
    expect((await prepareRelease(await projectWith(LOCK), ['a'])).lock).toEqual(LOCK)
  })
})
