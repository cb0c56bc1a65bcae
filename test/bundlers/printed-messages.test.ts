import { inspect } from 'node:util'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { build, createLogger } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import rollupPlugin from '../../src/rollup.ts'
import { startSources } from '../../src/register/start.ts'
import vitePlugin from '../../src/vite.ts'
import { answer, startFaultServer } from '../helpers/fault-server.ts'
import { COMMAND, HOSTILE } from '../helpers/hostile.ts'
import { UNPRINTABLE } from '../helpers/unprintable.ts'
import { liveLock } from '../helpers/pinned.ts'
import { outcome } from '../helpers/service-client.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** Builds or starts the app in a folder and returns what was logged; throws what a bundler prints. */
type Sink = (root: string) => Promise<string[]>

const INPUT = 'main.js'

const SINKS: Readonly<Record<string, Sink>> = {
  async 'the log of Vite'(root) {
    const lines: string[] = []
    const customLogger = createLogger('info')
    for (const level of ['info', 'warn', 'error'] as const)
      customLogger[level] = (line) => void lines.push(line)
    // On a busy machine Rolldown adds a coloured line of its own about slow plugins.
    const rolldownOptions = { input: join(root, INPUT), checks: { bundlerTimings: false } }
    const plugins = [vitePlugin()]
    await build({
      root,
      configFile: false,
      customLogger,
      plugins,
      build: { rolldownOptions, write: false },
    })
    return lines
  },
  async 'the console, for other bundlers'(root) {
    const lines: string[] = []
    for (const level of ['info', 'warn'] as const) {
      const spy = vi.spyOn(console, level).mockImplementation((line) => void lines.push(line))
      onTestFinished(() => spy.mockRestore())
    }
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(root)
    onTestFinished(() => cwd.mockRestore())
    const bundle = await rollup({ input: join(root, INPUT), plugins: [rollupPlugin()] })
    await bundle.generate({})
    return lines
  },
  async 'standard error of an app with register'(root) {
    const lines: string[] = []
    await startSources({ folder: root, env: {}, print: (line) => void lines.push(line) })
    return lines
  },
}

/** Each twice, so that no two of the same piece can share one identifier. */
const SLUGS = HOSTILE.flatMap((text, index) => [`a${index} ${text}\n`, `a${index}  ${text}`])

async function appWith(baseUrl: string, lock: string): Promise<string> {
  const root = await temporaryFolder()
  await mkdir(join(root, 'node_modules'))
  const options = { pull: 'always', baseUrl, apiKey: 'svc_live_x', dts: false }
  await writeFile(join(root, 'prompts.config.mjs'), `export default ${JSON.stringify(options)}\n`)
  await writeFile(join(root, 'prompts.lock.json'), lock)
  await writeFile(join(root, INPUT), "import 'virtual:prompts'\n")
  return root
}

/** The status text of a failing service. */
const BODY = JSON.stringify({ error: `x\n##[set-output name=a;]b\n::error::c\u001b[2J` })

function expectHarmless(printed: string): void {
  expect(printed.replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
  expect(printed).not.toMatch(COMMAND)
}

test.each(Object.entries(SINKS))(
  'what reaches %s contains no command to a CI server, nor does an error, down to its last cause',
  async (_, run) => {
    const { url } = await startFaultServer(answer(503, BODY, { 'retry-after': '90' }))
    const lock = printLock(liveLock(...SLUGS.map((slug) => ({ slug }))), sha256)
    const lines = await run(await appWith(url, lock))
    // Of colliding slugs and of the failing service.
    for (const part of ['could be', '# #[set-output name=a;]b'])
      expect(lines.filter((line) => line.includes(part))).not.toEqual([])
    for (const line of lines) expectHarmless(line)
    for (const text of [lock.replaceAll('gpt-5', 'gpt-6'), '"\n::error::x\n##[add-path]y"']) {
      const error = await outcome(run(await appWith(url, text)))
      expect(error).toBeInstanceOf(Error)
      expectHarmless(inspect(error, { depth: 9 }))
    }
  },
)
