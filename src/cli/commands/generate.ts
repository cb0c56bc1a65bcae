import { resolve } from 'node:path'
import { printLock } from '../../core/lock/print-lock.ts'
import { usageError } from '../../errors/prompts-error.ts'
import {
  applyOutputs,
  assertOwnFiles,
  isMap,
  type OutputTarget,
  planOutputs,
  warnOfMissingTypes,
} from '../../output/generated-files.ts'
import { sortLock } from '../../plan/commit.ts'
import { sha256 } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import { viewOption } from '../project/options.ts'
import { defineProjectCommand, type ProjectInvocation } from '../project/project-command.ts'
import type { Command } from '../shell/command.ts'

const options = {
  ...viewOption,
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
    'virtual:prompts gets the view of the option environment, else the live one; --environment prints the other one once.',
  ],
  options,
  examples: [
    ['prompts generate', 'update prompts.d.ts'],
    ['prompts generate --out-dir prompts', 'write prompts/index.js, all.js and what they import'],
  ],
  async run(invocation) {
    const target = await planTarget(invocation)
    invocation.terminal.json({ files: await write(target, invocation) } satisfies GenerateJson)
    adviseOption(invocation)
    return 0
  },
})

/**
 * Finds out what is to be generated.
 *
 * @throws PromptsError USAGE; FILE_FOREIGN
 */
async function planTarget({ project, values, cwd }: GenerateInvocation): Promise<OutputTarget> {
  const { options: projectOptions } = project
  const { 'out-dir': folder, format, environment = projectOptions.environment } = values
  const { dts, outDir } =
    folder === undefined ? projectOptions : { dts: false as const, outDir: resolve(cwd, folder) }
  if (format !== undefined && outDir === undefined)
    throw usageError('--format is for a folder: pass --out-dir.', 'generate')
  if (folder === undefined) await assertOwnFiles(projectOptions)
  return { ...projectOptions, environment, dts, outDir, format }
}

/** @throws PromptsError USAGE if there is nothing to generate, and nothing to sort */
async function write(
  target: OutputTarget,
  { project, terminal, signal }: GenerateInvocation,
): Promise<GenerateJson['files']> {
  const plan = await project.show()
  const files: GenerateJson['files'][number][] = []
  const outputs = await planOutputs([target], plan.after, printLock(plan.after, sha256))
  for await (const file of applyOutputs(outputs))
    if (!isMap(file)) files.push({ path: file.path, state: file.state })
  // A manual merge can leave entries in the wrong order.
  const sorted = await sortLock(project, plan, signal)
  if (sorted === 'written') files.push({ path: project.lock.path, state: sorted })
  const problem = 'Nothing to generate: the option `dts` is false. Pass --out-dir.'
  if (files.length === 0) throw usageError(problem, 'generate')
  const { messages } = terminal
  for (const { path, state } of files) {
    const sign = state === 'written' ? '✔ wrote' : '✔ removed'
    const mark = state === 'unchanged' ? messages.dim('○ current') : messages.style('green', sign)
    messages.line(`${mark} ${path}`)
  }
  warnOfMissingTypes([target], (text) => messages.line(messages.mark('warning', text)))
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
  messages.line(messages.dim(`Set \`${option}\` in ${name}.config.*: ${effect}`))
}
