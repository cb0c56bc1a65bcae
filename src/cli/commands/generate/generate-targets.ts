import { resolve } from 'node:path'
import { isPromptsError } from '../../../errors/prompts-error.ts'
import { usageError } from '../../../errors/usage-error.ts'
import { resolveSourceLock, type LocatedLock } from '../../../features/generate/generated-files.ts'
import { relativePath } from '../../../fs/paths.ts'
import type { ProjectInvocation } from '../../project-command.ts'

/** The options of `prompts generate`. */
export const generateOptions = {
  'out-dir': {
    placeholder: 'dir',
    description: 'Write the modules, their declarations and a package.json into this folder',
  },
  check: { description: 'Write nothing; exit with 3 when a file is stale' },
  watch: { description: 'Regenerate when the lock changes, until Ctrl-C' },
} as const

/** A call of `prompts generate`. */
export type GenerateInvocation = ProjectInvocation<typeof generateOptions>

/** The files to generate, the declarations, a folder or both, and the lock that they follow. */
export interface Targets extends LocatedLock {
  readonly dts: string | undefined
  readonly folder: string | undefined
}

/**
 * Selects what to generate.
 *
 * @throws PromptsError USAGE if there is nothing to generate; what reading the lock throws
 */
export async function findTargets(invocation: GenerateInvocation): Promise<Targets> {
  const { project, values, cwd } = invocation
  const { dts, outDir } = project.options
  const given = values['out-dir']
  const files =
    given === undefined
      ? { dts: dts === false ? undefined : dts, folder: outDir }
      : { dts: undefined, folder: resolve(cwd, given) }
  if (files.dts === undefined && files.folder === undefined) {
    const problem = 'Nothing to generate: the option `dts` is false. Pass --out-dir.'
    throw usageError(problem, 'generate')
  }
  return { ...(await lockToGenerate(invocation)), ...files }
}

/**
 * The lock that files are generated from.
 *
 * @throws PromptsError what reading the lock throws
 */
async function lockToGenerate({ project, values }: GenerateInvocation): Promise<LocatedLock> {
  const { options, lock, readLock } = project
  if (values.environment !== undefined) return { lock: await readLock(), path: lock.path }
  const followed = await resolveSourceLock(options, { own: readLock })
  if (isPromptsError(followed)) throw followed
  return followed
}

/** The advice for a folder without the option `outDir`, since it would become stale unnoticed. */
export function optionAdvice({ project, values, cwd }: GenerateInvocation): string | undefined {
  const { root, name, outDir } = project.options
  const given = values['out-dir']
  if (given === undefined || outDir !== undefined) return undefined
  const folder = relativePath(root, resolve(cwd, given))
  return `Set \`outDir: '${folder}'\` in ${name}.config.ts: \`pull\` then updates these files and \`check\` checks them.`
}
