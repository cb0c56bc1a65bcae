import { declarationsState, writeDeclarations } from '../../../features/generate/declarations.ts'
import type { WriteResult } from '../../../fs/files.ts'
import type { FileReport, FileState } from '../../../fs/generated-file.ts'
import { createLockStore } from '../../../fs/lock-store.ts'
import type { Project } from '../../../features/project/project.ts'
import { fingerprintFiles, watchFiles } from '../../../fs/watch.ts'
import { type Command, defineCommand, type ExitCode, type Invocation } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/options.ts'
import { lockToGenerate, optionAdvice, targetsOf } from './generate-targets.ts'
import { untilInterrupted } from '../../interruption.ts'
import type { GenerateJson } from '../../output/json.ts'
import { openCommandProject, displayPath } from '../../project-command.ts'
import { printError } from '../../output/report-error.ts'
import type { Format } from '../../output/channel.ts'

const options = {
  'out-dir': {
    type: 'text',
    placeholder: 'dir',
    description: 'Write the modules, their declarations and a package.json into this folder',
  },
  check: { type: 'flag', description: 'Write nothing; exit with 3 when a file is stale' },
  watch: { type: 'flag', description: 'Regenerate when the lock changes, until Ctrl-C' },
  ...projectOptions,
  ...globalOptions,
} as const

type GenerateInvocation = Invocation<typeof options>

/** `prompts generate`. */
export const generate: Command = defineCommand({
  name: 'generate',
  details: [
    'Works from the lock alone. Without --out-dir it brings the declarations of virtual:prompts and the folder of the option outDir up to date. With it, it writes virtual:prompts as a folder of ES modules that need no plugin and no package, for wrangler, tsc, Jest and plain Node.',
    'Generated files follow the live lock while there is one; --environment test makes them follow the test lock.',
  ],
  options,
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
    const project = await openCommandProject(invocation)
    if (invocation.values.check) return checkOnce(project, invocation)
    if (invocation.values.watch) return watch(project, invocation)
    const files = await write(project, invocation)
    invocation.terminal.json({ files } satisfies GenerateJson)
    const advice = optionAdvice(project, invocation)
    const { messages } = invocation.terminal
    if (advice !== undefined) messages.line(messages.dim(advice))
    return 0
  },
})

type Written = readonly FileReport<WriteResult>[]

async function write(project: Project, invocation: GenerateInvocation): Promise<Written> {
  const { root, name } = project.options
  const { dts, folder } = targetsOf(project, invocation)
  const { lock, path: lockPath } = await lockToGenerate(project, invocation)
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
  printWritten(written, invocation)
  return written
}

function printWritten(written: Written, invocation: GenerateInvocation): void {
  const { messages } = invocation.terminal
  for (const { path, state } of written) {
    const sign =
      state === 'written' ? messages.style('green', '✔ wrote') : messages.dim('○ current')
    messages.line(`${sign} ${displayPath(path, invocation)}`)
  }
}

async function watch(project: Project, invocation: GenerateInvocation): Promise<ExitCode> {
  const { terminal } = invocation
  const { path } = await lockToGenerate(project, invocation)
  const fingerprint = await fingerprintFiles(path)
  await write(project, invocation)
  const onChange = async (): Promise<void> => {
    try {
      await write(project, invocation)
    } catch (error) {
      printError(error, terminal)
    }
  }
  const watching = watchFiles({ paths: [path], fingerprint, onChange })
  terminal.messages.line(
    terminal.messages.dim(`Watching ${displayPath(path, invocation)}. Press Ctrl-C to stop.`),
  )
  const exitCode = await untilInterrupted(invocation)
  await watching.close()
  return exitCode
}

const FORMATS: Readonly<Record<FileState, Format>> = {
  current: 'green',
  stale: 'red',
  missing: 'red',
}

async function checkOnce(project: Project, invocation: GenerateInvocation): Promise<ExitCode> {
  const { terminal } = invocation
  const files = await checkTargets(project, invocation)
  terminal.json({ files } satisfies GenerateJson)
  const { stdout, messages } = terminal
  for (const { path, state } of files) {
    stdout.line(
      `${stdout.style(FORMATS[state], state.padEnd(7))}  ${displayPath(path, invocation)}`,
    )
  }
  if (files.every(({ state }) => state === 'current')) return 0
  messages.line(
    '',
    `${messages.style('cyan', 'Fix:')} Run the same command without --check and commit the files.`,
  )
  return 3
}

async function checkTargets(
  project: Project,
  invocation: GenerateInvocation,
): Promise<readonly FileReport<FileState>[]> {
  const { name } = project.options
  const { dts, folder } = targetsOf(project, invocation)
  const { lock } = await lockToGenerate(project, invocation)
  const reports = dts === undefined ? [] : [await declarationsState(lock, { name, dts })]
  if (folder === undefined) return reports
  const { checkFiles } = await import('../../../features/generate/files.ts')
  return [...reports, ...(await checkFiles(lock, { name, folder }))]
}
