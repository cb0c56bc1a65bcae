import { resolve } from 'node:path'
import { usageError } from '../../../errors/prompts-error.ts'
import {
  assertOwnFiles,
  type OutputTarget,
  printOutputs,
  writeOutput,
} from '../../../features/generate/generated-files.ts'
import { type SourceLock, readFollowedLock } from '../../../features/generate/source-lock.ts'
import { createLockStore } from '../../../fs/lock-store.ts'
import { relativePath } from '../../../fs/paths.ts'
import type { Command } from '../../args/command.ts'
import { defineProjectCommand, type ProjectInvocation } from '../../project-command.ts'

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
} as const

type GenerateInvocation = ProjectInvocation<typeof options>

/** `prompts generate --json`. */
export interface GenerateJson {
  readonly files: readonly {
    /** Absolute. */
    readonly path: string
    /** What was done. */
    readonly state: 'written' | 'unchanged' | 'removed'
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
  examples: [
    ['prompts generate', 'update prompts.d.ts'],
    ['prompts generate --out-dir prompts', 'write prompts/index.js, all.js and what they import'],
  ],
  async run(invocation) {
    const plan = await prepare(invocation)
    invocation.terminal.json({ files: await write(plan, invocation) } satisfies GenerateJson)
    adviseOption(invocation)
    return 0
  },
})

/** What is generated, and the lock that it follows. */
interface Plan {
  readonly source: SourceLock
  readonly target: OutputTarget
}

/**
 * Finds out what is to be generated.
 *
 * @throws PromptsError USAGE if there is nothing to generate; what reading the lock throws
 */
async function prepare({ project, values, cwd }: GenerateInvocation): Promise<Plan> {
  const { lock, options: projectOptions, readLock } = project
  const { 'out-dir': folder, format } = values
  const { dts, outDir } =
    folder === undefined ? projectOptions : { dts: false as const, outDir: resolve(cwd, folder) }
  if (dts === false && outDir === undefined) {
    const problem = 'Nothing to generate: the option `dts` is false. Pass --out-dir.'
    throw usageError(problem, 'generate')
  }
  if (format !== undefined && outDir === undefined)
    throw usageError('--format is for a folder: pass --out-dir.', 'generate')
  if (folder === undefined) await assertOwnFiles(projectOptions)
  const source =
    values.environment === 'test'
      ? { lock: await readLock(), path: lock.path }
      : await readFollowedLock(projectOptions, readLock)
  return { source, target: { name: projectOptions.name, dts, outDir, format } }
}

async function write(
  { source, target }: Plan,
  invocation: GenerateInvocation,
): Promise<GenerateJson['files']> {
  const { project, terminal } = invocation
  const { root, name } = project.options
  // A manual merge can leave entries in the wrong order. Sorting them needs no key.
  const sorted = await createLockStore(source.path, root, name).write(source.lock)
  const files: GenerateJson['files'][number][] = []
  if (sorted === 'written') files.push({ path: source.path, state: sorted })
  // After that, since the map of the declarations has the lines of the lock.
  const outputs = await printOutputs({ ...target, map: true }, async () => source)
  for (const output of outputs) files.push(...(await writeOutput(output, root)))
  const { messages } = terminal
  for (const { path, state } of files) {
    const sign = state === 'written' ? '✔ wrote' : '✔ removed'
    const mark = state === 'unchanged' ? messages.dim('○ current') : messages.style('green', sign)
    messages.line(`${mark} ${path}`)
  }
  return files
}

/** A folder without the option `outDir` would become stale unnoticed. */
function adviseOption({ project, values, cwd, terminal: { messages } }: GenerateInvocation): void {
  const { root, name, outDir, dts } = project.options
  if (values['out-dir'] === undefined || outDir !== undefined) return
  const folder = resolve(cwd, values['out-dir'])
  const alone = dts === `${folder}.d.ts` ? ', dts: false' : ''
  const option = `outDir: '${relativePath(root, folder) || '.'}'${alone}`
  const effect = '`pull` then updates these files and `check` checks them.'
  messages.line(messages.dim(`Set \`${option}\` in ${name}.config.ts: ${effect}`))
}
