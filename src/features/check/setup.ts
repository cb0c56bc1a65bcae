/** What this package needs in an app besides its lock, for `check --all`. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { engines } from '../../../package.json' with { type: 'json' }
import { maskKey } from '../../config/api-key.ts'
import { originOf } from '../../config/base-url.ts'
import { configFileNames } from '../../config/config-file.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { joinWords } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { envVariable, PACKAGE_NAME } from '../../core/workspace-name.ts'
import { isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { findIgnored } from '../../fs/git.ts'
import { relativePath } from '../../fs/paths.ts'
import { installedVersion } from '../../fs/installed-version.ts'
import { installCommand } from '../init/package-manager.ts'
import { type ProjectFiles, readProjectFiles } from '../init/project-files.ts'
import type { Project } from '../project/project.ts'
import { type FinishedStep, listSteps, ok, skipped, type StepResult } from './check.ts'

/**
 * Checks Node, the installation, and what this package needs in an app besides its lock. Writes nothing.
 *
 * @param project - or why it can't be opened: what depends on its options is left out then
 */
export async function checkSetup(
  root: string,
  project: Project | PromptsError,
): Promise<FinishedStep[]> {
  const files = await readProjectFiles(root)
  const basics = { node: checkNode(process.versions.node), package: await checkPackage(files) }
  if (isPromptsError(project))
    return listSteps({ ...basics, configuration: { state: 'error', error: project } })
  const { options } = project
  return listSteps({
    ...basics,
    configuration: checkConfiguration(options, files.names),
    key: checkKey(options),
    url: checkUrl(options),
    git: await checkGit(project),
  })
}

/** Whether this version of Node is in the ranges of `engines`, which have the forms `^` and `>=`. */
export function checkNode(version: string): StepResult {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = engines.node.split(' || ').some((range) => {
    const [least = 0, leastMinor = 0] = range.replace(/^\D+/, '').split('.').map(Number)
    return major === least ? minor >= leastMinor : range.startsWith('>=') && major > least
  })
  if (isSupported) return ok(`Node ${version}`)
  const message = `Node ${version} is not supported.`
  return { state: 'error', message, fix: `Install Node ${engines.node}.` }
}

async function checkPackage(files: ProjectFiles): Promise<StepResult> {
  const install = await installCommand(files)
  if (install === undefined) return ok(`${PACKAGE_NAME} is in package.json`)
  if (installedVersion(files.root, PACKAGE_NAME) !== undefined)
    return ok(`${PACKAGE_NAME} is found from here`)
  const message = `${PACKAGE_NAME} is not installed.`
  return { state: 'warning', message, fix: `Run \`${install}\`.` }
}

/** Which workspace is read, and where its options come from. */
function checkConfiguration(
  { name, served }: ResolvedOptions,
  names: ReadonlySet<string>,
): StepResult {
  const file = configFileNames(name).find((path) => names.has(path))
  const source = file ?? `no ${name}.config.ts: default options`
  return ok(`workspace ${name}, ${served.environment} view, ${source}`)
}

/** Where the keys come from, without what is secret in them. */
function checkKey({ name, keys, service, env }: ResolvedOptions): StepResult | undefined {
  const variables = service?.secrets ?? [envVariable(name, 'API_KEY')]
  if (variables.length === 0) return undefined
  if (keys.length < variables.length)
    return missing(variables.filter((variable) => !env[variable]).join(' and '), 'a key')
  const sources = keys.map(({ value, source }) => `${maskKey(value)} from ${source}`)
  return ok(sanitize(sources.join(', ')))
}

/** Where the URL comes from, without what may be secret in it. */
function checkUrl(options: ResolvedOptions): StepResult | undefined {
  const { name, baseUrl, baseUrlSource, service } = options
  if (service !== undefined) return undefined
  if (baseUrl === undefined) return missing(envVariable(name, 'BASE_URL'), 'a URL')
  return ok(sanitize(`${originOf(baseUrl) ?? 'not a URL'} from ${baseUrlSource ?? ''}`))
}

function missing(variable: string, noun: string): StepResult {
  return skipped(`no ${variable}: builds use the lock, a pull needs ${noun}`)
}

/** Whether git commits the lock, which everybody needs, and keeps the keys out. */
async function checkGit({ options: { root, keyFiles }, lock }: Project): Promise<StepResult> {
  const ignored = await findIgnored(root, [lock.path])
  if (ignored === undefined) return skipped('not a git repository')
  if (ignored.has(lock.path)) {
    const message = `Git ignores ${basename(lock.path)}, so other checkouts lack it.`
    return { state: 'error', message, fix: 'Remove the pattern from .gitignore.' }
  }
  const files = new Set([join(root, '.env.local'), ...keyFiles])
  const found = [...files].map(async (path) => {
    // Of another repository, if it is in one.
    const isIgnored = (await findIgnored(dirname(path), [path]))?.has(path) ?? true
    return { path, name: sanitize(relativePath(root, path)), isIgnored }
  })
  const secrets = await Promise.all(found)
  const exposed = secrets.filter(({ isIgnored }) => !isIgnored)
  const [names, open] = [secrets, exposed].map((list) => joinWords(list.map(({ name }) => name)))
  if (exposed.length === 0) return ok(`${names} ${secrets.length === 1 ? 'is' : 'are'} ignored`)
  const fix = `Add ${open} to .gitignore. If it was committed, revoke the key.`
  const state = exposed.some(({ path }) => existsSync(path)) ? 'error' : 'warning'
  return { state, message: `Git does not ignore ${open}, which is for the key.`, fix }
}
