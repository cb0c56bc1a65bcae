import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProject } from '../../../src/features/project/project.ts'
import { runBinary as prompts } from '../../helpers/binary.ts'
import { filesIn } from '../../helpers/cli.ts'
import { type GivenPrompt, testService, type TestService } from '../../helpers/local-service.ts'
import { pinnedProject } from '../../helpers/pinned-project.ts'
import { pull } from '../../helpers/pull.ts'

const LOCK = 'prompts.lock.json'
const CONFIG = { 'prompts.config.mjs': `export default { timeout: 600_000, outDir: 'gen' }\n` }

/** The prompts before an edit and after it: a text changes, a version is staged, a prompt comes and one goes. */
const STATES: readonly (readonly GivenPrompt[])[] = [
  [
    { slug: 'edited', version: 'v1', system: 'Sort {{ ticket }}.' },
    { slug: 'staged', version: 'v1' },
    { slug: 'removed', version: 'v1' },
  ],
  [
    { slug: 'added', version: 'v1' },
    { slug: 'edited', version: 'v2', system: 'Sort {{ ticket }} by {{ queue }}.' },
    { slug: 'staged', version: 'v1', staging: { version: 'v2', system: 'A draft.' } },
  ],
]

/** A folder with the files of the first state, and the files in each. The service serves the second. */
async function folderWithUpdate() {
  const service = await testService(STATES[0] ?? [])
  const cwd = await pinnedProject(service, CONFIG, 'both')
  const before = await filesIn(cwd)
  service.serve(...(STATES[1] ?? []))
  const after = await filesIn(await pinnedProject(service, CONFIG, 'both'))
  return { service, cwd, before, after }
}

/** Many processes on a machine that may be busy: nothing here is about speed. */
const LONG_TIMEOUT = { timeout: 3_600_000 }

const KILLER = new URL('../../helpers/kill-at-write.mjs', import.meta.url).href
/** What the next pull removes: files that are being written, and the mark of the one that writes. */
const TEMPORARY = /(?:^|\/)\.[^/]+\.(?:tmp|pulling)$/

test(
  'killed at any of its writes, a pull leaves whole files and writes the lock last, and the next one fixes the rest',
  LONG_TIMEOUT,
  async () => {
    const { service, cwd, before, after } = await folderWithUpdate()
    const left = { old: 0, new: 0 }
    for (let write = 1; ; write++) {
      const NODE_OPTIONS = `--import ${KILLER}`
      const env = { ...service.both, NODE_OPTIONS, KILL_AT: String(write) }
      const { code } = await prompts(['pull', '--silent'], { cwd, env })
      if (code === 0) break
      const found = Object.entries(await filesIn(cwd)).filter(([path]) => !TEMPORARY.test(path))
      const torn = found.filter(([path, text]) => text !== before[path] && text !== after[path])
      expect({ write, torn }).toEqual({ write, torn: [] })
      const files = Object.fromEntries(found)
      const isNew = files[LOCK] === after[LOCK]
      left[isNew ? 'new' : 'old']++
      if (isNew) expect({ write, files }).toEqual({ write, files: after })
      await pullAgain(cwd, service.both)
      expect({ write, files: await filesIn(cwd) }).toEqual({ write, files: after })
      await Promise.all(Object.keys(after).map((path) => rm(join(cwd, path))))
      for (const [path, text] of Object.entries(before)) await writeFile(join(cwd, path), text)
    }
    expect(left.old).toBeGreaterThan(3)
    // Only the name of the lock is left to write then.
    expect(left.new).toBe(1)
  },
)

/** In this process, which loads the compiler once, as if ten seconds had passed. */
async function pullAgain(root: string, processEnv: TestService['live']): Promise<void> {
  for (const path of await readdir(root, { recursive: true }))
    if (TEMPORARY.test(path)) await utimes(join(root, path), 0, 0)
  const settings = { root, mode: 'production', options: {}, processEnv, warn: () => undefined }
  await pull(await openProject(settings))
}
