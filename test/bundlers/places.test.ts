import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, promptsIn, readCode, runBundle, writeApp } from './app.ts'
import { type BundlerName, BUNDLERS } from './bundlers.ts'
import type { Job } from './configs.ts'
import { localService } from './vite-server.ts'

const NAMES = Object.keys(BUNDLERS) as BundlerName[]

const TEXT = 'Text number <5> for Ada.'
const main = `import { text } from './text.js'\nconsole.log(JSON.stringify(text))\n`
const FROM_ANOTHER = {
  'main.js': main,
  'text.js': `import { text as found } from 'virtual-text'\nexport const text = found\n`,
}
const FROM_PROMPTS = {
  'main.js': main,
  'text.js': `import { prompts } from 'virtual:prompts'\nexport const text = prompts.prompt5.render({ name: 'Ada' }).text\n`,
}

/** The app with prompts in a folder of its project. */
function inFolder(folder: string): Record<string, string> {
  const files = Object.entries(FROM_PROMPTS)
  return Object.fromEntries(files.map(([name, text]) => [`${folder}/${name}`, text]))
}

/**
 * Folders as people have them. `impossible`: who can't build there, or can't with the virtual
 * module of any plugin that is made with unplugin. The tests hold both.
 */
const FOLDERS: readonly { folder: string; impossible: readonly BundlerName[] }[] = [
  { folder: 'My Größe 日本 🎉 & (b) [c] {d} $e %20 +f', impossible: [] },
  { folder: 'C# app', impossible: ['webpack'] },
  {
    folder: 'what?',
    impossible: [
      'Vite client',
      'Vite SSR',
      'Vite library',
      'Rolldown',
      'webpack',
      'Rspack',
      'Rsbuild',
    ],
  },
]

function jobIn(root: string): Job {
  return { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: true }
}

async function said(bundler: BundlerName, job: Job): Promise<unknown> {
  await BUNDLERS[bundler](job)
  return runBundle(join(job.outDir, 'main.mjs'))
}

describe.each(FOLDERS)('in a folder called $folder', ({ folder, impossible }) => {
  const possible = NAMES.filter((name) => !impossible.includes(name))

  test.each(possible)('%s builds an app with prompts', async (bundler) => {
    const root = join(await temporaryFolder(), folder)
    await writeApp(root, FROM_PROMPTS, numberedLock(10))
    const job = jobIn(root)
    expect(await said(bundler, job)).toBe(TEXT)
    expect(promptsIn(await readCode(job.outDir))).toEqual([5])
  })

  test.each(impossible)(
    '%s fails with the virtual module of another plugin too',
    async (bundler) => {
      const root = join(await temporaryFolder(), folder)
      await writeApp(root, FROM_ANOTHER, numberedLock(1))
      const file = join(import.meta.dirname, 'plugins/virtual-text.ts')
      await expect(
        said(bundler, { ...jobIn(root), extra: { file, at: 'before' } }),
      ).rejects.toBeInstanceOf(Error)
    },
  )
})

describe.each(NAMES)('%s in a monorepo', (bundler) => {
  test('pulls into one lock for the monorepo, which linked packages share', async () => {
    const workspace = await temporaryFolder()
    const root = join(workspace, 'packages/app')
    const { options, service } = await localService(numberedLock(10))
    await writeApp(root, {
      'main.js': `import { text } from './text.js'\nimport { other } from './linked/index.js'\nconsole.log(JSON.stringify([text, other]))\n`,
      'text.js': FROM_PROMPTS['text.js'],
    })
    await writeApp(join(workspace, 'packages/shared'), {
      'index.js': `import { prompts } from 'virtual:prompts'\nexport const other = prompts['prompt-6'].slug\n`,
    })
    await symlink('../shared', join(root, 'linked'))
    await mkdir(join(workspace, 'locks'))
    const job = { ...jobIn(root), options: { ...options, lock: '../../locks/prompts.json' } }
    expect(await said(bundler, job)).toEqual([TEXT, 'prompt-6'])
    expect(promptsIn(await readCode(job.outDir))).toEqual([5, 6])
    expect(await readFile(join(workspace, 'locks/prompts.json'), 'utf8')).toContain('"prompt-9"')
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain('"prompt-9"')
    const pulled = service.requests.length
    expect(await said(bundler, job)).toEqual([TEXT, 'prompt-6'])
    expect(service.requests).toHaveLength(pulled)
  })
})

describe.each(NAMES)('%s in a folder inside of the project', (bundler) => {
  test('reads the lock and the configuration from the folder of package.json', async () => {
    const project = await temporaryFolder()
    await writeApp(project, inFolder('client'), numberedLock(10))
    const root = join(project, 'client')
    expect(await said(bundler, jobIn(root))).toBe(TEXT)
    expect(await readdir(project)).toContain('prompts.d.ts')
    expect(await readdir(root)).not.toContain('prompts.d.ts')
  })

  test('pulls with the address and the key in the .env.local there', async () => {
    const project = await temporaryFolder()
    const { service } = await localService(numberedLock(10))
    await writeApp(project, {
      ...inFolder('client'),
      '.env.local': `PROMPTS_BASE_URL=${service.url}\nPROMPTS_API_KEY=${LOCAL_KEYS.live}\n`,
    })
    const root = join(project, 'client')
    expect(await said(bundler, jobIn(root))).toBe(TEXT)
    expect(await readdir(project)).toContain('prompts.lock.json')
  })
})
