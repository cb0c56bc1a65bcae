import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { planDifferent, planModule } from '../../codegen/plan-module.ts'
import { truncateList } from '../../core/text/pluralize.ts'
import { errorCode, errorMessage } from '../../errors/error-code.ts'
import { asPromptsError, isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../../features/project/project.ts'
import { createNotify, type Notify } from '../../features/start/start.ts'
import type { PluginInstance } from '../instance.ts'
import { assertNoKey } from '../output.ts'

/** As much of Next's `compiler` as is extended here. */
export interface CompilerConfig {
  readonly runAfterProductionCompile?: AfterCompile | undefined
}

type AfterCompile = (build: CompiledBuild) => Promise<void>

/** What Next reports about a build whose code is written. Both paths are absolute. */
interface CompiledBuild {
  readonly projectDir: string
  readonly distDir: string
}

/**
 * Searches what `next build` writes for the key, and the code for browsers for prompts. Turbopack
 * has no plugins, which do this elsewhere.
 */
export function withOutputScan(
  compiler: CompilerConfig | undefined,
  instance: Pick<PluginInstance, 'ids' | 'openProject'>,
): CompilerConfig {
  return {
    ...compiler,
    async runAfterProductionCompile(build) {
      await compiler?.runAfterProductionCompile?.(build)
      const project = await instance.openProject(build.projectDir)
      const notify = createNotify(instance.ids.plugin, (level, text) => console[level](text))
      refuseKey(build, project)
      await reportPrompts(build, project, notify)
      process.once('exit', () => atExit(build, project, notify))
    },
  }
}

/** The folders with the code for browsers and servers. The others hold caches and reports. */
const CODE = ['static', 'server']

/** @throws PromptsError KEY_IN_BUNDLE */
function refuseKey({ distDir }: CompiledBuild, { options: { apiKey } }: Project): void {
  if (apiKey === undefined) return
  for (const path of CODE.flatMap((folder) => filesBelow(join(distDir, folder)))) {
    assertNoKey(apiKey, { file: relative(distDir, path), content: readFileSync(path) })
  }
}

/**
 * Names the prompts that browsers can read. Turbopack keeps all of them for `import()`, and a source
 * map has all of a module.
 *
 * @throws PromptsError PROMPTS_IN_CLIENT if the option `client` is `error`; what reading the lock
 *   throws, unless there is none
 */
async function reportPrompts(
  { distDir }: CompiledBuild,
  project: Project,
  notify: Notify,
): Promise<void> {
  const remaining = new Set(await pinnedPrompts(project))
  const total = remaining.size
  const slugs = new Set<string>()
  for (const path of filesBelow(join(distDir, 'static'))) {
    const text = readFileSync(path, 'utf8')
    for (const prompt of remaining) {
      if (!isIn(text, prompt)) continue
      slugs.add(prompt.slug)
      remaining.delete(prompt)
    }
  }
  if (slugs.size === 0) return
  const count = `${slugs.size} of ${total} prompts:`
  const names = truncateList([...slugs].toSorted(), MAX_SLUGS)
  const { client, name } = project.options
  const chain = [count, ...names]
  const error = new PromptsError('PROMPTS_IN_CLIENT', { chain, workspace: name })
  if (client === 'error') throw error
  // Allowed is what the app names, which may be less.
  if (client === 'warn') notify('warn', error.message)
  else notify('info', `Browsers can read ${count} ${names.join(', ')}`)
}

const MAX_SLUGS = 10

/** An app that imports no prompts needs no lock. */
async function pinnedPrompts(project: Project): Promise<readonly PinnedPrompt[]> {
  try {
    const lock = await project.readLock()
    const testLock = await project.readTestLock().catch(asPromptsError)
    const plan = planModule(lock, isPromptsError(testLock) ? undefined : testLock)
    return [...plan.prompts, ...planDifferent(plan).prompts].map(({ prompt }) => prompt)
  } catch (error) {
    if (isPromptsError(error, 'LOCK_MISSING')) return []
    throw error
  }
}

/** Whether code or a source map contains the slug and the longest text that neither escapes. */
function isIn(text: string, { slug, source }: PinnedPrompt): boolean {
  if (!text.includes(slug)) return false
  const parts = source.split(/\{\{.*?\}\}|["'`\\$\p{C}\p{Zl}\p{Zp}]/su)
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one), '')
  return longest !== '' && text.includes(longest)
}

/**
 * Searches again: pages are prerendered after the last hook, but for that of the one adapter, which
 * a host sets.
 */
function atExit(build: CompiledBuild, project: Project, notify: Notify): void {
  try {
    refuseKey(build, project)
    warnOfCopies(build, project, notify)
  } catch (error) {
    console.error(errorMessage(error))
    process.exitCode = 1
  }
}

/** Next copies `.env` and `.env.production` for the server of `output: 'standalone'`. */
function warnOfCopies(
  { distDir }: CompiledBuild,
  { options: { apiKey } }: Project,
  notify: Notify,
): void {
  if (apiKey === undefined) return
  const copies = filesBelow(join(distDir, 'standalone')).filter((path) =>
    ['.env', '.env.production'].includes(basename(path)),
  )
  for (const path of copies.filter((copy) => readFileSync(copy, 'utf8').includes(apiKey.value))) {
    notify(
      'warn',
      `${relative(distDir, path)} contains the key of the prompt service: Next copies it there. ` +
        'Keep it out of what you publish, or move the key to .env.local, which is not copied.',
    )
  }
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
