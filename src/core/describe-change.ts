/**
 * The words for changes, the same in every command, report and view. Text of the service in them is
 * passed to `show`, which escapes it for its place.
 */
import type { ChangeEffect, LostPrefix } from './classify-change.ts'
import type { ChangeClass, ChangeRow } from './change-row.ts'
import type { Certainty, ImpactFinding } from './impact.ts'
import type { KeptPart } from './next-lock.ts'
import { formatCount, pluralize, truncateList } from './text/pluralize.ts'
import { makeVisible } from './text/sanitize.ts'

type Show = (text: string) => string

/** More effects are only counted, since a prompt may have thousands of variables. */
const MAX_EFFECTS = 10

/** What a change does, and what is said beside it: `+tone, -name, system text; used in src/main.ts`. */
export function describeEffects(row: ChangeRow, show: Show): string {
  const phrases = row.effects.flatMap((effect) => describeEffect(effect, row, show))
  const none = row.kind === 'added' ? 'no variables' : 'same text'
  const effects = phrases.length === 0 ? none : truncateList(phrases, MAX_EFFECTS).join(', ')
  return [effects, ...describeRemarks(row, show)].join('; ')
}

/** More warnings of one prompt are only counted. */
const MAX_WARNINGS = 3

function describeRemarks({ note, warnings, files }: ChangeRow, show: Show): string[] {
  const [file, ...others] = files ?? []
  const more = others.length === 0 ? '' : `, ${formatCount(others.length)} more`
  return [
    ...truncateList(warnings.map(show), MAX_WARNINGS),
    ...(note === null ? [] : [`“${show(note)}”`]),
    ...(file === undefined ? [] : [`used in ${show(file)}${more}`]),
  ]
}

function describeEffect(
  effect: ChangeEffect,
  { version }: ChangeRow,
  show: Show,
): string | string[] {
  switch (effect.kind) {
    case 'prompt-added':
      return effect.variables.map((name) => `+${show(name)}`)
    case 'prompt-removed':
      return 'removed'
    case 'variable-added':
      return `+${show(effect.name)}`
    case 'variable-removed':
      return `-${show(effect.name)}`
    case 'variable-renamed':
      return `${show(effect.from)} → ${show(effect.to)} (renamed?)`
    case 'roles':
      return `roles ${listOf(effect.before)} → ${listOf(effect.after)}`
    case 'setting': {
      const [before, after] = [effect.before, effect.after].map((value) =>
        value === '' || value === null ? '(none)' : show(makeVisible(String(value))),
      )
      return `${effect.field} ${before} → ${after}`
    }
    case 'text': {
      const isRelabelled = version.before !== version.after
      const texts = effect.fields[0] === 'source' ? 'whole' : listOf(effect.fields)
      return `${texts} text ${isRelabelled ? 'changed' : 'rewritten under the same label'}`
    }
    case 'cacheable-prefix':
      return describeLostPrefix(effect, show)
    case 'staging-ended':
      return effect.isPublished
        ? 'published'
        : `no longer staged: previews show ${show(version.after ?? '')}`
    case 'unread':
      return 'text not fetched'
  }
}

function describeLostPrefix({ before, after, variable }: LostPrefix, show: Show): string {
  const lengths = `cacheable prefix ${formatCount(before)} → ${pluralize(after, 'character')}`
  if (variable === null) return lengths
  const { name, isNew, field, line } = variable
  const place = `line ${formatCount(line)}${field === 'user' ? ' of the user text' : ''}`
  return `${lengths}: ${show(`{{ ${name} }}`)} ${isNew ? 'is new in' : 'moved to'} ${place}`
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? '(none)' : names.join(' and ')
}

/** The version labels: `v22 → v23`, `v22 → gone`, or one label if they are the same. */
export function describeVersion(
  { version: { before, after } }: Pick<ChangeRow, 'version'>,
  show: Show,
): string {
  const label = (text: string): string => show(makeVisible(text))
  if (before === null || before === after) return label(after ?? '')
  return `${label(before)} → ${after === null ? 'gone' : label(after)}`
}

/** `v22 → v23`, `v23` if nothing is pinned, or `v22 → gone`. */
export function describeKeptVersion({ version, listed }: KeptPart, show: Show): string {
  return describeVersion({ version: { before: version, after: listed } }, show)
}

/** Why a part stays although the list has another version. */
export function describeKept({ reason, environment, refused = '' }: KeptPart, show: Show): string {
  return {
    unread: `not fetched: needs a ${environment} key`,
    dropped: `dropped: both sides of the merge changed it, and only a ${environment} key reads it`,
    refused: `does not fit: ${show(refused)}`,
  }[reason]
}

const CLASSES = ['breaking', 'contract', 'text', 'settings', 'added', 'unread'] as const

/** How many rows each class has: `1 breaking`, `3 text`. */
export function countRows(rows: readonly ChangeRow[]): string[] {
  return CLASSES.flatMap((name) => {
    const count = rows.filter((row) => row.class === name).length
    return count === 0 ? [] : [`${formatCount(count)} ${name === 'unread' ? 'not fetched' : name}`]
  })
}

/** What is said of rows that are not shown: `… and 34 changes that only touch texts`. */
export function describeHidden(hidden: readonly ChangeRow[]): string | undefined {
  const count = (name: ChangeClass): number => hidden.filter((row) => row.class === name).length
  const [texts, added, unread] = [count('text'), count('added'), count('unread')]
  const parts = [
    texts > 0 &&
      `${pluralize(texts, 'change')} that only ${texts === 1 ? 'touches' : 'touch'} texts`,
    added > 0 && `${formatCount(added)} more added`,
    unread > 0 && `${formatCount(unread)} more not fetched`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : `… and ${parts.join(', ')}`
}

/** What a type check of the app has proven, and of how many files nothing is proven. */
export function describeImpact({ findings, files }: Judgement): string {
  const { lines, notChecked } = countFindings(findings)
  const rest = notChecked && `; ${notChecked}`
  if (lines > 0) return describeLines(lines) + rest
  return rest
    ? `no checked line stops compiling${rest}`
    : `no line stops compiling (${pluralize(files, 'file')} checked)`
}

/** How many lines stop compiling, and the files that were not checked in words; empty for none. */
export function countFindings(findings: Judgement['findings']): {
  readonly lines: number
  readonly notChecked: string
} {
  const placesOf = (certainty: Certainty, isOfLines: boolean): number => {
    const places = findings.filter(({ kind }) => kind === certainty)
    return new Set(places.map(({ file, line }) => (isOfLines ? `${file}:${line}` : file))).size
  }
  const files = placesOf('not-checked', false)
  const were = `${pluralize(files, 'file')} ${files === 1 ? 'was' : 'were'} not checked`
  return { lines: placesOf('compile', true), notChecked: files > 0 ? were : '' }
}

/** `2 lines stop compiling` */
export function describeLines(lines: number): string {
  return `${pluralize(lines, 'line')} ${lines === 1 ? 'stops' : 'stop'} compiling`
}

interface Judgement {
  readonly findings: readonly Pick<ImpactFinding, 'kind' | 'file' | 'line'>[]
  /** The number of files that were checked. */
  readonly files: number
}
