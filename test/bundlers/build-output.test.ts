import { build } from 'esbuild'
import { expect, onTestFinished, test, vi } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import prompts from '../../src/esbuild.ts'
import { folderWith } from '../helpers/cli.ts'
import { UNPRINTABLE } from '../helpers/unprintable.ts'
import { liveLock } from '../helpers/pinned.ts'

/** Slugs that share an identifier with a harmless one, which a build warns of. */
const SLUGS = [
  'a\u001b[31m b',
  'a-31m-b',
  'c\n::error::d',
  'c-error-d',
  'e\u001b]8;;http://x\u0007f',
  'e 8 http x f',
  'g\u202e\r##[h',
  'g h',
]

test('slugs in the output of a build can neither control a terminal nor start a line', async () => {
  const said: string[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((line) => void said.push(String(line)))
  onTestFinished(() => spy.mockRestore())
  const absWorkingDir = await folderWith({
    'prompts.lock.json': printLock(liveLock(...SLUGS.map((slug) => ({ slug }))), sha256),
    'main.js': `import { prompts } from 'virtual:prompts'\nconsole.log(prompts['g h'].slug)`,
  })
  const plugins = [prompts({ dts: false, client: 'allow' })]
  await build({ absWorkingDir, entryPoints: ['main.js'], bundle: true, write: false, plugins })
  expect(said).toHaveLength(SLUGS.length / 2)
  for (const line of said) {
    expect(line).toMatch(/^\[unplugin-prompts\] prompts\.\w+ could be .+ or .+: use the slug\.$/)
    expect(line).not.toMatch(UNPRINTABLE)
  }
})
