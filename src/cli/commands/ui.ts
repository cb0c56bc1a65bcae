import { spawn } from 'node:child_process'
import { listFiles } from '../../fs/git.ts'
import { fingerprintFiles, watchFiles } from '../../fs/watch.ts'
import { PAGE_PATH } from '../../page/addresses.ts'
import { servePage } from '../../page/server/page.ts'
import { defineProjectCommand } from '../project/project-command.ts'
import {
  type Command,
  type CommandContext,
  portOf,
  portOption,
  untilInterrupted,
} from '../shell/command.ts'

const DEFAULT_PORT = 4401

/** How often the code is looked at, in milliseconds. */
const CODE_INTERVAL = 60_000

/** `prompts ui --json`: one line when the server listens. */
export interface UiJson {
  /** URL of the page, with a trailing slash. */
  readonly url: string
}

/** `prompts ui`. */
export const ui: Command = defineProjectCommand({
  details: [
    `The page that ${PAGE_PATH}/ of a Vite dev server opens, from the lock alone, on this machine only, until Ctrl-C. It writes what you decide there, unless the option page is 'read'.`,
    'On a terminal it opens the browser, except over SSH or with BROWSER=none.',
    'With a key it also shows updates in the service.',
  ],
  options: {
    port: portOption(DEFAULT_PORT),
    'no-open': { description: 'Do not open the browser' },
  },
  examples: [['prompts ui', `serve the page on port ${DEFAULT_PORT}, and open it`]],
  async run(invocation) {
    const { project, terminal, env, values } = invocation
    const { stdout, messages } = terminal
    const server = await servePage({ project }, ...portOf(values.port, DEFAULT_PORT))
    if (terminal.interactive !== undefined && !values['no-open']) openBrowser(server.url, env)
    terminal.jsonLine({ url: server.url } satisfies UiJson)
    stdout.line(stdout.style('cyan', server.url))
    messages.line(messages.dim('The page follows the lock. Press Ctrl-C to stop.'))
    const paths = [project.lock.path]
    const watcher = watchFiles({ paths, onChange: async () => server.lockChanged() })
    let code = fingerprintCode(project.options.root)
    const timer = setInterval(() => {
      const former = code
      code = fingerprintCode(project.options.root)
      void Promise.all([former, code]).then(([one, other]) => one !== other && server.codeChanged())
    }, CODE_INTERVAL)
    return untilInterrupted(invocation).finally(() => {
      clearInterval(timer)
      return Promise.all([watcher.close(), server.close()])
    })
  },
})

/** Returns a text that changes with the files of the app. Without git, no files are known. */
async function fingerprintCode(root: string): Promise<string> {
  return fingerprintFiles(...((await listFiles(root)) ?? []))
}

/** Opens an address in the default browser, if there is one. A failure is silent. */
function openBrowser(url: string, env: CommandContext['env']): void {
  const [command, ...args] = browserCommand(process.platform, env) ?? []
  if (command === undefined) return
  const child = spawn(command, [...args, url], { env, stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

/**
 * The command that opens an address in the default browser.
 *
 * Own code, since the package `open` has six dependencies of its own (11.0.4) for these lines: an address of
 * this machine needs no quoting, no choice of a browser and no waiting.
 *
 * @returns `undefined` if there is no browser to expect: over SSH, on Linux without a display, or with
 *   `BROWSER=none`
 */
export function browserCommand(
  platform: NodeJS.Platform,
  env: CommandContext['env'],
): readonly [command: string, ...args: string[]] | undefined {
  if (env['BROWSER'] === 'none' || env['SSH_CONNECTION']) return undefined
  if (platform === 'darwin') return ['open']
  // Windows programs can be called from WSL, which has no browser of its own.
  const windows = ['rundll32.exe', 'url.dll,FileProtocolHandler'] as const
  if (platform === 'win32' || env['WSL_DISTRO_NAME']) return windows
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
}
