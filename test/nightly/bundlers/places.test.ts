import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { numberedLock, writeApp } from '../../bundlers/app.ts'
import { buildAndRun, BUNDLER_NAMES, type BundlerName } from '../../bundlers/bundlers.ts'
import { jobIn } from '../../bundlers/configs.ts'
import { localService } from '../../bundlers/vite-server.ts'

const TEXT = 'Text number <5> for Ada.'
const main = `import { text } from './text.js'\nconsole.log(JSON.stringify(text))\n`
const FROM_PROMPTS = {
  'main.js': main,
  'text.js': `import { prompts } from 'virtual:prompts'\nexport const text = prompts.prompt5.render({ name: 'Ada' }).text\n`,
}

/**
 * Folders as people have them. `impossible`: who can't build there, or can't with the virtual
 * module of any plugin that is made with unplugin.
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

describe.each(FOLDERS)('in a folder called $folder', ({ folder, impossible }) => {
  test.each(BUNDLER_NAMES.filter((name) => !impossible.includes(name)))(
    '%s builds an app with prompts',
    async (bundler) => {
      const root = join(await temporaryFolder(), folder)
      await writeApp(root, FROM_PROMPTS, numberedLock(10))
      expect(await buildAndRun(bundler, jobIn(root))).toMatchObject({ said: TEXT, ships: [5] })
    },
  )
})

test.each(BUNDLER_NAMES)(
  '%s pulls with the options of the folder of package.json above its own, into one lock for a monorepo, which linked packages share',
  async (bundler) => {
    const workspace = await temporaryFolder()
    const project = join(workspace, 'packages/app')
    const root = join(project, 'client')
    const { service } = await localService(numberedLock(10))
    const keys = `PROMPTS_BASE_URL=${service.url}\nPROMPTS_API_KEY=${LOCAL_KEYS.live}\n`
    await writeApp(project, {
      '.env.local': keys,
      'prompts.config.json': '{ "lock": "../../locks/prompts.json" }',
      'client/main.js': `import { text } from './text.js'\nimport { other } from './linked/index.js'\nconsole.log(JSON.stringify([text, other]))\n`,
      'client/text.js': FROM_PROMPTS['text.js'],
    })
    await writeApp(join(workspace, 'packages/common'), {
      'index.js': `import { prompts } from 'virtual:prompts'\nexport const other = prompts['prompt-6'].slug\n`,
    })
    await symlink('../../common', join(root, 'linked'))
    await mkdir(join(workspace, 'locks'))
    const built = { said: [TEXT, 'prompt-6'], ships: [5, 6] }
    expect(await buildAndRun(bundler, jobIn(root))).toMatchObject(built)
    for (const file of [join(workspace, 'locks/prompts.json'), join(project, 'prompts.d.ts')])
      expect(await readFile(file, 'utf8')).toContain('"prompt-9"')
    expect(await readdir(root)).not.toContain('prompts.d.ts')
    // From the lock alone.
    await rm(join(project, '.env.local'))
    expect(await buildAndRun(bundler, jobIn(root))).toMatchObject(built)
  },
)
