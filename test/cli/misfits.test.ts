import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'

type Served = Readonly<Record<string, readonly [version: string, text?: string]>>

/** Functions that read these prompts from a file; one without text does not fit. */
const CONFIG = `
import { readFileSync } from 'node:fs'
const served = () => JSON.parse(readFileSync(new URL('served.json', import.meta.url), 'utf8'))
export default {
  service: {
    name: 'Own',
    secrets: [],
    list: async () =>
      Object.entries(served()).map(([slug, [liveVersion]]) =>
        slug === 'draft'
          ? { slug, liveVersion: null, stagingVersion: liveVersion }
          : { slug, liveVersion, stagingVersion: slug === 'both' ? liveVersion : null },
      ),
    async get(slug) {
      const [, text] = served()[slug]
      if (text === undefined) return { refused: 'has the messages system, @channel' }
      if (text === 'throw') throw new Error('no network')
      return { systemSource: '', userSource: text }
    },
  },
}
`

const FIRST: Served = { agent: ['v1'], greeting: ['v1', 'Hi'], reply: ['v1', 'Yes'] }
/** The reply does not fit any more. */
const NEXT: Served = { ...FIRST, greeting: ['v2', 'Hello'], reply: ['v2'] }

/** A project with a lock of the first prompts; now these are served. */
async function pinned(...[first, served = first]: [first: Served, served?: Served]) {
  const json = { 'served.json': JSON.stringify(first), 'package.json': '{}' }
  const cwd = await folderWith({ ...json, 'prompts.config.mjs': CONFIG })
  const run = await prompts(['pull', '--yes'], { cwd })
  await writeFile(join(cwd, 'served.json'), JSON.stringify(served))
  return { cwd, first: run }
}

async function readLock(cwd: string): Promise<unknown> {
  return JSON.parse(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
}

describe('a prompt that does not fit', () => {
  test('a prompt that does not fit is left out and named by the first pull, which takes the others', async () => {
    const { cwd, first } = await pinned(FIRST)
    expect(first).toMatchObject({ code: 0 })
    expect(first.stdout).toMatch(/agent +v1 +does not fit: has the messages system, @channel/)
    const want = { prompts: [{ slug: 'greeting' }, { slug: 'reply' }] }
    expect(await readLock(cwd)).toMatchObject(want)
  })

  test.each([['--yes'], ['--skip-breaking'], ['--changed']])(
    'a prompt that does not fit is named by every pull %s, and kept if it is pinned',
    async (option) => {
      const { cwd } = await pinned(FIRST, NEXT)
      const run = await prompts(['pull', '--yes', option, '--report', 'report.md'], { cwd })
      expect(run).toMatchObject({ code: 0 })
      expect(run.stdout).toMatch(/agent +v1 +does not fit/)
      expect(run.stdout).toMatch(/reply +v1 → v2 +does not fit/)
      expect(await readLock(cwd)).toMatchObject({
        prompts: [
          { slug: 'greeting', live: { version: 'v2', user: ['Hello', ''] } },
          { slug: 'reply', live: { version: 'v1', user: ['Yes', ''] } },
        ],
      })
      const report = await readFile(join(cwd, 'report.md'), 'utf8')
      expect(report).toMatch(/`reply` .* does not fit: .*has the messages/)
      // It mentions nobody.
      expect(report).not.toContain('@channel')
    },
  )

  test('a prompt that does not fit is no drift: check, diff and pull find nothing to do, and name it', async () => {
    const { cwd } = await pinned(FIRST, { ...FIRST, reply: ['v2'] })
    for (const command of ['check', 'diff']) {
      const run = await prompts([command], { cwd })
      expect(run).toMatchObject({ code: 0 })
      expect(run.stdout + run.stderr).toContain('does not fit: has the messages')
    }
    const kept = [
      { slug: 'reply', version: 'v1', listed: 'v2', reason: 'refused' },
      { slug: 'agent', version: null, listed: 'v1', reason: 'refused' },
    ]
    expect((await prompts(['check', '--json'], { cwd })).json).toMatchObject({ kept })
    const before = await filesIn(cwd)
    const { json } = await prompts(['pull', '--json'], { cwd })
    expect(json).toMatchObject({ outcome: 'unchanged', changes: [], kept })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test.each([
    ['is pinned', { ...FIRST, both: ['v1', 'Hi'] }],
    ['is not pinned', FIRST],
  ] as const)(
    'one version with both labels that does not fit is no drift if another one %s, and is counted',
    async (_, first: Served) => {
      const { cwd } = await pinned(first, { ...FIRST, agent: ['v2', 'Go'], both: ['v2'] })
      await prompts(['pull', '--yes'], { cwd })
      const check = await prompts(['check'], { cwd })
      expect(check).toMatchObject({ code: 0 })
      expect(check.stdout).toContain(
        'lists what is pinned, and 2 versions that do not fit; 2 texts fetched',
      )
      const diff = await prompts(['diff', '--fail-on', 'any'], { cwd })
      expect(diff).toMatchObject({ code: 0 })
      expect(diff.stderr).toContain('no difference in 3 texts; 2 do not fit.')
      const { json } = await prompts(['pull', '--json'], { cwd })
      expect(json).toMatchObject({ outcome: 'unchanged', changes: [] })
    },
  )

  test('a held version is not fetched to find what differs beside it', async () => {
    const { cwd } = await pinned({ both: ['v1', 'Hi'] }, { both: ['v2', 'Ho'] })
    await prompts(['hold', 'both'], { cwd })
    const get =
      "get(slug, { environment }) {\n if (environment === 'live') throw new Error('fetched')"
    await writeFile(join(cwd, 'prompts.config.mjs'), CONFIG.replace('get(slug) {', get))
    const { json } = await prompts(['check', '--json'], { cwd })
    expect(json).toMatchObject({ findings: [{ slug: 'both', environment: 'test' }] })
  })

  test('a service of which nothing fits any more is named with the reasons', async () => {
    const { cwd } = await pinned(FIRST, { agent: ['v1'] })
    const { code, stderr } = await prompts(['pull', '--yes'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toMatch(/\[PULL_EMPTY\][^]*agent: has the messages system, @channel/)
  })

  test('a draft that does not fit changes nothing if it is published, and is named', async () => {
    const { cwd } = await pinned(FIRST, { ...FIRST, draft: ['v2'] })
    const run = await prompts(['diff', '--if-published', '--fail-on', 'any'], { cwd })
    expect(run).toMatchObject({ code: 0 })
    expect(run.stderr).toMatch(/draft \(staging\) +v2 +does not fit: has the messages/)
    expect(run.stdout + run.stderr).toContain('Nothing would change')
  })

  test('a draft that does not fit is named if it is published although the pinned one is held', async () => {
    const { cwd } = await pinned({ ...FIRST, draft: ['v1', 'Hi'] }, { ...FIRST, draft: ['v2'] })
    await prompts(['hold', 'draft', '--environment', 'test'], { cwd })
    const { json } = await prompts(['diff', '--if-published', '--json'], { cwd })
    expect(json).toMatchObject({ prompts: [], kept: [{ slug: 'draft', reason: 'refused' }] })
  })

  test('a prompt that does not fit stays in a merge conflict as our side has it, and stops a pull if it is lost', async () => {
    const { cwd } = await pinned(FIRST)
    const pull = async (...reply: Served[string]) => {
      const served: Served = { ...FIRST, reply }
      await writeFile(join(cwd, 'served.json'), JSON.stringify(served))
      return prompts(['pull', '--yes'], { cwd })
    }
    const lock = join(cwd, 'prompts.lock.json')
    const pinnedBy = async (...update: Parameters<typeof pull>): Promise<string> => {
      await pull(...update)
      return readFile(lock, 'utf8')
    }
    const [ours, theirs] = [await pinnedBy('v2', 'Ours'), await pinnedBy('v3', 'Theirs')]
    const conflict = `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> main\n`
    await writeFile(lock, conflict)
    const run = await pull('v4')
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout).toMatch(/reply +v2 → v4 +does not fit/)
    const { prompts: entries } = Object(await readLock(cwd))
    const reply = entries.find(({ slug }: { slug: string }) => slug === 'reply')
    expect(reply?.live.version).toBe('v2')
    // As git mixes the lines of both sides.
    const mixed = conflict.replace('Ours', 'Mixed').replace('Theirs', 'Mixed')
    await writeFile(lock, mixed)
    const refused = await pull('v4')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toMatch(/\[PART_LOST\][^]*reply: has the messages/)
    expect(await readFile(lock, 'utf8')).toBe(mixed)
  })

  test('a prompt that does not fit hides no error, which still stops the pull', async () => {
    const { cwd } = await pinned(FIRST, { ...NEXT, greeting: ['v2', 'throw'] })
    const before = await filesIn(cwd)
    const run = await prompts(['pull', '--yes'], { cwd })
    expect(run).toMatchObject({ code: 1 })
    expect(run.stderr).toContain('[SERVICE_ADAPTER_FAILED]')
    expect(await filesIn(cwd)).toEqual(before)
  })
})
