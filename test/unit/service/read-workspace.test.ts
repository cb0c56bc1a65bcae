import { describe, expect, test, vi } from 'vitest'
import { describePart, partKey, type PinnedPrompt } from '../../../src/core/prompt.ts'
import type { PromptService } from '../../../src/core/service.ts'
import { PromptsError } from '../../../src/errors/prompts-error.ts'
import { forEachConcurrent, readWorkspace } from '../../../src/service/read-workspace.ts'
import { partsOf, pinned } from '../../helpers/pinned.ts'
import { rejection } from '../../helpers/service-client.ts'

/**
 * A service that changes while it is read: the first list shows the first moment, the reads behind it the
 * second, and so on; the last moment remains.
 */
function changing(...moments: readonly (string | readonly PinnedPrompt[])[]) {
  const asked: string[] = []
  let lists = 0
  const at = (moment: number): readonly PinnedPrompt[] => {
    const parts = moments[Math.min(moment, moments.length - 1)] ?? ''
    return typeof parts === 'string' ? partsOf(parts) : parts
  }
  const service: PromptService = {
    readable: { live: 'all', staging: true },
    async list() {
      asked.push('list')
      const parts = at(2 * lists++)
      const live = parts.filter(({ environment }) => environment === 'live')
      const prompts = live.map(({ slug, folder, model, version }) => {
        const staged = parts.find((part) => part.slug === slug && part.environment === 'test')
        return {
          slug,
          folder,
          model,
          liveVersion: version,
          stagingVersion: staged?.version ?? null,
        }
      })
      return { prompts, planStatus: 'active' }
    },
    async get(part) {
      asked.push(describePart(part))
      return at(2 * lists - 1).find((other) => partKey(other) === partKey(part))
    },
  }
  return { service, asked }
}

const everything = { isSelected: () => true, concurrency: 1 }

describe('a snapshot is one moment of the workspace, whatever is published meanwhile', () => {
  const other = (fields: Partial<PinnedPrompt>) => [
    pinned({ slug: 'a', version: 'v1', ...fields }),
    ...partsOf('b1'),
  ]
  const draft = [...partsOf('a1'), pinned({ slug: 'a', environment: 'test', folder: 'other' })]

  test.each([
    ['nothing', ['a1 b1'], 'list a b list', 'a v1, b v1'],
    ['a new version', ['a1 b1', 'a1 b1', 'a2 b1'], 'list a b list a list', 'a v2, b v1'],
    ['a version that was already read', ['a1 b1', 'a2 b1'], 'list a b list', 'a v2, b v1'],
    ['a version that went back', ['a1', 'a2', 'a1'], 'list a list a list', 'a v1'],
    ['a new prompt', ['b1', 'b1', 'a1 b1'], 'list b list a list', 'a v1, b v1'],
    ['a prompt that is removed after its read', ['a1 b1', 'a1 b1', 'b1'], 'list a b list', 'b v1'],
    ['a prompt that is removed before its read', ['a1 b1', 'b1'], 'list a b list', 'b v1'],
    ['a model', ['a1 b1', 'a1 b1', other({ model: 'm' })], 'list a b list a list', 'a v1, b v1'],
    ['a folder', ['a1 b1', 'a1 b1', other({ folder: 'f' })], 'list a b list a list', 'a v1, b v1'],
    ['two versions', ['a1', 'a1', 'a2', 'a2', 'a3'], 'list a list a list a list', 'a v3'],
    [
      'a staging version',
      ['a1 a*2', 'a1 a*2', 'a1 a*3'],
      'list a a (staging) list a (staging) list',
      'a v1, a (staging) v3',
    ],
    ['a staging folder', [draft], 'list a a (staging) list', 'a v1, a (staging) v22'],
  ])('what changes: %s', async (_, moments, want, pins) => {
    const { service, asked } = changing(...moments)
    const { parts, lists, reads } = await readWorkspace(service, everything)
    expect(asked.join(' ')).toBe(want)
    expect(parts.map((part) => `${describePart(part)} ${part.version}`).join(', ')).toBe(pins)
    expect(lists).toBe(asked.filter((name) => name === 'list').length)
    expect(reads).toBe(asked.length - lists)
  })

  test('after three rounds the read gives up, and names what changes', async () => {
    const { service, asked } = changing(...[1, 2, 3, 4, 5, 6, 7].map((index) => `a${index} b1`))
    const details = { slugs: ['a'], rounds: 3 }
    const error = await rejection(readWorkspace(service, everything))
    expect(error).toMatchObject({ code: 'PULL_UNSETTLED', details })
    expect(asked.join(' ')).toBe('list a b list a list a list')
  })

  test('a prompt that is listed but not found is an error of the service', async () => {
    const { service } = changing('a1 b1', 'b1', 'a1 b1')
    const error = { code: 'PROMPT_NOT_FOUND', details: { slugs: ['a'] } }
    expect(await rejection(readWorkspace(service, everything))).toMatchObject(error)
  })
})

test('only what is selected is read, except what is pinned already with the listed label', async () => {
  const { service, asked } = changing('a1 b1 c2')
  const [a, c] = partsOf('a1 c1')
  const snapshot = await readWorkspace(service, {
    ...everything,
    isSelected: ({ slug }) => slug !== 'b',
    findPinned: ({ slug }) => (slug === 'a' ? a : c),
  })
  expect(asked).toEqual(['list', 'c', 'list'])
  expect(snapshot.parts).toEqual([a, ...partsOf('c2')])
})

test('what is pinned already is compared with two lists', async () => {
  const { service, asked } = changing('a1')
  await readWorkspace(service, { ...everything, findPinned: () => partsOf('a1')[0] })
  expect(asked).toEqual(['list', 'list'])
})

test.each(['folder', 'model'])(
  'a staged prompt of which the list has another %s than the live version is read once, whatever is pinned',
  async (field) => {
    const live = pinned({ slug: 'a', version: 'v1', [field]: 'draft' })
    const { service, asked } = changing(
      [...partsOf('a*2'), live],
      [...partsOf('a*2'), ...partsOf('a1')],
      [...partsOf('a*2'), live],
    )
    const findPinned = () => partsOf('a1')[0]
    const { parts } = await readWorkspace(service, { ...everything, findPinned })
    expect(parts).toEqual(partsOf('a1 a*2'))
    expect(asked).toEqual(['list', 'a', 'a (staging)', 'list'])
  },
)

test('each read is reported when it is done', async () => {
  const onProgress = vi.fn<(progress: object) => void>()
  await readWorkspace(changing('a1 b1').service, { ...everything, onProgress })
  expect(onProgress.mock.calls).toEqual([1, 2].map((done) => [{ kind: 'read', done, total: 2 }]))
})

describe('reads that fail', () => {
  const failing = (error: (slug: string) => Error): PromptService => ({
    ...changing('a1 b1').service,
    async get({ slug }) {
      throw error(slug)
    },
  })

  test('answers that are not valid are reported together', async () => {
    const service = failing((slug) => new PromptsError('ANSWER_INVALID', { problems: [slug] }))
    const error = { code: 'ANSWER_INVALID', details: { problems: ['a', 'b'] } }
    expect(await rejection(readWorkspace(service, everything))).toMatchObject(error)
  })

  test('answers that are not valid are reported in the order of the list', async () => {
    const service: PromptService = {
      ...changing('a1 b1').service,
      async get({ slug }) {
        if (slug === 'a') await new Promise(setImmediate)
        throw new PromptsError('ANSWER_INVALID', { problems: [slug] })
      },
    }
    const error = { code: 'ANSWER_INVALID', details: { problems: ['a', 'b'] } }
    const read = readWorkspace(service, { ...everything, concurrency: 2 })
    expect(await rejection(read)).toMatchObject(error)
  })

  test('any other error ends the read', async () => {
    const service = failing((slug) => new PromptsError('SLUG_UNSAFE', { slugs: [slug] }))
    const error = { code: 'SLUG_UNSAFE', details: { slugs: ['a'] } }
    expect(await rejection(readWorkspace(service, everything))).toMatchObject(error)
  })
})

/** Tasks that end when the test says so; an error ends one as a failure. */
function controlled() {
  const started: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const run = (item: number): Promise<void> => {
    started.push(item)
    return new Promise((resolve, reject) => {
      ends.set(item, (error) => (error ? reject(error) : resolve()))
    })
  }
  const end = async (item: number, error?: Error): Promise<void> => {
    ends.get(item)?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { started, run, end }
}

test('the next task starts when one has ended, and the work ends with the last one', async () => {
  const { started, run, end } = controlled()
  const all = forEachConcurrent([1, 2, 3, 4], 2, run)
  expect(started).toEqual([1, 2])
  await end(2)
  expect(started).toEqual([1, 2, 3])
  await end(1)
  expect(started).toEqual([1, 2, 3, 4])
  await Promise.all([end(4), end(3)])
  await all
})

test('after a first rejection no task starts, and a later one is ignored', async () => {
  const { started, run, end } = controlled()
  const caught = forEachConcurrent([1, 2, 3], 2, run).catch((error: unknown) => error)
  await end(2, new Error('first'))
  await end(1, new Error('second'))
  expect(await caught).toEqual(new Error('first'))
  expect(started).toEqual([1, 2])
})

test.each([
  [[], 4],
  [[1], 100],
])('no more tasks start than there are: %j with limit %i', async (items, limit) => {
  const done: number[] = []
  await forEachConcurrent(items, limit, async (item) => void done.push(item))
  expect(done).toEqual(items)
})
