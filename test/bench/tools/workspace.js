import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../../nightly/apps/files.js'
import { inFolder } from '../../nightly/apps/folders.js'

/**
 * Gives a job a folder of work files outside the repository, with a copy of the built package, so that a
 * build of it in the meantime changes nothing: `root`; `dist` of the copy; `app`, which makes a folder for
 * an app.
 */
export const inWorkspace = (job) => inFolder(async (root) => job(await prepare(root)))

async function prepare(root) {
  const installed = join(root, 'package')
  await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  await mkdir(installed)
  await cp(join(REPOSITORY, 'package.json'), join(installed, 'package.json'))
  await cp(join(REPOSITORY, 'dist'), join(installed, 'dist'), { recursive: true })
  const dist = join(installed, 'dist')
  return { root, dist, cli: join(dist, 'cli.js'), app: (name) => makeApp(root, name, installed) }
}

/** An app of its own, in which `unplugin-prompts` is installed. */
async function makeApp(root, name, installed) {
  const folder = join(root, 'apps', name)
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await mkdir(join(folder, 'src'))
  await symlink(installed, join(folder, 'node_modules/unplugin-prompts'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
  return folder
}
