import type { Lock } from '../../core/prompt.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { declarationsState } from '../generate/declarations.ts'
import { findSourceLock } from '../generate/source-lock.ts'
import { type FileReport, type FileState, outDirFiles } from '../../fs/generated-file.ts'
import { relativePath } from '../../fs/paths.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { Project } from '../project/project.ts'
import type { Finding } from './finding.ts'

/** Checks the declarations; `undefined` if there are none. */
export async function checkDeclarations(
  app: ResolvedOptions,
  project: Pick<Project, 'options'>,
  lock: Lock,
): Promise<Finding[] | undefined> {
  const { dts, name } = app
  if (dts === false) return undefined
  const source = await findSourceLock(app, lock, dts)
  if (source === undefined) return undefined
  const { lock: followed, staging } = source
  const report = await declarationsState(followed, { dts, name, staging })
  return findingsOf([report], {
    kind: 'declarations',
    command: commandFor(app, project, followed),
  })
}

/** Checks the files in `outDir`; `undefined` if there are none. */
export async function checkFolder(
  app: ResolvedOptions,
  project: Pick<Project, 'options'>,
  lock: Lock,
): Promise<Finding[] | undefined> {
  const { outDir: folder, name } = app
  if (folder === undefined) return undefined
  const source = await findSourceLock(app, lock, outDirFiles(folder).modules.entry)
  if (source === undefined) return undefined
  const { checkOutDir } = await import('../generate/out-dir.ts')
  const testLock = source.staging?.lock
  const reports = await checkOutDir(source.lock, { name, folder, testLock })
  const command = `${commandFor(app, project, source.lock)} --out-dir ${relativePath(project.options.root, folder)}`
  return findingsOf(reports, { kind: 'files', command })
}

/** The command that generates a file again from its source lock. */
function commandFor(
  { name, environment, root }: ResolvedOptions,
  { options }: Pick<Project, 'options'>,
  source: Lock,
): string {
  const isChosen = environment === 'test' && source.environment === 'test'
  const folder = root === options.root ? '' : ` --root ${relativePath(options.root, root)}`
  return formatCommand(name, `generate${isChosen ? ' --environment test' : ''}${folder}`)
}

const MESSAGES = {
  declarations: {
    missing: 'The declarations do not exist.',
    stale: 'The declarations do not match the lock.',
  },
  files: {
    missing: 'This generated file does not exist.',
    stale: 'This generated file does not match the lock.',
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
