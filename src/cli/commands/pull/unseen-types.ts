import type { Project } from '../../../features/project/project.ts'
import type { CommandContext } from '../../args/command.ts'
import { displayPath } from '../../command-project.ts'

/** Warns if no tsconfig includes the declarations: `virtual:prompts` would be "not found". */
export async function warnIfTypesNotIncluded(
  { options: { root, name, dts } }: Project,
  { terminal: { messages }, cwd }: Pick<CommandContext, 'terminal' | 'cwd'>,
): Promise<void> {
  if (dts === false) return
  const { declarationsAdvice } = await import('../../../features/generate/declarations-location.ts')
  const fix = declarationsAdvice({ root, dts, name })
  if (fix === undefined) return
  const path = displayPath(dts, { cwd })
  messages.line(
    messages.mark('warning', `TypeScript does not see ${path}: no tsconfig.json includes it.`),
  )
  messages.line(`  ${messages.dim('Fix:')} ${fix}`)
}
