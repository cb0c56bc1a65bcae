import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import { openProject } from '../../../src/features/project/project.ts'
import { lockOf, lockText } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const PAGE = join(import.meta.dirname, '../../../src/docs/moving-in.md')
const EXPORT = join(import.meta.dirname, '../../../src/docs/scripts/export-texts.js')
const CONFIG = /^```ts\n\/\/ prompts\.config\.mts\n(?<code>.*?)^```$/ms

const LOCK = lockOf({
  live: [
    { slug: 'plain', version: 'v1', system: '', user: 'Hi' },
    { slug: 'support/triage', version: 'v7', system: 'Sort.\r\n\n', user: '{{ ticket }}\n' },
  ],
  staging: [{ slug: 'draft', version: 'v2' }],
})

test('a folder of texts that was exported from the lock is a service with the same texts', async () => {
  const page = await readFile(PAGE, 'utf8')
  const code = CONFIG.exec(page)?.groups?.['code'] ?? ''
  const root = await temporaryFolder({
    // The package is not installed in the folder of a test.
    'prompts.config.mts': code.replace(
      /^import \{ defineConfig .*$/m,
      'const defineConfig = (it) => it',
    ),
    'prompts.lock.json': lockText(LOCK),
  })
  await promisify(execFile)(process.execPath, [EXPORT], { cwd: root })
  const exported = await read(root)
  expect(textsOf(exported)).toEqual(textsOf({ ...LOCK, parts: LOCK.parts.filter(isLive) }))
  await writeFile(join(root, 'texts/support/triage.user.md'), 'Order {{ ticket }}.\n')
  const edited = await read(root)
  expect(textsOf(edited)).toMatchObject({
    'support/triage': ['Sort.\r\n\n', 'Order {{ ticket }}.'],
  })
  const [before, after] = [exported, edited].map(({ parts }) => parts.map(({ version }) => version))
  expect(after).toEqual([before?.[0], expect.not.stringContaining(before?.[1] ?? '')])
})

/** What a pull would pin. */
async function read(root: string): Promise<Lock> {
  const settings = { mode: 'production', options: {}, processEnv: {}, warn: () => undefined }
  const project = await openProject({ root, ...settings })
  return (await project.prepare()).plan.after
}

function isLive({ environment }: Lock['parts'][number]): boolean {
  return environment === 'live'
}

function textsOf({ parts }: Lock): Record<string, readonly string[]> {
  return Object.fromEntries(parts.map(({ slug, system, user }) => [slug, [system, user]]))
}
