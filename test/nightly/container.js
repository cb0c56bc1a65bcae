// What a container needs to run an app from a lock: packs this package, installs it without
// optional dependencies, runs an app with `--import unplugin-prompts/register`, and measures it.
//
// node test/nightly/container.js, after npm run build; exits with 1 when something is not as
// src/docs/workflow.md says.
import assert from 'node:assert'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, pack, REPOSITORY, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { succeed } from './apps/run.js'

const MOST_MEGABYTES = 6
const APP = `import { prompts } from 'virtual:prompts'\nconsole.log(Object.keys(prompts).length > 0)\n`

await inFolder(async (folder) => {
  await install(folder, ['--omit=optional', await pack(folder)])
  write(folder, { 'app.js': APP })
  copyFileSync(join(REPOSITORY, 'playground/prompts.lock.json'), join(folder, 'prompts.lock.json'))

  const app = await succeed(folder, ['node', '--import', 'unplugin-prompts/register', 'app.js'])
  assert.equal(app.output, 'true\n')

  const disk = await succeed(folder, ['du', '-sk', 'node_modules'])
  const kilobytes = Number(disk.output.split('\t')[0])
  console.log(`Without optional dependencies: ${(kilobytes / 1000).toFixed(1)} MB`)
  assert.ok(kilobytes <= MOST_MEGABYTES * 1000)
})
