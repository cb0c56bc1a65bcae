import { sanitize } from '../../../core/text/sanitize.ts'
import type { Place, UsageReport } from '../../../features/usage/usage.ts'
import { alignColumns } from '../../output/table.ts'
import type { Channel, Terminal } from '../../output/terminal.ts'

/** Prints who uses which prompt, what nobody uses, and what runs in browsers. */
export function printUsage(report: UsageReport, { data, words }: Terminal): void {
  for (const { slug, sites } of report.prompts.filter((prompt) => prompt.sites.length > 0)) {
    data.line(data.style('bold', sanitize(slug)))
    const rows = sites.map((site) => [`  ${placeOf(site)}`, data.style('dim', site.kind)])
    for (const row of alignColumns(rows)) data.line(row)
  }
  printUnused(report, data)
  printEscapes(report, data)
  printClient(report, data)
  const { unused, total } = report.reads
  words.line()
  words.line(words.style('dim', `${total - unused} of ${total} prompts are used`))
}

function printUnused({ unused, reads }: UsageReport, data: Channel): void {
  if (unused.length === 0) return
  data.line()
  const cost = `${reads.unused} of the ${reads.total} metered reads of a whole pull`
  data.line(
    `${data.style('yellow', '▲')} Nobody uses these, which spend ${cost}; \`exclude\` drops them:`,
  )
  for (const slug of unused) data.line(`  ${sanitize(slug)}`)
}

function printEscapes({ escapes }: UsageReport, data: Channel): void {
  if (escapes.length === 0) return
  data.line()
  data.line(
    `${data.style('yellow', '▲')} All prompts go on together here, so any may be used behind it:`,
  )
  for (const place of escapes) data.line(`  ${placeOf(place)}`)
}

function printClient({ client }: UsageReport, data: Channel): void {
  if (client.length === 0) return
  data.line()
  data.line(`${data.style('yellow', '▲')} These run in browsers, where everybody can read them:`)
  const rows = client.map((site) => [
    `  ${sanitize(site.slug)}`,
    placeOf(site),
    data.style('dim', (site.client ?? []).map(sanitize).join(' → ')),
  ])
  for (const row of alignColumns(rows)) data.line(row)
}

function placeOf({ file, line, column }: Place): string {
  return `${sanitize(file)}:${line}:${column}`
}
