import { codeFrame } from '../../core/code-frame.ts'
import { describeImpact } from '../../core/describe-change.ts'
import { IMPACT_TEXTS, type ImpactFinding } from '../../core/impact.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import type { CheckedImpact } from '../../features/usage/impact.ts'
import type { Channel } from '../shell/channel.ts'
import { displayReason, formatPlace } from './change-view.ts'

/** What a type check has found; nothing without one. */
export function reportOf(impact: CheckedImpact): ImpactReport {
  return impact.kind === 'checked' ? impact.report : { findings: [], files: 0, used: [] }
}

/** The same as JSON; `null` if the app could not be analysed. */
export function impactJson(impact: CheckedImpact): readonly ImpactFinding[] | null {
  return impact.kind === 'unchecked' ? null : reportOf(impact).findings
}

/** Whether the update breaks nothing, as far as a type check shows or none is needed. */
export function isSafe(impact: CheckedImpact): boolean {
  return impactJson(impact)?.length === 0
}

/**
 * Prints what an update breaks, or why that is not known; nothing if it can't break anything.
 *
 * @param success - as for {@link printImpact}
 */
export function printCheckedImpact(
  impact: CheckedImpact,
  channel: Channel,
  success?: string,
): void {
  if (impact.kind === 'checked') return printImpact(impact.report, channel, success)
  if (impact.kind === 'harmless') return
  channel.line(channel.mark('warning', IMPACT_TEXTS.failed(impact.reason)))
}

/** More places are only counted. */
const PLACES_SHOWN = 50

/**
 * Prints the places that would stop working and the unproven uses, or that there is none, after an empty line.
 *
 * @param success - what is true of the files then
 */
export function printImpact(
  { findings, files }: ImpactReport,
  channel: Channel,
  success = 'Nothing breaks in',
): void {
  if (findings.length === 0) {
    if (files === 0) return channel.line('', channel.mark('warning', IMPACT_TEXTS.unused))
    return channel.line('', channel.mark('ok', `${success} ${pluralize(files, 'file')}.`))
  }
  const rows = findings.map((finding) => [
    formatPlace(finding),
    channel.style('bold', sanitize(finding.slug ?? '')),
    displayReason(finding.reason),
  ])
  const isProven = findings.some(({ kind }) => kind !== 'unproven')
  const title = channel.mark(isProven ? 'error' : 'warning', `${describeImpact(findings)}:`)
  channel.section(title, rows, PLACES_SHOWN, findings.map(codeFrame))
}
