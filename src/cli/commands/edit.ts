import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type PinnedPrompt, viewOf } from '../../core/prompt.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import { failWriting, PromptsError, usageError } from '../../errors/prompts-error.ts'
import { editPart } from '../../plan/hold.ts'
import type { Plan } from '../../plan/plan.ts'
import { readBytes, readText } from '../../fs/files.ts'
import { codeOptions } from '../project/analyse.ts'
import { slugArgument } from '../project/options.ts'
import { addOptions, printCommand } from '../project/write.ts'
import {
  defineProjectCommand,
  describeView,
  type ProjectInvocation,
} from '../project/project-command.ts'
import type { Command, CommandContext, ExitCode } from '../shell/command.ts'
import { editOptions, reasonOption, reviewOptions, writeReviewed } from './hold.ts'

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
  argument: slugArgument('Name a prompt to edit.'),
  details: [
    'Pins a text that you write here: to try a wording in the running dev server, or to repair production while the service is down. Needs neither a network nor a key. The service keeps its text.',
    'The prompt is held, and its version label ends in -edited, so nobody takes the text for that of the service. `prompts restore <slug> --from HEAD` goes back to the committed text, and its hold or none. Once your text is published in the service, `prompts unhold` and a pull take it from there.',
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
    const { environment, prompts } = viewOf(shown.after, values.environment ?? 'live')
    const noun = describeView(environment, invocation)
    const pinned = findKnownPrompt(slug, prompts, noun, shown.after.parts)
    const files = FIELDS.flatMap((field) => {
      const name = values[`${field}-file`]
      return name === undefined ? [] : [{ field, name, path: resolve(invocation.cwd, name) }]
    })
    return files.length === 0
      ? pinFromEditor(shown, pinned, invocation)
      : pinFiles(files, shown, pinned, invocation)
  },
})

const FIELDS = ['system', 'user'] as const

/** A file with a new text. */
interface TextFile {
  readonly field: (typeof FIELDS)[number]
  /** As messages name it. */
  readonly name: string
  readonly path: string
}

/** Pins the texts of files in the lock that was shown. The pinned one stays in place of a missing one. */
async function pinFiles(
  files: readonly TextFile[],
  shown: Plan,
  { slug, system, user }: PinnedPrompt,
  invocation: EditInvocation,
): Promise<ExitCode> {
  const { project, values } = invocation
  const { reason, environment = 'live' } = values
  const texts = { system, user }
  for (const { field, name, path } of files) {
    const text = await readText(path)
    if (text === undefined) throw usageError(`There is no such file: ${name}.`, 'edit')
    // The line end that editors put at the end of a file is no part of the text; a CR that the pinned text has is.
    texts[field] = text.replace(texts[field].endsWith('\r') ? /\n$/ : /\r?\n$/, '')
  }
  if (texts.system === '' && texts.user === '')
    throw usageError('Both texts are empty, so nothing was pinned.', 'edit')
  const lock = editPart(shown.after, slug, environment, texts, reason)
  return writeReviewed(invocation, await project.edit(shown, lock), { slug, environment })
}

/**
 * Lets the user edit the texts, one file each, of which an empty user text has none. The files stay
 * until the lock has what was written in them.
 */
async function pinFromEditor(
  shown: Plan,
  pinned: PinnedPrompt,
  invocation: EditInvocation,
): Promise<ExitCode> {
  const { values, terminal } = invocation
  const folder = await mkdtemp(join(tmpdir(), 'prompts-')).catch(failWriting(tmpdir()))
  const files = FIELDS.slice(0, pinned.user === '' ? 1 : 2).map((field) => {
    const file = `${field}.md`
    const path = join(folder, file)
    // The first U+FEFF of a file is a byte order mark, and no part of its text.
    const mark = pinned[field].startsWith('\ufeff') ? '\ufeff' : ''
    return { field, file, name: path, path, text: `${mark}${pinned[field]}\n` }
  })
  let isPinned = false
  try {
    for (const { path, text } of files) await writeFile(path, text).catch(failWriting(path))
    const names = files.map(({ file }) => file)
    await openEditor(names, folder, invocation)
    const edited = await readEdited(files)
    const argv = argvWith(edited, invocation)
    const code = await pinFiles(edited, shown, pinned, { ...invocation, argv })
    isPinned = code === 0 && !values['dry-run']
    if (edited.length === 0)
      terminal.messages.line('If the editor is still open: EDITOR needs its option to wait.')
    return code
  } finally {
    const edited = isPinned ? [] : await readEdited(files)
    const command = printCommand(['prompts', ...argvWith(edited, invocation)])
    if (edited.some(({ bytes }) => bytes)) terminal.messages.line(`Your text is kept: ${command}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

/** The command that pins texts from files: an untouched one has what the lock may have no longer. */
function argvWith(files: readonly TextFile[], { argv }: EditInvocation): string[] {
  const words = argv.filter((word) => word !== '--dry-run')
  return addOptions(words, ...files.flatMap(({ field, path }) => [`--${field}-file`, path]))
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
