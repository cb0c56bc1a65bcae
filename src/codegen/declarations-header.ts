import { fileHeader, GENERATED_BY } from '../core/generated.ts'
import type { Environment } from '../core/prompt.ts'
import { formatCommand } from '../errors/suggested-command.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** Input of {@link generatedHeader}. */
export interface HeaderInput {
  /** The command that updates the file. */
  readonly command: 'pull' | 'generate'
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  readonly environment: Environment
}

/**
 * Prints the first lines of generated code: the marker and, unless it is `live`, the environment. They
 * are equal on branches that pull different prompts, so they never conflict.
 */
export function generatedHeader({
  command,
  name = DEFAULT_WORKSPACE,
  environment,
}: HeaderInput): string {
  const advice = `Do not edit: \`npx ${formatCommand(name, command)}\` updates it.`
  const lines = [`// ${GENERATED_BY} from the lock file. ${advice}`]
  if (environment !== 'live') lines.push(`// Environment: ${environment}`)
  return lines.map((line) => `${line}\n`).join('')
}

/** Returns the environment in the header of a generated file. */
export function headerEnvironment(text: string): Environment {
  return /^\/\/ Environment: test\r?$/m.test(fileHeader(text)) ? 'test' : 'live'
}

/** Prints the comment that refers editors to the map of declarations. */
export function sourceMapComment(file: string): string {
  return `//# sourceMappingURL=${encodeURIComponent(file)}.map\n`
}
