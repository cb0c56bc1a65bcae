import { declarationsState, writeDeclarations } from '../../../features/generate/declarations.ts'
import type { WriteResult } from '../../../fs/files.ts'
import type { FileReport, FileState } from '../../../fs/generated-file.ts'
import { createLockStore } from '../../../fs/lock-store.ts'
import { fingerprintFiles, watchFiles } from '../../../fs/watch.ts'
import type { Command, ExitCode } from '../../args/command.ts'
import { untilInterrupted } from '../../interruption.ts'
import type { GenerateJson } from '../../output/json.ts'
import { printError } from '../../output/report-error.ts'
import { defineProjectCommand, displayPath } from '../../project-command.ts'
import {
  findTargets,
  type GenerateInvocation,
  generateOptions,
  optionAdvice,
  type Targets,
} from './generate-targets.ts'

/** `prompts generate`. */
export const generate: Command = defineProjectCommand({
  name: 'generate',
  details: [
    'Works from the lock alone. Without --out-dir, it updates the declarations of virtual:prompts and the folder of the option outDir. With --out-dir, it writes virtual:prompts as a folder of ES modules that need no plugin and no package, for wrangler, tsc, Jest and plain Node.',
    'Generated files follow the live lock while there is one; --environment test makes them follow the test lock.',
  ],
  options: generateOptions,
  conflicts: [
    ['watch', 'check'],
    ['watch', 'json'],
  ],
  examples: [
    ['prompts generate', 'update prompts.d.ts'],
    [
      'prompts generate --out-dir src/prompts',
      'write src/prompts/index.js, all.js and what they import',
    ],
    ['prompts generate --out-dir src/prompts --check', 'in CI: are they current?'],
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

type Written = readonly FileReport<WriteResult>[]

async function write(
  { lock, path: lockPath, dts, folder }: Targets,
  invocation: GenerateInvocation,
): Promise<Written> {
  const { root, name } = invocation.project.options
  const written: FileReport<WriteResult>[] = []
  // A manual merge can leave entries in the wrong order. Sorting them needs no key.
  const sorted = await createLockStore(lockPath, root, name).write(lock)
  if (sorted === 'written') written.push({ path: lockPath, state: sorted })
  if (dts !== undefined)
    written.push({ path: dts, state: await writeDeclarations(lock, { root, name, dts, lockPath }) })
  if (folder !== undefined) {
    const { writeFiles } = await import('../../../features/generate/files.ts')
    written.push(...(await writeFiles(lock, { root, name, folder })))
  }
  const { messages } = invocation.terminal
  for (const { path, state } of written) {
    const sign =
      state === 'written' ? messages.style('green', '✔ wrote') : messages.dim('○ current')
    messages.line(`${sign} ${displayPath(path, invocation)}`)
  }
  return written
}

async function watch({ path }: Targets, invocation: GenerateInvocation): Promise<ExitCode> {
  const { messages } = invocation.terminal
  const update = async (): Promise<Written> => write(await findTargets(invocation), invocation)
  // Before the lock is read again, so no change is missed.
  const fingerprint = await fingerprintFiles(path)
  await update()
  const onChange = async (): Promise<void> => {
    await update().catch((error: unknown) => printError(error, invocation.terminal))
  }
  const watching = watchFiles({ paths: [path], fingerprint, onChange })
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
  { lock, dts, folder }: Targets,
  { project }: GenerateInvocation,
): Promise<readonly FileReport<FileState>[]> {
  const { name } = project.options
  const reports = dts === undefined ? [] : [await declarationsState(lock, { name, dts })]
  if (folder === undefined) return reports
  const { checkFiles } = await import('../../../features/generate/files.ts')
  return [...reports, ...(await checkFiles(lock, { name, folder }))]
}
