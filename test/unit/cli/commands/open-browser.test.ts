import { expect, test } from 'vitest'
import { browserCommand } from '../../../../src/cli/commands/ui.ts'

test.each([
  { platform: 'darwin', env: {}, want: ['open'] },
  { platform: 'linux', env: { DISPLAY: ':0' }, want: ['xdg-open'] },
  { platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' }, want: ['xdg-open'] },
  { platform: 'win32', env: {}, want: ['rundll32.exe', 'url.dll,FileProtocolHandler'] },
  {
    platform: 'linux',
    env: { WSL_DISTRO_NAME: 'Ubuntu' },
    want: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
  },
  { platform: 'linux', env: {}, want: undefined },
  { platform: 'darwin', env: { BROWSER: 'none' }, want: undefined },
  { platform: 'darwin', env: { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, want: undefined },
] as const)('the browser of $platform with $env opens by $want', ({ platform, env, want }) => {
  expect(browserCommand(platform, env)).toEqual(want)
})
