import { relative } from 'node:path'
import type { Lock } from '../../core/prompt.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import { declarationsState } from '../generate/declarations.ts'
import { resolveSourceLock } from '../generate/generated-files.ts'
import type { FileReport, FileState } from '../../fs/generated-file.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { generatedFolderFiles } from '../../config/option-paths.ts'
import type { ResolvedOptions } from '../../config/resolved-options.ts'
import type { Project } from '../project/project.ts'
import type { Finding } from './finding.ts'

/** What is wrong with the declarations; `undefined` when there are none to check. */
export async function checkDeclarations(
  { options }: Pick<Project, 'options'>,
  lock: Lock,
): Promise<Finding[] | undefined> {
  const { dts, name } = options
  if (dts === false) return undefined
  const followed = await resolveSourceLock(options, { file: dts, own: async () => lock })
  if (isPromptsError(followed)) return undefined
  const report = await declarationsState(followed.lock, { dts, name })
  return findingsOf([report], { kind: 'declarations', command: commandFor(options, followed.lock) })
}

/** What is wrong with the files of `outDir`; `undefined` when there are none to check. */
export async function checkFolder(
  { options }: Pick<Project, 'options'>,
  lock: Lock,
): Promise<Finding[] | undefined> {
  const { root, outDir: folder, name } = options
  if (folder === undefined) return undefined
  const file = generatedFolderFiles(folder).code
  const followed = await resolveSourceLock(options, { file, own: async () => lock })
  if (isPromptsError(followed)) return undefined
  const { checkFiles } = await import('../generate/files.ts')
  const reports = await checkFiles(followed.lock, { name, folder })
  const command = `${commandFor(options, followed.lock)} --out-dir ${toForwardSlashes(relative(root, folder))}`
  return findingsOf(reports, { kind: 'files', command })
}

/** The command that writes a file anew from the lock that it follows. */
function commandFor({ name, liveLock }: ResolvedOptions, { environment }: Lock): string {
  const isChosen = liveLock !== undefined && environment === 'test'
  return formatCommand(name, isChosen ? 'generate --environment test' : 'generate')
}

const MESSAGES = {
  declarations: {
    missing: 'The declarations do not exist.',
    stale: 'The declarations are not what the lock says.',
  },
  files: {
    missing: 'This generated file does not exist.',
    stale: 'This generated file is not what the lock says.',
  },
} as const

function findingsOf(
  reports: readonly FileReport<FileState>[],
  { kind, command }: { readonly kind: keyof typeof MESSAGES; readonly command: string },
): Finding[] {
  return reports.flatMap(({ path: file, state }) => {
    if (state === 'current') return []
    const message = MESSAGES[kind][state]
    const fix = `Run \`npx ${command}\`.`
    return [{ kind: `${kind}-${state}`, severity: 'drift', message, fix, file, line: 1 }]
  })
}
