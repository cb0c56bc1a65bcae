import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { EditableTexts } from '../../../core/prompt.ts'
import { findKnownPrompt } from '../../../errors/assert-known-slugs.ts'
import { PromptsError, usageError } from '../../../errors/prompts-error.ts'
import { prepareTexts } from '../../../features/hold/hold.ts'
import { readText } from '../../../fs/files.ts'
import type { Command, CommandContext } from '../../args/command.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { reviewOptions, writeReviewed } from '../../output/write-reviewed.ts'
import { defineProjectCommand, displayPath } from '../../project-command.ts'

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
    'The prompt is held, and its version label ends in -edited, so nobody takes the text for that of the service. After `prompts release`, the next pull brings the text of the service back.',
    'Opens $VISUAL or $EDITOR, unless you name files. Shows the change and what it breaks in the app, and asks. Without a terminal it writes nothing and exits with 3, unless you pass --yes.',
  ],
  options: {
    'system-file': { placeholder: 'path', description: 'File with the new system text' },
    'user-file': { placeholder: 'path', description: 'File with the new user text' },
    reason: { placeholder: 'text', description: 'Why, for the reviewers of the lock' },
    ...reviewOptions,
    ...codeOptions,
  },
  examples: [
    ['prompts edit support-triage', 'write the text in your editor'],
    ['prompts edit support-triage --system-file triage.md --yes', 'take the text of a file'],
    ['prompts release support-triage', 'let the next pull bring the text of the service back'],
  ],
  async run(invocation) {
    const { project, values, positionals } = invocation
    const { 'system-file': system, 'user-file': user, reason } = values
    const [slug = ''] = positionals
    const where = displayPath(project.lock.path, invocation)
    const pinned = findKnownPrompt(slug, (await project.readLock()).prompts, where)
    const texts =
      system === undefined && user === undefined
        ? await editTexts(pinned, invocation)
        : await readTexts(pinned, { system, user }, invocation)
    const draft = await prepareTexts(project, { slug, texts, reason })
    return writeReviewed(invocation, [{ project, draft }], slug)
  },
})

/** The texts of the files that were named, and the pinned text in place of the other. */
async function readTexts(
  { system, user }: EditableTexts,
  files: Readonly<Record<keyof EditableTexts, string | undefined>>,
  { cwd }: Pick<CommandContext, 'cwd'>,
): Promise<EditableTexts> {
  const read = async (file: string | undefined, pinned: string): Promise<string> => {
    if (file === undefined) return pinned
    const text = await readText(resolve(cwd, file))
    if (text === undefined) throw usageError(`There is no such file: ${file}.`, 'edit')
    return withoutLineEnd(text)
  }
  return { system: await read(files.system, system), user: await read(files.user, user) }
}

/** Lets the user edit the texts, one file each, of which an empty user text has none. */
async function editTexts(
  { system, user }: EditableTexts,
  context: CommandContext,
): Promise<EditableTexts> {
  const folder = await mkdtemp(join(tmpdir(), 'prompts-'))
  try {
    const files = { system: 'system.md', user: user === '' ? undefined : 'user.md' }
    await writeFile(join(folder, files.system), `${system}\n`)
    if (files.user !== undefined) await writeFile(join(folder, files.user), `${user}\n`)
    await openEditor(
      Object.values(files).filter((file) => file !== undefined),
      folder,
      context,
    )
    return await readTexts({ system, user }, files, { cwd: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The line end that editors put at the end of a file is no part of the text. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
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
