/** The terminal's printer of changes, of what they break, and of held prompts, places and names. */
import { codeFrame, IMPACT_TEXTS, type ImpactFinding, type Place } from '../../core/impact.ts'
import { type ChangeClass, type ChangeRow, shortenRows } from '../../core/change-row.ts'
import {
  describeEffects,
  describeHidden,
  describeImpact,
  describeKept,
  describeKeptVersion,
  describeVersion,
} from '../../core/describe-change.ts'
import type { HeldPrompt } from '../../core/drift.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import { describePart, isEdited, type PartId } from '../../core/prompt.ts'
import { pluralize, truncateList } from '../../core/text/pluralize.ts'
import { makeVisible, sanitize } from '../../core/text/sanitize.ts'
import type { ImpactReport } from '../../judge/analyse-impact.ts'
import { type Breaks, reportOf } from '../../judge/impact.ts'
import type { Channel, Format } from '../shell/terminal.ts'
import { truncate } from '../shell/layout.ts'

/** Prints changes; of many, those that say most. */
export function printRows(rows: readonly ChangeRow[], channel: Channel): void {
  const { visible, hidden } = shortenRows(rows)
  channel.rows(channel.masked(visible).map((row) => changeCells(row, channel)))
  const more = describeHidden(hidden)
  if (more !== undefined) channel.line(channel.dim(more))
}

const SIGNS: Readonly<Record<ChangeRow['kind'], string>> = {
  added: '+',
  updated: '~',
  removed: '-',
}

const FORMATS: Readonly<Record<ChangeClass, Format>> = {
  breaking: 'red',
  contract: 'magenta',
  text: 'yellow',
  settings: 'yellow',
  unread: 'dim',
  added: 'green',
}

/** A change as cells: class, slug, version, effects. */
export function changeCells(row: ChangeRow, channel: Channel): string[] {
  return [
    channel.style(FORMATS[row.class], `${SIGNS[row.kind]} ${row.class}`),
    channel.style('bold', describePart(row, sanitize)),
    describeVersion(row, sanitize),
    describeEffects(row, displayName),
  ]
}

/** Prints the held prompts below other output, after an empty line; nothing for none. */
export function printHeldSection(held: readonly HeldPrompt[], channel: Channel): void {
  if (held.length === 0) return
  channel.line()
  printHeld(held, channel)
}

/** Prints the edited prompts that are not held, after an empty line; nothing for none. */
export function printUnheldEdits(
  prompts: readonly (PartId & { readonly version: string; readonly held?: unknown })[],
  channel: Channel,
): void {
  const unheld = prompts.filter((prompt) => isEdited(prompt) && (prompt.held ?? null) === null)
  const title = `${pluralize(unheld.length, 'prompt')} edited here, until the next pull:`
  const cells = unheld.map((part) => [describePart(part, sanitize), sanitize(part.version)])
  channel.section(title, cells)
}

/**
 * Prints the parts that stay although the list has another version, after an empty line; nothing for none.
 */
export function printKept(kept: readonly KeptPart[], channel: Channel): void {
  const others = kept.filter(({ reason }) => reason !== 'unread')
  const cells = others.map((part) => [
    describePart(part, sanitize),
    describeKeptVersion(part, sanitize),
    describeKept(part, sanitize),
  ])
  channel.section(`${pluralize(others.length, 'version')} of the list not pulled:`, cells)
  printUnread(kept, channel)
}

/** More are only counted: without a test key, these are all that is staged. */
const MAX_UNREAD = 3

/** Prints the parts that need another key, one line for each kind of key. */
function printUnread(kept: readonly KeptPart[], channel: Channel): void {
  for (const environment of ['live', 'test'] as const) {
    const unread = kept.filter(
      (part) => part.reason === 'unread' && part.environment === environment,
    )
    const names = unread.map(
      (part) => `${describePart(part, sanitize)} ${describeKeptVersion(part, sanitize)}`,
    )
    if (names.length === 0) continue
    const title = `${pluralize(names.length, 'version')} not fetched without a ${environment} key`
    channel.line('', `${title}: ${truncateList(names, MAX_UNREAD).join(', ')}`)
  }
}

/** Prints the held prompts with their reasons and pending updates. */
export function printHeld(held: readonly HeldPrompt[], channel: Channel): void {
  channel.line(
    `${pluralize(held.length, 'version')} held: pulls skip ${held.length === 1 ? 'it' : 'them'} until \`prompts unhold\`:`,
  )
  const rows = held.map((prompt) => [
    `  ${describePart(prompt, sanitize)}`,
    describeListed(prompt),
    channel.dim(sanitize(describeReason(prompt))),
  ])
  channel.rows(rows)
}

/** Why a prompt is held, and whether its text was edited here; not sanitized. */
export function describeReason({ version, reason }: Omit<HeldPrompt, 'update'>): string {
  const edited = isEdited({ version }) ? ['edited here'] : []
  return [...edited, ...(reason === '' ? [] : [reason])].join(': ')
}

/** `v22`, `v22 → v23`, `v22 → (model)`, or `v22 → gone`; sanitized. */
export function describeListed({
  version,
  update,
}: Pick<HeldPrompt, 'version' | 'update'>): string {
  if (!update) return sanitize(version)
  const fields = update.effects.flatMap((effect) => (effect.kind === 'setting' ? effect.field : []))
  const label = describeVersion(update, sanitize)
  if (fields.length === 0) return label
  const arrow = update.version.after === version ? ' →' : ''
  return `${label}${arrow} (${fields.join(', ')})`
}

/** What a type check has found, as JSON; `null` if the app could not be analysed. */
export function impactJson(breaks: Breaks): readonly ImpactFinding[] | null {
  return breaks.kind === 'unchecked' ? null : reportOf(breaks).findings
}

/** Prints what an update breaks, or why that is not known; nothing if it can't break anything. */
export function printBreaks(breaks: Breaks, channel: Channel): void {
  if (breaks.kind === 'checked') return printImpact(breaks.report, channel)
  if (breaks.kind === 'harmless') return
  channel.line(channel.mark('warning', IMPACT_TEXTS.failed(breaks.reason)))
}

/** More places are only counted. */
const PLACES_SHOWN = 50

/** Prints what a type check has proven, and the lines that stop compiling or were not checked. */
export function printImpact(report: ImpactReport, channel: Channel): void {
  const { findings, files, ignored } = channel.masked(report)
  const isBroken = findings.some(({ kind }) => kind === 'compile')
  if (findings.length === 0) {
    const line =
      files === 0
        ? channel.mark('warning', IMPACT_TEXTS.unused)
        : channel.mark('ok', describeImpact(report))
    channel.line('', line)
  } else {
    const rows = findings.map((finding) => [
      formatPlace(finding),
      channel.style('bold', sanitize(finding.slug ?? '')),
      displayReason(finding.reason),
    ])
    const title = channel.mark(isBroken ? 'error' : 'warning', `${describeImpact(report)}:`)
    channel.section(title, rows, PLACES_SHOWN, framesBelow(findings, channel))
  }
  if (!isBroken && ignored.length > 0)
    channel.line(channel.mark('warning', IMPACT_TEXTS.ignored(ignored)))
}

/** The code at each place, as far as the screen has room below an indented row. */
export function framesBelow(places: readonly Place[], channel: Channel): string[][] {
  return channel.masked(places).map((place) => codeFrame(place, channel.columns - '    '.length))
}

/** A position in the app for one line: `src/main.ts:3:7`. */
export function formatPlace({ file, line, column }: Place): string {
  return `${sanitize(file)}:${line}:${column}`
}

/** The number of files, or the name of the only one. */
export function describeFiles(files: readonly Pick<Place, 'file'>[]): string {
  const [first] = files
  return first !== undefined && files.length === 1
    ? sanitize(first.file)
    : pluralize(files.length, 'file')
}

/** Longer names and reasons are truncated. */
const NAME_WIDTH = 60
const REASON_WIDTH = 300

/** A slug or the name of a variable for one line, sanitized. */
export function displayName(name: string): string {
  return truncate(sanitize(name), NAME_WIDTH)
}

/** More variables are only counted. */
const MAX_NAMES = 10

/** Names of variables for one line, sanitized. */
export function displayNames(names: readonly string[]): string[] {
  return truncateList(names, MAX_NAMES).map(displayName)
}

/** Why something breaks, for one line, sanitized: it may contain very long names. */
export function displayReason(reason: string): string {
  return truncate(sanitize(reason), REASON_WIDTH)
}

/** A part of a prompt's text for one line, with hidden characters shown by name and tabs as spaces. */
export function displayText(text: string): string {
  return makeVisible(text).replaceAll('\t', '    ')
}

/** Prints a unified patch for reading, with hidden characters shown by name. */
export function printPatch(patch: string, channel: Channel): void {
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    channel.exactLine(paint(makeVisible(line), channel))
  }
}

const PATCH_FORMATS: Readonly<Record<string, Format>> = {
  '+': 'green',
  '-': 'red',
  '@': 'cyan',
  '\\': 'dim',
}

function paint(line: string, channel: Channel): string {
  if (/^(?:---|\+\+\+) /.test(line)) return channel.style('bold', line)
  const format = PATCH_FORMATS[line.charAt(0)]
  return format === undefined ? line : channel.style(format, line)
}
