import { resolve } from 'node:path'
import { usageError } from '../../../errors/prompts-error.ts'
import {
  assertOwnFiles,
  type OutputTarget,
  outputStates,
  printOutputs,
  writeOutput,
} from '../../../features/generate/generated-files.ts'
import { type SourceLock, readFollowedLock } from '../../../features/generate/source-lock.ts'
import type { WriteResult } from '../../../fs/files.ts'
import type { FileReport } from '../../../fs/generated-file.ts'
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

/** What to generate, and the lock that it follows. */
interface Targets {
  readonly source: SourceLock
  readonly target: OutputTarget
}

/**
 * Selects what to generate.
 *
 * @throws PromptsError USAGE if there is nothing to generate; what reading the lock throws
 */
async function findTargets(invocation: GenerateInvocation): Promise<Targets> {
  const { project, values, cwd } = invocation
  const { 'out-dir': folder, format } = values
  const { dts, outDir } =
    folder === undefined ? project.options : { dts: false as const, outDir: resolve(cwd, folder) }
  if (dts === false && outDir === undefined) {
    const problem = 'Nothing to generate: the option `dts` is false. Pass --out-dir.'
    throw usageError(problem, 'generate')
  }
  if (format !== undefined && outDir === undefined)
    throw usageError('--format is for a folder: pass --out-dir.', 'generate')
  if (folder === undefined) await assertOwnFiles(project.options)
  const target = { name: project.options.name, dts, outDir, format, map: !values.check }
  return { source: await lockToGenerate(invocation), target }
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
  { source, target }: Targets,
  invocation: GenerateInvocation,
): Promise<Written> {
  const { root, name } = invocation.project.options
  const written: FileReport<WriteResult | 'removed'>[] = []
  // A manual merge can leave entries in the wrong order. Sorting them needs no key.
  const sorted = await createLockStore(source.path, root, name).write(source.lock)
  if (sorted === 'written') written.push({ path: source.path, state: sorted })
  for (const output of await printOutputs(target, async () => source))
    written.push(...(await writeOutput(output, root)))
  const { messages } = invocation.terminal
  for (const { path, state } of written) {
    const sign = state === 'written' ? '✔ wrote' : '✔ removed'
    const mark = state === 'unchanged' ? messages.dim('○ current') : messages.style('green', sign)
    messages.line(`${mark} ${displayPath(path, invocation)}`)
  }
  return written
}

async function watch({ source }: Targets, invocation: GenerateInvocation): Promise<ExitCode> {
  const { messages } = invocation.terminal
  const { path } = source
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

async function check(
  { source, target }: Targets,
  { terminal, cwd }: GenerateInvocation,
): Promise<ExitCode> {
  const outputs = await printOutputs(target, async () => source)
  const files = (await Promise.all(outputs.map(outputStates))).flat()
  terminal.json({ files } satisfies GenerateJson)
  const { stdout, messages } = terminal
  for (const { path, state } of files) {
    const shown = stdout.style(state === 'current' ? 'green' : 'red', state.padEnd(7))
    stdout.line(`${shown}  ${displayPath(path, { cwd })}`)
  }
  if (files.every(({ state }) => state === 'current')) return 0
  messages.line('', messages.fix('Run the same command without --check and commit the files.'))
  return 3
}
