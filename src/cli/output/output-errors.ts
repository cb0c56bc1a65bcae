import type { Writable } from 'node:stream'
import { PromptsError } from '../../errors/prompts-error.ts'
import { errorCode } from '../../errors/error-code.ts'
import { describeSystemError } from '../../fs/file-error.ts'

/**
 * Calls `report` for the first stream that can't be written. A closed pipe, as with `head`, is not
 * an error.
 *
 * @param streams - by their name in the error
 */
export function watchOutput(
  streams: Readonly<Record<string, Writable>>,
  report: (error: PromptsError) => void,
): void {
  let isReported = false
  for (const [stream, writable] of Object.entries(streams)) {
    writable.on('error', (cause) => {
      if (isReported || errorCode(cause) === 'EPIPE') return
      isReported = true
      report(
        new PromptsError(
          'OUTPUT_UNWRITABLE',
          { stream, reason: describeSystemError(cause) },
          { cause },
        ),
      )
    })
  }
}
