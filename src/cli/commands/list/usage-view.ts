import { formatCount, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import type { UsageReport } from '../../../features/usage/usage.ts'
import { formatPlace } from '../../output/change-view.ts'
import { printRows } from '../../output/table.ts'
import type { Channel } from '../../output/channel.ts'
import type { Terminal } from '../../output/terminal.ts'

/** Prints the uses of each prompt, the unused prompts, and those in client code. */
export function printUsage(report: UsageReport, { stdout, messages }: Terminal): void {
  for (const { slug, sites } of report.prompts.filter((prompt) => prompt.sites.length > 0)) {
    stdout.line(stdout.style('bold', sanitize(slug)))
    const rows = sites.map((site) => [`  ${formatPlace(site)}`, stdout.dim(site.kind)])
    printRows(rows, stdout)
  }
  printUnused(report, stdout)
  printEscapes(report, stdout)
  printClient(report, stdout)
  const { unused, total } = report.reads
  const used = total - unused
  const verb = used === 1 ? 'is' : 'are'
  messages.line(
    '',
    messages.dim(`${formatCount(used)} of ${pluralize(total, 'prompt')} ${verb} used`),
  )
}

function printUnused({ unused, reads }: UsageReport, channel: Channel): void {
  if (unused.length === 0) return
  channel.line()
  const cost = `${formatCount(reads.unused)} of ${formatCount(reads.total)} reads per pull`
  channel.line(
    channel.mark(
      'warning',
      `${pluralize(unused.length, 'unused prompt')}. The option \`exclude\` saves ${cost}:`,
    ),
  )
  for (const slug of unused) channel.line(`  ${sanitize(slug)}`)
}

function printEscapes({ escapes }: UsageReport, channel: Channel): void {
  if (escapes.length === 0) return
  channel.line(
    '',
    channel.mark('warning', 'These places pass all prompts on, so any prompt may be used there:'),
  )
  for (const place of escapes) channel.line(`  ${formatPlace(place)}`)
}

function printClient({ client }: UsageReport, channel: Channel): void {
  if (client.length === 0) return
  channel.line('', channel.mark('warning', 'These are in client code, so users can read them:'))
  const rows = client.map((site) => [
    `  ${sanitize(site.slug)}`,
    formatPlace(site),
    channel.dim((site.client ?? []).map(sanitize).join(' → ')),
  ])
  printRows(rows, channel)
}
