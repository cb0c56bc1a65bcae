import { join } from 'node:path'
import { findProjectFolder } from '../../../config/project-folder.ts'
import { locateEntries } from '../../../core/lock/lock-lines.ts'
import { DEFAULT_WORKSPACE, isWorkspaceName } from '../../../core/workspace-name.ts'
import { catalogue } from '../../../errors/catalogue.ts'
import { readText } from '../../../fs/files.ts'
import { firstPositional, placeholderOf } from '../../args/arguments.ts'
import type { CommandContext, NamedCommand } from '../../args/command.ts'
import { globalOptions, type OptionTable, projectOptions } from '../../args/options.ts'
import { SHELLS } from './scripts.ts'

/** What a word can be completed to. */
export interface Candidate {
  readonly value: string
  /** One line; empty if the value needs no description. */
  readonly description: string
}

/**
 * The candidates for the last of these words, based on the words before it.
 *
 * @param words - of a command line, without the program; the last one is being typed, often empty
 */
export async function findCandidates(
  words: readonly string[],
  context: Pick<CommandContext, 'commands' | 'cwd'>,
): Promise<Candidate[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const candidates = await candidatesAfter(before, typed, context)
  return candidates.filter(({ value }) => value.startsWith(typed) && isPlainWord(value))
}

/** A shell takes other characters for syntax, and a slug may have any. */
function isPlainWord(value: string): boolean {
  return /^[\w./@+-]+$/.test(value)
}

async function candidatesAfter(
  before: readonly string[],
  typed: string,
  context: Pick<CommandContext, 'commands' | 'cwd'>,
): Promise<Candidate[]> {
  const at = firstPositional(before, { ...globalOptions, ...projectOptions })
  const name = at === undefined ? undefined : before[at]
  const registered = context.commands.find((each) => [each.name, each.alias].includes(name ?? ''))
  if (name !== undefined && name !== 'help' && registered === undefined) return []
  const command = await registered?.load()
  const options = command?.options ?? globalOptions
  const values = valuesOf(before.at(-1) ?? '', options)
  if (values !== undefined) return values.map((value) => ({ value, description: '' }))
  if (typed.startsWith('-'))
    return Object.entries(options).map(([option, { description }]) => ({
      value: `--${option}`,
      description,
    }))
  if (command === undefined) {
    return context.commands.map(({ name: value, summary }) => ({ value, description: summary }))
  }
  return argumentCandidates(command, before, context)
}

/** The values of an option that is waiting for one; `undefined` if none is. */
function valuesOf(word: string, options: OptionTable): readonly string[] | undefined {
  const spec = word.startsWith('--') ? options[word.slice(2)] : undefined
  if (spec === undefined || placeholderOf(spec) === '') return undefined
  return spec.choices ?? []
}

async function argumentCandidates(
  { name, argument }: NamedCommand,
  before: readonly string[],
  { cwd }: Pick<CommandContext, 'cwd'>,
): Promise<Candidate[]> {
  const toCandidate = (value: string): Candidate => ({ value, description: '' })
  if (name === 'completion') return SHELLS.map(toCandidate)
  if (name === 'explain') return Object.keys(catalogue).map(toCandidate)
  if (!/slug|glob/.test(argument?.placeholder ?? '')) return []
  const at = before.indexOf('--name')
  const slugs = await lockedSlugs(cwd, at === -1 ? DEFAULT_WORKSPACE : before[at + 1])
  return slugs.filter((slug) => !before.includes(slug)).map(toCandidate)
}

/** The slugs of the lock at its default path: loading a configuration would take too long here. */
async function lockedSlugs(cwd: string, given: string | undefined): Promise<string[]> {
  const name = isWorkspaceName(given) ? given : DEFAULT_WORKSPACE
  const root = await findProjectFolder(cwd, name)
  const live = await readText(join(root, `${name}.lock.json`))
  const text = live ?? (await readText(join(root, `${name}.test.lock.json`))) ?? ''
  return [...locateEntries(text).keys()]
}
