import { promptVariables } from '../core/compare.ts'
import { type Digest, integrityOf } from '../core/lock/integrity.ts'
import { isIdentifier, PROTO } from '../core/names.ts'
import { escapeComment, escapeMarkdown } from './comment.ts'
import { literal } from './literal.ts'
import type { ModulePlan, PlannedPrompt } from './plan-module.ts'

/** How the members of `Prompts` are printed. */
export interface MembersStyle {
  readonly digest: Digest
  readonly indentation: string
}

/**
 * Prints the members of `Prompts`: one property per name of each prompt, in the order of the lock. The last
 * of a prompt ends with a hash over its members as printed and its entry in the lock. Does not use
 * ts-morph, so that a start can compare them with the file quickly.
 */
export function printMembers({ prompts }: ModulePlan, style: MembersStyle): string {
  return prompts.map((planned) => printPrompt(planned, style)).join('')
}

/**
 * Prints the declared exports of `virtual:prompts/all`: the names that every bundler can export and every
 * version of TypeScript can declare. TypeScript before 5.6 can only declare identifiers, and which
 * letters outside ASCII are allowed depends on its version.
 */
export function printDeclaredExports({ prompts }: ModulePlan, indentation = '    '): string {
  return prompts
    .flatMap(({ names }) => names)
    .filter((name) => /^[\w$]+$/.test(name) && isIdentifier(name) && name !== PROTO)
    .map((name) => `${indentation}export const ${name}: Prompts[${literal(name)}];\n`)
    .join('')
}

/** Every name is quoted. */
function printPrompt(planned: PlannedPrompt, { digest, indentation }: MembersStyle): string {
  const { slug, version } = planned.prompt
  const variables = promptVariables(planned.prompt).map(literal)
  const union = variables.length === 0 ? 'never' : variables.join(' | ')
  const type = `runtime.Prompt<${literal(slug)}, ${literal(version)}, ${union}>`
  const doc = printDoc(describePrompt(planned), indentation)
  const members = planned.names
    .map((name) => `${doc}${indentation}readonly ${literal(name)}: ${type};`)
    .join('\n')
  return `${members}${HASH_SEPARATOR}${hashMembers(members, planned, digest)}\n`
}

const OPENING = 'type Prompts = {\n'

/** Between members and their hash. */
const HASH_SEPARATOR = ' // '

/** 48 bits: enough to detect a change, and short. */
const HASH_LENGTH = 8

function hashMembers(members: string, { prompt }: PlannedPrompt, digest: Digest): string {
  const hash = digest(`${integrityOf(prompt, digest)} ${members}`)
  const start = hash.indexOf('-') + 1
  return hash
    .slice(start, start + HASH_LENGTH)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/**
 * Removes the members of a plan from declarations if they are as printed, which their hashes show.
 * Printing them for a comparison takes more than twice as long, 0.6 s for 10,000 prompts.
 *
 * @returns the rest; `undefined` if the members are not as printed
 */
export function removePrintedMembers(
  text: string,
  { prompts }: ModulePlan,
  digest: Digest,
): string | undefined {
  if (prompts.length === 0) return text
  const opening = text.indexOf(OPENING)
  if (opening === -1) return undefined
  const start = opening + OPENING.length
  // Doc comments contain remote text, but their lines begin with an asterisk.
  const property = `\n${text.slice(start, text.indexOf('/', start))}readonly `
  let end = start
  for (const planned of prompts) {
    const lineEnd = planned.names.reduce(
      (at) => text.indexOf('\n', text.indexOf(property, at) + 1),
      end,
    )
    const membersEnd = lineEnd - HASH_LENGTH - HASH_SEPARATOR.length
    const hash = hashMembers(text.slice(end, membersEnd), planned, digest)
    if (text.slice(membersEnd, lineEnd) !== HASH_SEPARATOR + hash) return undefined
    end = lineEnd + 1
  }
  return text.slice(0, start) + text.slice(end)
}

function printDoc(lines: readonly string[], indentation: string): string {
  const printed = lines.map((line) => `${indentation} * ${line}`.trimEnd())
  return [`${indentation}/**`, ...printed, `${indentation} */\n`].join('\n')
}

/** With the full text, type checking takes a quarter longer. */
const SHOWN_LINES = 3
const SHOWN_COLUMNS = 96

/** What an editor shows on hover: folder, model, version, and the beginning of the text. */
function describePrompt({ prompt }: PlannedPrompt): string[] {
  const { folder, model, version } = prompt
  const text = prompt.system === '' ? prompt.user : prompt.system
  const lines = cutText(text, 1000)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines
    .slice(0, SHOWN_LINES)
    .map((line) => escapeComment(cutText(line, SHOWN_COLUMNS)))
  const place = [folder, model, version].map(escapeMarkdown).filter((part) => part !== '')
  return [place.join(' · '), '', '```text', ...shown, '```']
}

/** Does not cut a surrogate pair: an unpaired surrogate can't be written, so the file would never match. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, '')
}
