import { basename } from 'node:path'
import type { Project } from '../../../features/project/project.ts'
import type { Surroundings } from '../../args/command.ts'
import { shownPath } from '../../open.ts'

/** Declarations that TypeScript does not read do nothing, and `virtual:prompts` is "not found". */
export async function warnOfUnseenTypes(
  { options: { root, name, dts } }: Project,
  { terminal: { words }, cwd }: Pick<Surroundings, 'terminal' | 'cwd'>,
): Promise<void> {
  if (dts === false) return
  const { areDeclarationsSeen, declarationsFolder } =
    await import('../../../features/generate/declarations-place.ts')
  if (areDeclarationsSeen({ root, dts })) return
  const path = shownPath(dts, { cwd })
  const folder = declarationsFolder(root) ?? ''
  const fix =
    folder === ''
      ? `Add ${path} to \`include\` in tsconfig.json.`
      : `Say \`dts: '${folder}/${basename(dts)}'\` in ${name}.config.ts.`
  words.line(
    `${words.style('yellow', '▲')} TypeScript does not see ${path}: no tsconfig.json includes it.`,
  )
  words.line(`  ${words.style('dim', 'Fix:')} ${fix}`)
}
