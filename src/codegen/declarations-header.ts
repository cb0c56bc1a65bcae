import { GENERATED_BY } from '../core/generated.ts'
import type { Environment } from '../core/prompt.ts'
import { formatCommand } from '../errors/suggested-command.ts'
import { DEFAULT_WORKSPACE } from '../core/workspace-name.ts'

/** What the header of generated code is printed from. */
export interface HeaderInput {
  /** The command that updates the file. */
  readonly command: 'pull' | 'generate'
  /** Of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  readonly environment: Environment
}

/**
 * The first lines of generated code: who owns it and, unless it is live, of which environment it
 * is. It holds nothing that differs between two branches that pull different prompts.
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

/** Of which environment a generated file is, by its header. */
export function headerEnvironment(text: string): Environment {
  return /^\/\/ Environment: test\r?$/m.test(text) ? 'test' : 'live'
}

/** The comment at the end of the declarations by which editors find their map. */
export function sourceMapComment(file: string): string {
  return `//# sourceMappingURL=${encodeURIComponent(file)}.map\n`
}
