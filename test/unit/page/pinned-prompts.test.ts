import { readFile, rm, writeFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import { sha256 } from '../../../src/fs/digest.ts'
import { createProjectView, type ProjectView } from '../../../src/page/server/project-view.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { openTestProject } from '../../helpers/project.ts'

async function viewOf(lock: Lock): Promise<{ view: ProjectView; lockPath: string }> {
  const { project } = await openTestProject({ lock })
  return { view: createProjectView({}, { project, other: undefined }), lockPath: project.lock.path }
}

/** As long as the names and texts of real prompts. */
function manyPrompts(count: number): Lock {
  const system = `${'Answer the customer in a kind and brief way. '.repeat(40)}{{ ticket }}`
  return liveLock(
    ...Array.from({ length: count }, (_, index) => ({
      slug: `team-${index % 40}-reply-to-customer-${String(index).padStart(5, '0')}`,
      folder: `support/team-${index % 40}`,
      model: 'claude-sonnet-4-5',
      system: `${system} ${index}`,
      user: '{{ name }} {{ tone }}',
    })),
  )
}

describe('the list', () => {
  test('has no texts, and less than 130 bytes for each prompt', async () => {
    const sizeOf = async (count: number): Promise<number> => {
      const text = JSON.stringify(await (await viewOf(manyPrompts(count))).view.answers.list({}))
      expect(text).not.toContain('Answer the customer')
      return Buffer.byteLength(text)
    }
    const [few, many] = [await sizeOf(1), await sizeOf(1001)]
    expect((many - few) / 1000).toBeLessThan(130)
  })

  test('has a revision that changes with the file', async () => {
    const { view, lockPath } = await viewOf(liveLock({}))
    const revisionOf = async (): Promise<string> => {
      const { lock } = await view.answers.state({})
      const { revision } = await view.answers.list({})
      expect(lock).toEqual({ kind: 'read', revision })
      return revision
    }
    const before = await revisionOf()
    expect(await revisionOf()).toBe(before)
    await writeFile(lockPath, printLock(liveLock({ user: 'Another.' }), sha256))
    expect(await revisionOf()).not.toBe(before)
  })

  test('counts Unicode characters', async () => {
    const { view } = await viewOf(liveLock({ system: 'a😀', user: 'é' }))
    expect((await view.answers.list({})).rows[0]?.[6]).toBe(3)
  })
})

test('the lock is read and parsed once for all requests, until it changes', async () => {
  const { project } = await openTestProject({ lock: manyPrompts(50) })
  const readLock = vi.fn<typeof project.readLock>(project.readLock)
  const view = createProjectView({}, { project: { ...project, readLock }, other: undefined })
  view.prepare()
  await Promise.all([
    view.answers.state({}),
    view.answers.list({}),
    view.answers.search({ word: 'customer' }),
    view.answers.uses({}),
  ])
  const slug = 'team-7-reply-to-customer-00007'
  await view.answers.prompt({ slug })
  await view.answers.compare({ slug })
  await view.answers.changes({})
  expect(readLock).toHaveBeenCalledTimes(1)
  await writeFile(project.lock.path, printLock(manyPrompts(51), sha256))
  await Promise.all([view.answers.state({}), view.answers.list({})])
  expect(readLock).toHaveBeenCalledTimes(2)
})

describe('one prompt', () => {
  test('is read with its texts', async () => {
    const { view } = await viewOf(liveLock({ system: 'Be {{ tone }}.' }))
    expect(await view.answers.prompt({ slug: 'support-triage' })).toMatchObject({
      kind: 'read',
      prompt: { identifier: 'supportTriage', system: 'Be {{ tone }}.', variables: ['tone'] },
    })
    expect(await view.answers.prompt({ slug: 'constructor' })).toEqual({ kind: 'missing' })
  })

  test('has its line in the lock, however the lock was formatted', async () => {
    const { view, lockPath } = await viewOf(liveLock({ slug: 'a' }, { slug: 'a "\u200b"' }))
    const lineOf = async (slug: string): Promise<unknown> => {
      const reading = await view.answers.prompt({ slug })
      const lines = (await readFile(lockPath, 'utf8')).split('\n')
      const line = reading.kind === 'read' ? reading.prompt.lockLine : 0
      return line === null ? null : lines[line - 1]?.trim()
    }
    expect(await lineOf('a')).toBe('"slug": "a",')
    expect(await lineOf('a "\u200b"')).toBe(String.raw`"slug": "a \"\u200b\"",`)
    const joined = JSON.stringify(JSON.parse(await readFile(lockPath, 'utf8')))
    await writeFile(lockPath, joined.replace('\u200b', String.raw`\u200b`))
    expect(await lineOf('a')).toBe(null)
  })

  test('follows the lock, and reports why it cannot be read', async () => {
    const { view, lockPath } = await viewOf(liveLock({}))
    expect(await view.answers.prompt({ slug: 'support-triage' })).toMatchObject({ kind: 'read' })
    await writeFile(lockPath, '{')
    expect(await view.answers.prompt({ slug: 'support-triage' })).toMatchObject({
      error: { code: 'LOCK_SYNTAX' },
    })
    await rm(lockPath)
    expect(await view.answers.prompt({ slug: 'support-triage' })).toMatchObject({
      error: { code: 'LOCK_MISSING' },
    })
    expect(await view.answers.search({ word: 'be' })).toEqual({ slugs: [], excerpts: [] })
  })
})

describe('a search in texts', () => {
  const lock = liveLock(
    { slug: 'a', system: 'Answer in Welsh,\nalways.' },
    { slug: 'b', system: '', user: 'WELSH {{ ticket }}' },
    { slug: 'welsh', system: 'No match.' },
  )

  test('finds a word in system and user text, in any case', async () => {
    const { view } = await viewOf(lock)
    expect(await view.answers.search({ word: 'wElsh' })).toEqual({
      slugs: ['a', 'b'],
      excerpts: ['…Answer in Welsh, always.…', '…WELSH {{ ticket }}…'],
    })
    expect(await view.answers.search({ word: '' })).toEqual({ slugs: [], excerpts: [] })
  })

  test('answers with all matches, and excerpts of the first', async () => {
    const { view } = await viewOf(manyPrompts(300))
    const { slugs, excerpts } = await view.answers.search({ word: 'customer' })
    expect([slugs.length, excerpts.length]).toEqual([300, 200])
  })
})
