import { resolve } from 'node:path'
import type { Lock } from '../../core/prompt.ts'
import { PromptsError } from '../../errors.ts'
import { declarationsState, type FileState, rewriteDeclarations } from '../../generate.ts'
import type { FileReport } from '../../generate-files.ts'
import type { WriteOutcome } from '../../io/files.ts'
import type { Project } from '../../project.ts'
import { markOf, watchFile } from '../../server/watch.ts'
import { type Command, defineCommand, type ExitCode, type Invocation } from '../command.ts'
import { everywhereOptions, projectOptions } from '../common-options.ts'
import { untilInterrupted } from '../interruption.ts'
import type { GenerateJson } from '../json.ts'
import { openCommandProject, shownPath } from '../open.ts'
import { reportFault } from '../report-error.ts'
import type { Format } from '../terminal.ts'

const options = {
  'out-dir': {
    type: 'text',
    placeholder: 'dir',
    description: 'Write index.js, index.d.ts and a package.json into this folder',
  },
  check: { type: 'flag', description: 'Write nothing; exit with 3 when a file is stale' },
  watch: { type: 'flag', description: 'Write again whenever the lock changes, until Ctrl-C' },
  ...projectOptions,
  ...everywhereOptions,
} as const

type GenerateInvocation = Invocation<typeof options>

/** `prompts generate`. */
export const generate: Command = defineCommand({
  name: 'generate',
  summary: 'write the declarations, or real files for tools without plugins',
  details: [
    'Works from the lock alone. Without --out-dir it brings the declarations of virtual:prompts up to date. With it, it writes the content of virtual:prompts as an ES module that imports nothing, for Turbopack, tsc, Jest and plain Node.',
  ],
  options,
  examples: [
    ['prompts generate', 'bring prompts.d.ts up to date'],
    [
      'prompts generate --out-dir src/prompts',
      'write src/prompts/index.js, index.d.ts and package.json',
    ],
    ['prompts generate --out-dir src/prompts --check', 'in CI: are they current?'],
  ],
  async run(invocation) {
    refuseContradictions(invocation.values)
    const project = await openCommandProject(invocation)
    if (invocation.values.check) return checkOnce(project, invocation)
    if (invocation.values.watch) return watch(project, invocation)
    const files = await write(project, await project.readLock(), invocation)
    invocation.terminal.json({ files } satisfies GenerateJson)
    return 0
  },
})

function refuseContradictions({ check, watch: follows, json }: GenerateInvocation['values']): void {
  const other = check ? '--check' : json ? '--json' : undefined
  if (!follows || other === undefined) return
  const problem = `--watch and ${other} exclude each other.`
  throw new PromptsError('USAGE', { problem, command: 'generate ' })
}

type Written = readonly FileReport<WriteOutcome>[]

async function write(
  project: Project,
  lock: Lock,
  invocation: GenerateInvocation,
): Promise<Written> {
  const written = await writeTargets(project, lock, invocation)
  const { words } = invocation.terminal
  for (const { path, state } of written) {
    const sign =
      state === 'written' ? words.style('green', '✔ wrote') : words.style('dim', '○ current')
    words.line(`${sign} ${shownPath(path, invocation)}`)
  }
  return written
}

async function writeTargets(
  { options: { root, name, dts, lock: path } }: Project,
  lock: Lock,
  { values, cwd }: GenerateInvocation,
): Promise<Written> {
  if (values['out-dir'] !== undefined) {
    const { writeFiles } = await import('../../generate-files.ts')
    return writeFiles(lock, { root, name, folder: resolve(cwd, values['out-dir']) })
  }
  if (dts === false) throw withoutTarget()
  return [{ path: dts, state: await rewriteDeclarations(lock, { root, name, dts, lock: path }) }]
}

function withoutTarget(): PromptsError {
  const problem = 'The options want no declarations (`dts: false`): name a folder with --out-dir.'
  return new PromptsError('USAGE', { problem, command: 'generate ' })
}

async function watch(project: Project, invocation: GenerateInvocation): Promise<ExitCode> {
  const { terminal, signal } = invocation
  const { path } = project.lock
  const mark = await markOf(path)
  await write(project, await project.readLock(), invocation)
  const onChange = async (): Promise<void> => {
    try {
      await write(project, await project.readLock(), invocation)
    } catch (error) {
      reportFault(error, terminal)
    }
  }
  const watching = watchFile({ path, mark, onChange })
  terminal.words.line(
    terminal.words.style('dim', `Following ${shownPath(path, invocation)}. Ctrl-C ends it.`),
  )
  const exitCode = await untilInterrupted(signal)
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
  const files = await checkTargets(project, await project.readLock(), invocation)
  terminal.json({ files } satisfies GenerateJson)
  const { data, words } = terminal
  for (const { path, state } of files) {
    data.line(`${data.style(FORMATS[state], state.padEnd(7))}  ${shownPath(path, invocation)}`)
  }
  if (files.every(({ state }) => state === 'current')) return 0
  words.line()
  words.line(
    `${words.style('cyan', 'Fix:')} Run the same command without --check and commit the files.`,
  )
  return 3
}

async function checkTargets(
  { options: { name, dts, lock: path } }: Project,
  lock: Lock,
  { values, cwd }: GenerateInvocation,
): Promise<readonly FileReport<FileState>[]> {
  if (values['out-dir'] !== undefined) {
    const { checkFiles } = await import('../../generate-files.ts')
    return checkFiles(lock, { name, folder: resolve(cwd, values['out-dir']) })
  }
  if (dts === false) throw withoutTarget()
  return [{ path: dts, state: await declarationsState(lock, { name, dts, lock: path }) }]
}
