import { sanitize } from '../../core/text/sanitize.ts'
import { partCommand } from '../../core/part-command.ts'
import { formatCommand } from '../../core/workspace-name.ts'
import { type History, readHistory } from '../../features/log/read-history.ts'
import { defineProjectCommand } from '../project/project-command.ts'
import type { Channel } from '../shell/terminal.ts'
import type { Command } from '../shell/command.ts'
import { printRows } from '../view/change-view.ts'

/** `prompts log --json`. */
export interface LogJson extends History {
  /** Path of the lock, absolute. */
  readonly lock: string
}

const LIMIT = 20

/** `prompts log`. */
export const log: Command = defineProjectCommand({
  argument: { placeholder: '[slug]', description: 'Only this prompt', maxCount: 1 },
  details: [
    'Reads the commits of the lock, also under its former names. Needs neither a network nor a key. What a commit broke in the app of that time is not shown.',
  ],
  options: {
    limit: {
      placeholder: 'count',
      range: [1, 10_000],
      description: `The highest number of commits to show (default: ${LIMIT})`,
    },
  },
  examples: [
    ['prompts log', 'the last changes of all prompts'],
    ['prompts log support-triage', 'the versions of one prompt'],
    ['prompts restore support-triage --from 3f9c2ab', 'bring one back'],
  ],
  async run({ project: { lock }, terminal: { json, stdout, messages }, values, positionals }) {
    const [slug] = positionals
    const limit = values.limit ?? LIMIT
    const { entries, end } = await readHistory(lock, { slug, limit })
    json({ lock: lock.path, entries, end } satisfies LogJson)
    printHistory(entries, stdout)
    const isStaging = entries.every(({ rows }) => rows?.every((row) => row.environment === 'test'))
    const part = slug !== undefined && ({ slug, environment: isStaging ? 'test' : 'live' } as const)
    const restore = part
      ? partCommand(lock.workspace, 'restore', [part], '--from <commit>')
      : `npx ${formatCommand(lock.workspace, 'restore <slug> --from <commit>')}`
    const hasEntries = entries.length > 0
    const advice = hasEntries
      ? `\`${restore}\` brings a prompt back as it was in a commit.`
      : `No commit has changed ${slug === undefined ? 'prompts' : 'it'}.`
    messages.line('', messages.dim(advice + ENDS[end]))
    return 0
  },
})

const ENDS: Readonly<Record<History['end'], string>> = {
  start: '',
  limit: ' Older commits were not read: --limit <count>.',
  shallow: ' This clone is shallow: `git fetch --unshallow` fetches older commits.',
}

/** Characters of a commit that are unique in a large repository, and of a date without its time. */
const SHORT = 10

function printHistory(entries: History['entries'], channel: Channel): void {
  for (const [index, { commit, date, author, subject, rows }] of entries.entries()) {
    if (index > 0) channel.line()
    const name = channel.style('yellow', commit.slice(0, SHORT))
    channel.line([name, date.slice(0, SHORT), ...[author, subject].map(sanitize)].join('  '))
    if (rows === null)
      channel.line(channel.mark('warning', 'The lock of this commit is not valid.'))
    else printRows(rows, channel)
  }
}
