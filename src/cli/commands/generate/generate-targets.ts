import { relative, resolve } from 'node:path'
import { isPromptsError, PromptsError } from '../../../errors/prompts-error.ts'
import { resolveSourceLock, type LocatedLock } from '../../../features/generate/generated-files.ts'
import { toForwardSlashes } from '../../../fs/paths.ts'
import type { Environment } from '../../../core/prompt.ts'
import type { Project } from '../../../features/project/project.ts'
import type { CommandContext } from '../../args/command.ts'

/** What of a call decides what is generated. */
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

/** What is generated: the declarations, a folder or both. */
export interface Targets {
  readonly dts: string | undefined
  readonly folder: string | undefined
}

/**
 * Decides what a call generates.
 *
 * @throws PromptsError USAGE when that is nothing
 */
export function targetsOf({ options }: Project, { values, cwd }: GenerateCall): Targets {
  const given = values['out-dir']
  if (given !== undefined) return { dts: undefined, folder: resolve(cwd, given) }
  const { dts, outDir: folder } = options
  if (dts !== false) return { dts, folder }
  if (folder !== undefined) return { dts: undefined, folder }
  const problem = 'The options want no declarations (`dts: false`): name a folder with --out-dir.'
  throw new PromptsError('USAGE', { problem, command: 'generate ' })
}

/** What to do about a folder that no option names: it gets older than the lock unnoticed. */
export function optionAdvice(
  { options: { root, name, outDir } }: Project,
  { values, cwd }: GenerateCall,
): string | undefined {
  const given = values['out-dir']
  if (given === undefined || outDir !== undefined) return undefined
  const folder = toForwardSlashes(relative(root, resolve(cwd, given)))
  return `Set \`outDir: '${folder}'\` in ${name}.config.ts: \`pull\` then updates these files and \`check\` checks them.`
}
