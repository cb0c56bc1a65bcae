import { formatCount } from '../../core/text/pluralize.ts'
import type { Progress } from '../../service/client.ts'
import { truncate } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** Shows the progress of reading the service. */
export interface ProgressView {
  readonly onProgress: (progress: Progress) => void
  /** Number of retried requests. */
  readonly retries: () => number
  /** Removes the bar. Call it before anything else is printed. */
  stop(): void
}

/** Milliseconds between two updates of the bar, or between two lines without a bar. */
const DRAW_INTERVAL = 50
const LINE_INTERVAL = 5000

/**
 * Shows the progress of a pull: a bar on a terminal, occasional lines elsewhere.
 *
 * The bar is drawn here and not by `@clack/prompts`, whose bar takes the terminal into raw mode and
 * ends the process with exit code 0 on Ctrl-C (1.9.0), which must be 130.
 */
export function startProgress(terminal: Terminal, label: string): ProgressView {
  const { messages, canDraw } = terminal
  const { read, retry, stop } = canDraw ? barView(terminal, label) : lineView(terminal)
  if (!canDraw) messages.line(messages.dim(label))
  let retries = 0
  return {
    onProgress(progress) {
      if (progress.kind === 'read') return read(progress)
      retries++
      const { attempt, attempts, wait, error } = progress
      const [why = ''] = error.why.split('\n')
      const seconds = (wait / 1000).toFixed(1)
      retry(`Attempt ${attempt + 1} of ${attempts} in ${seconds} s: ${why}`)
    },
    retries: () => retries,
    stop,
  }
}

type Reads = Pick<Extract<Progress, { kind: 'read' }>, 'done' | 'total'>

interface View extends Pick<ProgressView, 'stop'> {
  readonly read: (reads: Reads) => void
  /** Reports a retry. */
  readonly retry: (message: string) => void
}

const BAR_WIDTH = 24

function barView(terminal: Terminal, label: string): View {
  let drawn: number | undefined
  const draw = (progress: Reads): void => {
    drawn = performance.now()
    terminal.draw(barLine(progress, label, terminal))
  }
  draw({ done: 0, total: 0 })
  return {
    read(progress) {
      const due = drawn === undefined || performance.now() - drawn >= DRAW_INTERVAL
      if (due || progress.done === progress.total) draw(progress)
    },
    retry(message) {
      drawn = performance.now()
      const line = truncate(`↻ ${message}`, terminal.stderrWidth - 1)
      terminal.draw(terminal.messages.style('yellow', line))
    },
    stop() {
      if (drawn !== undefined) terminal.erase()
      drawn = undefined
    },
  }
}

function barLine(
  { done, total }: Reads,
  label: string,
  { messages, stderrWidth }: Terminal,
): string {
  if (total === 0) return messages.dim(truncate(`${label} …`, stderrWidth - 1))
  const count = `${formatCount(done)}/${formatCount(total)}`
  const space = stderrWidth - count.length - 4
  const width = Math.min(BAR_WIDTH, Math.max(0, space))
  const filled = Math.round((done / total) * width)
  const bar = messages.style('cyan', '━'.repeat(filled)) + messages.dim('━'.repeat(width - filled))
  return space > width ? `${bar} ${count}  ${truncate(label, space - width)}` : `${bar} ${count}`
}

function lineView({ messages }: Terminal): View {
  let printedAt = performance.now()
  return {
    read({ done, total }) {
      if (performance.now() - printedAt < LINE_INTERVAL) return
      printedAt = performance.now()
      messages.line(messages.dim(`${formatCount(done)} of ${formatCount(total)} prompts read`))
    },
    retry: (message) => messages.line(`${messages.style('yellow', '↻')} ${message}`),
    stop: () => undefined,
  }
}
