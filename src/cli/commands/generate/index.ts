import { resolve } from 'node:path'
import { usageError } from '../../../errors/prompts-error.ts'
import { declarationsState, writeDeclarations } from '../../../features/generate/declarations.ts'
import { assertOwnFiles } from '../../../features/generate/generated-files.ts'
import { type SourceLock, readFollowedLock } from '../../../features/generate/source-lock.ts'
import type { WriteResult } from '../../../fs/files.ts'
import type { FileReport, FileState } from '../../../fs/generated-file.ts'
import { createLockStore } from '../../../fs/lock-store.ts'
import { relativePath } from '../../../fs/paths.ts'
import { fingerprintFiles, watchFiles } from '../../../fs/watch.ts'
import type { Command, ExitCode } from '../../args/command.ts'
import { untilInterrupted } from '../../interruption.ts'
import { printError } from '../../output/report-error.ts'
import { defineProjectCommand, displayPath, type ProjectInvocation } from '../../project-command.ts'

const options = {
  'out-dir': {
    placeholder: 'dir',
    description: 'Write the modules, their declarations and a package.json into this folder',
  },
  format: {
    choices: ['esm', 'cjs'],
    placeholder: 'format',
    description: 'ES modules or CommonJS (default: by `type` in the nearest package.json)',
  },
  check: { description: 'Write nothing; exit with 3 when a file is stale' },
  watch: { description: 'Regenerate when the lock changes, until Ctrl-C' },
} as const

type GenerateInvocation = ProjectInvocation<typeof options>

/** `prompts generate --json`. */
export interface GenerateJson {
  readonly files: readonly {
    /** Absolute. */
    readonly path: string
    /** What was done or, with `--check`, the state of the file. */
    readonly state: 'written' | 'unchanged' | 'removed' | 'current' | 'stale' | 'missing'
  }[]
}

/** `prompts generate`. */
export const generate: Command = defineProjectCommand({
  details: [
    'Needs neither a network nor a key. Without --out-dir, it updates the declarations of virtual:prompts and the folder of the option outDir.',
    'With --out-dir, it writes virtual:prompts as a folder of modules for wrangler, tsc, Jest and Node, which need no plugin and no package. They are ES modules or CommonJS, as the nearest package.json says; --format sets it, and the package.json of the folder keeps it.',
    'Generated files follow the live lock while there is one; --environment test makes them follow the test lock.',
  ],
  options,
  conflicts: [
    ['watch', 'check'],
    ['watch', 'json'],
  ],
  examples: [
    ['prompts generate', 'update prompts.d.ts'],
    ['prompts generate --out-dir prompts', 'write prompts/index.js, all.js and what they import'],
    ['prompts generate --out-dir prompts --check', 'in CI: are they current?'],
  ],
  async run(invocation) {
    const targets = await findTargets(invocation)
    if (invocation.values.check) return check(targets, invocation)
    if (invocation.values.watch) return watch(targets, invocation)
    const files = await write(targets, invocation)
    const { messages, json } = invocation.terminal
    json({ files } satisfies GenerateJson)
    const advice = optionAdvice(invocation)
    if (advice !== undefined) messages.line(messages.dim(advice))
    return 0
  },
})

/** The files to generate, the declarations, a folder or both, and the lock that they follow. */
interface Targets extends SourceLock {
  readonly dts: string | undefined
  readonly folder: string | undefined
}

/**
 * Selects what to generate.
 *
 * @throws PromptsError USAGE if there is nothing to generate; what reading the lock throws
 */
async function findTargets(invocation: GenerateInvocation): Promise<Targets> {
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
  if (values.format !== undefined && files.folder === undefined)
    throw usageError('--format is for a folder: pass --out-dir.', 'generate')
  if (given === undefined) await assertOwnFiles(project.options)
  return { ...(await lockToGenerate(invocation)), ...files }
}

/**
 * The lock that files are generated from.
 *
 * @throws PromptsError what reading the lock throws
 */
async function lockToGenerate({ project, values }: GenerateInvocation): Promise<SourceLock> {
  const { lock, readLock } = project
  if (values.environment === 'test') return { lock: await readLock(), path: lock.path }
  return readFollowedLock(project.options, readLock)
}

/** The advice for a folder without the option `outDir`, since it would become stale unnoticed. */
function optionAdvice({ project, values, cwd }: GenerateInvocation): string | undefined {
  const { root, name, outDir, dts } = project.options
  const given = values['out-dir']
  if (given === undefined || outDir !== undefined) return undefined
  const folder = relativePath(root, resolve(cwd, given)) || '.'
  const alone = dts === `${resolve(cwd, given)}.d.ts` ? ', dts: false' : ''
  return `Set \`outDir: '${folder}'${alone}\` in ${name}.config.ts: \`pull\` then updates these files and \`check\` checks them.`
}

type Written = readonly FileReport<WriteResult | 'removed'>[]

async function write(
  { lock, path: lockPath, staging, dts, folder }: Targets,
  invocation: GenerateInvocation,
): Promise<Written> {
  const { root, name } = invocation.project.options
  const { format } = invocation.values
  const written: FileReport<WriteResult | 'removed'>[] = []
  // A manual merge can leave entries in the wrong order. Sorting them needs no key.
  const sorted = await createLockStore(lockPath, root, name).write(lock)
  if (sorted === 'written') written.push({ path: lockPath, state: sorted })
  if (dts !== undefined)
    written.push({
      path: dts,
      state: await writeDeclarations(lock, { root, name, dts, lockPath, staging }),
    })
  if (folder !== undefined) {
    const { writeOutDir } = await import('../../../features/generate/out-dir.ts')
    const testLock = staging?.lock
    written.push(...(await writeOutDir(lock, { root, name, folder, format, testLock })))
  }
  const { messages } = invocation.terminal
  for (const { path, state } of written) {
    const sign = state === 'written' ? '✔ wrote' : '✔ removed'
    const mark = state === 'unchanged' ? messages.dim('○ current') : messages.style('green', sign)
    messages.line(`${mark} ${displayPath(path, invocation)}`)
  }
  return written
}

async function watch({ path }: Targets, invocation: GenerateInvocation): Promise<ExitCode> {
  const { messages } = invocation.terminal
  const paths = [path, invocation.project.options.testLock]
  const update = async (): Promise<Written> => write(await findTargets(invocation), invocation)
  // Before the lock is read again, so no change is missed.
  const fingerprint = await fingerprintFiles(...paths)
  await update()
  const onChange = async (): Promise<void> => {
    await update().catch((error: unknown) => printError(error, invocation.terminal))
  }
  const watching = watchFiles({ paths, fingerprint, onChange })
  const watched = displayPath(path, invocation)
  messages.line(messages.dim(`Watching ${watched}. Press Ctrl-C to stop.`))
  const exitCode = await untilInterrupted(invocation)
  await watching.close()
  return exitCode
}

async function check(targets: Targets, invocation: GenerateInvocation): Promise<ExitCode> {
  const { terminal } = invocation
  const files = await checkTargets(targets, invocation)
  terminal.json({ files } satisfies GenerateJson)
  const { stdout, messages } = terminal
  for (const { path, state } of files) {
    const shown = stdout.style(state === 'current' ? 'green' : 'red', state.padEnd(7))
    stdout.line(`${shown}  ${displayPath(path, invocation)}`)
  }
  if (files.every(({ state }) => state === 'current')) return 0
  messages.line('', messages.fix('Run the same command without --check and commit the files.'))
  return 3
}

async function checkTargets(
  { lock, staging, dts, folder }: Targets,
  { project, values: { format } }: GenerateInvocation,
): Promise<readonly FileReport<FileState>[]> {
  const { name } = project.options
  const reports = dts === undefined ? [] : [await declarationsState(lock, { name, dts, staging })]
  if (folder === undefined) return reports
  const { checkOutDir } = await import('../../../features/generate/out-dir.ts')
  const testLock = staging?.lock
  return [...reports, ...(await checkOutDir(lock, { name, folder, format, testLock }))]
}
