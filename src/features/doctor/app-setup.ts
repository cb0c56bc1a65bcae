import manifest from '../../../package.json' with { type: 'json' }
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import { readText } from '../../fs/files.ts'
import { findIgnored } from '../../fs/git.ts'
import { installedVersion, unsupportedVite } from '../../fs/installed-version.ts'
import { relativePath } from '../../fs/paths.ts'
import { detectProject } from '../init/init.ts'
import { findPackageManager } from '../init/package-manager.ts'
import type { ProjectFiles } from '../init/project-files.ts'
import type { Project } from '../project/project.ts'
import { brokenBy, type Diagnosis, type ErrorTexts, ok, skipped } from './diagnosis.ts'

/** Whether this version of Node is in the ranges of `engines`, which have the forms `^` and `>=`. */
export function diagnoseNode(version: string): Diagnosis {
  const { node } = manifest.engines
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = node.split(' || ').some((range) => {
    const [least = 0, leastMinor = 0] = range.replace(/^\D+/, '').split('.').map(Number)
    return major === least ? minor >= leastMinor : range.startsWith('>=') && major > least
  })
  if (isSupported) return ok('node', `Node ${version}`)
  const message = `Node ${version} is not supported.`
  return { topic: 'node', state: 'broken', message, fix: `Install Node ${node}.` }
}

/** Whether the app can resolve this package. */
export async function diagnosePackage({ root, dependencies }: ProjectFiles): Promise<Diagnosis> {
  if (dependencies.has(PACKAGE_NAME)) return ok('package', `${PACKAGE_NAME} is in package.json`)
  if (installedVersion(root, PACKAGE_NAME) !== undefined)
    return ok('package', `${PACKAGE_NAME} is found from here`)
  const { add } = await findPackageManager(root)
  const fix = `Run \`${add} ${PACKAGE_NAME}\`.`
  return { topic: 'package', state: 'warning', message: `${PACKAGE_NAME} is not installed.`, fix }
}

/** Whether TypeScript reads the declarations, without which `virtual:prompts` is not found. */
export async function diagnoseTypes({ options }: Project): Promise<Diagnosis> {
  const { root, dts, name } = options
  if (dts === false) return skipped('types', 'no declarations: dts is false')
  if (!existsSync(dts)) return skipped('types', 'there are no declarations yet')
  const { declarationsAdvice } = await import('../generate/declarations-location.ts')
  const path = relativePath(root, dts)
  const fix = declarationsAdvice({ root, dts, name })
  if (fix === undefined) return ok('types', `TypeScript reads ${path}`)
  const message = `TypeScript does not read ${path}: no tsconfig.json includes it.`
  return { topic: 'types', state: 'broken', message, fix }
}

/** Whether a bundler's configuration uses the plugin, or files are generated instead. */
export async function diagnosePlugin(
  { options: { root, outDir, apps } }: Project,
  { manifest: text = '' }: ProjectFiles,
  errorTexts: ErrorTexts,
): Promise<Diagnosis> {
  const detected = await detectProject(root)
  const files = detected.flatMap(({ file }) => file ?? [])
  const texts = await Promise.all(files.map((file) => readText(join(root, file))))
  const used = files.filter((_, index) => texts[index]?.includes(PACKAGE_NAME))
  const isVite = texts.some((each) => each?.includes(`${PACKAGE_NAME}/vite`))
  const unsupported = isVite ? unsupportedVite(root) : undefined
  if (unsupported !== undefined) return brokenBy('plugin', unsupported, errorTexts)
  if (used.length > 0) return ok('plugin', `in ${used.join(', ')}`)
  if (outDir !== undefined)
    return ok('plugin', `not needed: files are generated in ${relativePath(root, outDir)}`)
  if (text.includes(`${PACKAGE_NAME}/register`))
    return ok('plugin', 'not needed: package.json has unplugin-prompts/register')
  if (files.length === 0 && apps.length > 0) return skipped('plugin', 'the apps have their own')
  const message =
    files.length === 0
      ? 'No bundler configuration was found.'
      : `${files.join(', ')} does not mention ${PACKAGE_NAME}.`
  const help = detected.length === 0 ? 'shows the steps without one' : 'adds the plugin'
  const fix = `Run \`npx prompts init\`, which ${help}.`
  return { topic: 'plugin', state: 'warning', message, fix }
}

/** Whether git commits what everybody needs, and keeps the key out. */
export async function diagnoseGit({ options, lock }: Project): Promise<Diagnosis> {
  const topic = 'git'
  const { root, dts } = options
  const secret = join(root, '.env.local')
  const committed = [lock.path, ...(dts === false ? [] : [dts])]
  const ignored = await findIgnored(root, [secret, ...committed])
  if (ignored === undefined) return skipped(topic, 'not a git repository')
  const lost = committed.filter((path) => ignored.has(path)).map((path) => basename(path))
  if (lost.length > 0) {
    const message = `Git ignores ${lost.join(' and ')}, so other checkouts lack it.`
    return { topic, state: 'broken', message, fix: 'Remove the pattern from .gitignore.' }
  }
  if (ignored.has(secret)) return ok(topic, '.env.local is ignored')
  const fix = 'Add .env.local to .gitignore. If it was committed, revoke the key.'
  const state = existsSync(secret) ? 'broken' : 'warning'
  return { topic, state, message: 'Git does not ignore .env.local, which is for the key.', fix }
}
