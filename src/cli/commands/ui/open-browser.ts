import { spawn } from 'node:child_process'

/** Variables of the process. */
type Variables = Readonly<Record<string, string | undefined>>

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
  env: Variables,
): readonly [command: string, ...args: string[]] | undefined {
  if (env['BROWSER'] === 'none' || isSet(env['SSH_CONNECTION'])) return undefined
  if (platform === 'darwin') return ['open']
  // Windows programs can be called from WSL, which has no browser of its own.
  const windows = ['rundll32.exe', 'url.dll,FileProtocolHandler'] as const
  if (platform === 'win32' || isSet(env['WSL_DISTRO_NAME'])) return windows
  const hasDisplay = isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY'])
  return hasDisplay ? ['xdg-open'] : undefined
}

/** Opens an address in the default browser, if there is one. A failure is silent. */
export function openBrowser(url: string, env: Variables): void {
  const found = browserCommand(process.platform, env)
  if (found === undefined) return
  const [command, ...args] = found
  const child = spawn(command, [...args, url], { env, stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
