import { resolve } from 'node:path'
import { isPromptsError } from '../../../errors/prompts-error.ts'
import { usageError } from '../../../errors/usage-error.ts'
import { resolveSourceLock, type LocatedLock } from '../../../features/generate/generated-files.ts'
import { relativePath } from '../../../fs/paths.ts'
import type { Environment } from '../../../core/prompt.ts'
import type { Project } from '../../../features/project/project.ts'
import type { CommandContext } from '../../args/command.ts'

/** The arguments that select what is generated. */
interface GenerateCall extends Pick<CommandContext, 'cwd'> {
  readonly values: {
    readonly environment: Environment | undefined
    readonly 'out-dir': string | undefined
  }
}

/**
 * The lock that files are generated from.
 *
 * @throws PromptsError what reading the lock throws
 */
export async function lockToGenerate(
  { options, lock: { path }, readLock }: Project,
  { values }: GenerateCall,
): Promise<LocatedLock> {
  if (values.environment !== undefined) return { lock: await readLock(), path }
  const followed = await resolveSourceLock(options, { own: readLock })
  if (isPromptsError(followed)) throw followed
  return followed
}

/** The files to generate: the declarations, a folder or both. */
export interface Targets {
  readonly dts: string | undefined
  readonly folder: string | undefined
}

/**
 * Selects what to generate.
 *
 * @throws PromptsError USAGE if there is nothing to generate
 */
export function targetsOf({ options }: Project, { values, cwd }: GenerateCall): Targets {
  const given = values['out-dir']
  if (given !== undefined) return { dts: undefined, folder: resolve(cwd, given) }
  const { dts, outDir: folder } = options
  if (dts !== false) return { dts, folder }
  if (folder !== undefined) return { dts: undefined, folder }
  const problem = 'Nothing to generate: the option `dts` is false. Pass --out-dir.'
  throw usageError(problem, 'generate')
}

/** The advice for a folder without the option `outDir`, since it would become stale unnoticed. */
export function optionAdvice(
  { options: { root, name, outDir } }: Project,
  { values, cwd }: GenerateCall,
): string | undefined {
  const given = values['out-dir']
  if (given === undefined || outDir !== undefined) return undefined
  const folder = relativePath(root, resolve(cwd, given))
  return `Set \`outDir: '${folder}'\` in ${name}.config.ts: \`pull\` then updates these files and \`check\` checks them.`
}
