import { describeVersion, formatPlace } from '../../output/describe-change.ts'
import { truncateList } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { SkippedChange } from '../../../features/pull/skipped-change.ts'
import { truncate } from '../../output/display-width.ts'
import { printRows } from '../../output/table.ts'
import type { Channel } from '../../output/channel.ts'

/** More places of one prompt than this are only counted. */
const MAX_PLACES = 3

/** Longer reasons are truncated, since they may contain very long names. */
const REASON_WIDTH = 300

/** Prints the updates that a pull leaves, after an empty line; nothing for none. */
export function printSkipped(skipped: readonly SkippedChange[], channel: Channel): void {
  if (skipped.length === 0) return
  channel.line('', channel.mark('warning', 'Left as pinned:'))
  const rows = skipped.map(({ change, reason, places }) => [
    `  ${channel.style('bold', sanitize(change.slug))}`,
    describeVersion(change),
    truncate(sanitize(reason), REASON_WIDTH),
    channel.dim(shownPlaces(places)),
  ])
  printRows(rows, channel)
}

function shownPlaces(places: SkippedChange['places']): string {
  return truncateList(places.map(formatPlace), MAX_PLACES).join(', ')
}
