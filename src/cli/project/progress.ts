import { formatCount } from '../../core/text/pluralize.ts'
import type { Progress } from '../../service/sender.ts'
import type { Channel, Terminal } from '../shell/terminal.ts'
import { truncate } from '../shell/layout.ts'

/** Milliseconds between two updates of the bar, or between two lines without a bar. */
const DRAW_INTERVAL = 50
const LINE_INTERVAL = 5000

/**
 * Shows the progress of work that reads the service: a bar on a terminal, occasional lines elsewhere.
 *
 * The bar is drawn here and not by `@clack/prompts`, whose bar takes the terminal into raw mode and
 * ends the process with exit code 0 on Ctrl-C (1.9.0), which must be 130.
 *
 * @param work - reports its progress, and may ask for the number of retried requests
 */
export function withProgress<Result>(
  terminal: Terminal,
  title: string,
  work: (view: { onProgress(progress: Progress): void; retries(): number }) => Promise<Result>,
): Promise<Result> {
  const { messages, canDraw } = terminal
  const label = messages.masked(title)
  // A longer line would wrap and could not be erased.
  const width = messages.columns - 1
  let retries = 0
  let shownAt = performance.now()
  if (canDraw) terminal.draw(messages.dim(truncate(`${label} …`, width)))
  else messages.line(messages.dim(label))
  const onProgress = (progress: Progress): void => {
    const elapsed = performance.now() - shownAt
    if (progress.kind === 'read') {
      const { done, total } = progress
      const isLast = canDraw && done === total
      if (elapsed < (canDraw ? DRAW_INTERVAL : LINE_INTERVAL) && !isLast) return
      const [read, all] = [formatCount(done), formatCount(total)]
      if (canDraw) terminal.draw(barLine(done / total, `${read}/${all}`, label, messages))
      else messages.line(messages.dim(`${read} of ${all} prompts fetched`))
    } else {
      retries++
      const message = messages.masked(describeRetry(progress))
      if (canDraw) terminal.draw(messages.style('yellow', truncate(`↻ ${message}`, width)))
      else messages.line(`${messages.style('yellow', '↻')} ${message}`)
    }
    shownAt = performance.now()
  }
  // Nothing else is printed before the bar is removed.
  return work({ onProgress, retries: () => retries }).finally(terminal.erase)
}

type Retry = Extract<Progress, { kind: 'retry' }>

function describeRetry({ attempt, attempts, wait, error }: Retry): string {
  const [why = ''] = error.why.split('\n')
  return `Attempt ${attempt + 1} of ${attempts} in ${(wait / 1000).toFixed(1)} s: ${why}`
}

const BAR_WIDTH = 24

function barLine(share: number, count: string, label: string, channel: Channel): string {
  const space = channel.columns - count.length - 4
  const width = Math.min(BAR_WIDTH, Math.max(0, space))
  const filled = Math.round(share * width)
  const rest = channel.dim('━'.repeat(width - filled))
  const bar = channel.style('cyan', '━'.repeat(filled)) + rest
  return space > width ? `${bar} ${count}  ${truncate(label, space - width)}` : `${bar} ${count}`
}
