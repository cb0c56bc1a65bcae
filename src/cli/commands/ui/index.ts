import { PAGE_PATH } from '../../../page/protocol.ts'
import { tokenHelp } from '../../../page/server/access.ts'
import { type PageServer, servePage } from '../../../page/server/standalone.ts'
import type { Command } from '../../args/command.ts'
import { portOf, portOption } from '../../args/options.ts'
import { untilInterrupted } from '../../interruption.ts'
import { defineProjectCommand } from '../../project-command.ts'
import type { Terminal } from '../../output/terminal.ts'
import { openBrowser } from './open-browser.ts'

const DEFAULT_PORT = 4401

/** `prompts ui --json`: one line when the server listens. */
export interface UiJson {
  /** URL of the page, with a trailing slash. */
  readonly url: string
}

/** `prompts ui`. */
export const ui: Command = defineProjectCommand({
  details: [
    `The page that a Vite dev server has at ${PAGE_PATH}/, from the lock alone, on this machine only, until Ctrl-C. It reads and never writes.`,
    'On a terminal it opens the browser, except over SSH or with BROWSER=none.',
    'With a key it also shows updates in the service. With a second key, in PROMPTS_TEST_API_KEY or PROMPTS_LIVE_API_KEY, it compares live with staging.',
  ],
  options: {
    port: portOption(DEFAULT_PORT),
    'no-open': { description: 'Do not open the browser' },
  },
  examples: [
    ['prompts ui', `serve the page on port ${DEFAULT_PORT}, and open it`],
    ['prompts ui --environment test', 'the prompts of the test lock'],
  ],
  async run(invocation) {
    const { project, terminal, env, values } = invocation
    const page = {
      project,
      onTokenMissing: (url: string) => terminal.messages.line(tokenHelp(url)),
    }
    const server = await servePage(page, ...portOf(values.port, DEFAULT_PORT))
    if (terminal.interactive !== undefined && !values['no-open']) openBrowser(server.url, env)
    printAddress(server, terminal)
    const exitCode = await untilInterrupted(invocation)
    await server.close()
    return exitCode
  },
})

function printAddress({ url }: PageServer, { stdout, messages, jsonLine }: Terminal): void {
  jsonLine({ url } satisfies UiJson)
  stdout.line(stdout.style('cyan', url))
  messages.line(messages.dim('The page follows the lock. Press Ctrl-C to stop.'))
}
