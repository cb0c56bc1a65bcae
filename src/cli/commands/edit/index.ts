import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type EditableTexts, type PinnedPrompt, viewOf } from '../../../core/prompt.ts'
import { findKnownPrompt } from '../../../errors/assert-known-slugs.ts'
import { PromptsError, usageError } from '../../../errors/prompts-error.ts'
import { editPart } from '../../../features/hold/hold.ts'
import type { ShownLock } from '../../../features/project/project.ts'
import { readBytes, readText } from '../../../fs/files.ts'
import { codeOptions } from '../../project/analyse.ts'
import { addOptions, printCommand } from '../../project/write.ts'
import {
  defineProjectCommand,
  displayPath,
  type ProjectInvocation,
} from '../../project/project-command.ts'
import type { Command, CommandContext, ExitCode } from '../../shell/command.ts'
import { editOptions, reasonOption, reviewOptions, writeReviewed } from '../hold/index.ts'

const options = {
  'system-file': { placeholder: 'path', description: 'File with the new system text' },
  'user-file': { placeholder: 'path', description: 'File with the new user text' },
  ...reasonOption,
  ...editOptions,
  ...reviewOptions,
  ...codeOptions,
} as const

type EditInvocation = ProjectInvocation<typeof options>

/** `prompts edit`. */
export const edit: Command = defineProjectCommand({
  argument: {
    placeholder: '<slug>',
    description: 'The prompt, as `prompts list` names it',
    maxCount: 1,
    missing: 'Name a prompt to edit.',
  },
  details: [
    'Pins a text that you write here: to try a wording in the running dev server, or to repair production while the service is down. Needs neither a network nor a key. The service keeps its text.',
    'The prompt is held, and its version label ends in -edited, so nobody takes the text for that of the service. `prompts restore <slug> --from HEAD` goes back to the committed text. Once your text is published in the service, `prompts release` and a pull take it from there.',
    '--environment test edits the staging version, and creates it where there is none.',
    'Opens $VISUAL or $EDITOR, unless you name files. Shows the change and what it breaks in the app, and asks. Without a terminal it writes nothing and exits with 3, unless you pass --yes.',
  ],
  options,
  examples: [
    ['prompts edit support-triage', 'write the text in your editor'],
    ['prompts edit support-triage --system-file triage.md --yes', 'take the text of a file'],
    ['prompts restore support-triage --from HEAD', 'go back to the committed text'],
  ],
  async run(invocation) {
    const { project, values, positionals } = invocation
    const [slug = ''] = positionals
    const shown = await project.show()
    const { prompts } = viewOf(shown.lock, values.environment ?? 'live')
    const pinned = findKnownPrompt(slug, prompts, displayPath(project.lock.path, invocation))
    return values['system-file'] === undefined && values['user-file'] === undefined
      ? pinFromEditor(shown, pinned, invocation)
      : pinTexts(shown, pinned, await readFiles(values, invocation), invocation)
  },
})

/** The new texts; the pinned one stays in place of a missing one. */
type NewTexts = Partial<EditableTexts>

/** Reads the texts of the files that are named. */
async function readFiles(
  files: Partial<Pick<EditInvocation['values'], 'system-file' | 'user-file'>>,
  { cwd }: EditInvocation,
): Promise<NewTexts> {
  const read = async (file: string): Promise<string> => {
    const text = await readText(resolve(cwd, file))
    if (text === undefined) throw usageError(`There is no such file: ${file}.`, 'edit')
    // The line end that editors put at the end of a file is no part of the text.
    return text.replace(/\n$/, '')
  }
  const { 'system-file': system, 'user-file': user } = files
  return {
    ...(system !== undefined && { system: await read(system) }),
    ...(user !== undefined && { user: await read(user) }),
  }
}

/** Pins texts in the lock that was shown. */
async function pinTexts(
  shown: ShownLock,
  { slug, system, user }: PinnedPrompt,
  texts: NewTexts,
  invocation: EditInvocation,
): Promise<ExitCode> {
  const { project, values } = invocation
  const { reason, environment = 'live' } = values
  const edited = { system, user, ...texts }
  if (edited.system === '' && edited.user === '')
    throw usageError('Both texts are empty, so nothing was pinned.', 'edit')
  const lock = editPart(shown.lock, slug, environment, edited, reason)
  return writeReviewed(invocation, project.draftEdit(shown, lock), { slug, environment })
}

/**
 * Lets the user edit the texts, one file each, of which an empty user text has none. The files stay
 * until the lock has what was written in them.
 */
async function pinFromEditor(
  shown: ShownLock,
  pinned: PinnedPrompt,
  invocation: EditInvocation,
): Promise<ExitCode> {
  const { values, terminal } = invocation
  const folder = await mkdtemp(join(tmpdir(), 'prompts-'))
  const fields = pinned.user === '' ? (['system'] as const) : (['system', 'user'] as const)
  const files = fields.map((field) => {
    const [option, name] = [`${field}-file`, `${field}.md`]
    return { option, name, path: join(folder, name), text: `${pinned[field]}\n` }
  })
  const words = files.flatMap(({ option, path }) => [`--${option}`, path])
  const argv = addOptions(
    invocation.argv.filter((word) => word !== '--dry-run'),
    ...words,
  )
  let isPinned = false
  try {
    for (const { path, text } of files) await writeFile(path, text)
    const names = files.map(({ name }) => name)
    await openEditor(names, folder, invocation)
    const edited = await readEdited(files)
    const paths = Object.fromEntries(edited.map(({ option, path }) => [option, path]))
    const texts = await readFiles(paths, invocation)
    const code = await pinTexts(shown, pinned, texts, { ...invocation, argv })
    isPinned = code === 0 && !values['dry-run']
    return code
  } finally {
    const isKept = !isPinned && (await readEdited(files)).some(({ bytes }) => bytes !== undefined)
    if (!isKept) await rm(folder, { recursive: true, force: true })
    else terminal.messages.line(`Your text is kept: ${printCommand(['prompts', ...argv])}`)
  }
}

/** Returns the files that have another text now, with that text if it can be read. */
async function readEdited<File extends { readonly path: string; readonly text: string }>(
  files: readonly File[],
): Promise<(File & { readonly bytes: Buffer | undefined })[]> {
  const read = files.map(async (file) => {
    const bytes = await readBytes(file.path).catch(() => undefined)
    return bytes?.equals(Buffer.from(file.text)) ? [] : [{ ...file, bytes }]
  })
  return (await Promise.all(read)).flat()
}

/** Runs the editor in the folder of the files, so that the shell has no path to quote. */
async function openEditor(
  files: readonly string[],
  cwd: string,
  { env, terminal }: CommandContext,
): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || ''
  if (editor === '') throw new PromptsError('EDITOR_FAILED', { reason: 'EDITOR is not set' })
  terminal.messages.line(`Editing ${files.join(' and ')}: save and close to go on.`)
  const command = [editor, ...files].join(' ')
  // Stdout is for data, such as the JSON of `--json`.
  const child = spawn(command, { cwd, env, shell: true, stdio: ['inherit', 2, 'inherit'] })
  const [code, signal] = await once(child, 'close')
  const end = signal === null ? `exit code ${code}` : signal
  if (code !== 0)
    throw new PromptsError('EDITOR_FAILED', { reason: `\`${editor}\` ended with ${end}` })
}
