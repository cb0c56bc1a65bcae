import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeOutDir } from '../../helpers/generated.ts'
import { installedApp, runNode } from '../../helpers/installed-app.ts'
import { liveLock } from '../../helpers/pinned.ts'

const LOCK = liveLock(
  { slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}', version: 'v7' },
  { slug: 'unused' },
)

type Files = Readonly<Record<string, string>>

/** An app with the folder that `prompts generate --out-dir prompts` makes. */
async function appWithFiles(files: Files): Promise<string> {
  const root = await installedApp({ files, lock: LOCK })
  await writeOutDir(LOCK, { root, folder: join(root, 'prompts') })
  return root
}

const CALL = `prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text`

describe('the files of prompts generate', () => {
  test.each(['commonjs', 'module', undefined])(
    'can be imported and required in Node in a package of type %s, without a warning',
    async (type) => {
      const root = await appWithFiles({
        'package.json': JSON.stringify({ type, imports: { '#prompts': './prompts/index.js' } }),
        'app.cjs': `const { prompts } = require('#prompts')\nconsole.log(${CALL})\n`,
        'app.mjs': `import { prompts } from '#prompts'\nconsole.log(${CALL})\n`,
      })
      const ended = { stdout: 'Be calm.\n\nIt beeps\n', stderr: '', code: 0 }
      expect(await runNode(['app.mjs'], root)).toEqual(ended)
      // Node 22.12 warns of a `require` of ES modules.
      const stderr = type === 'module' ? expect.any(String) : ''
      expect(await runNode(['app.cjs'], root)).toEqual({ ...ended, stderr })
    },
  )
})
