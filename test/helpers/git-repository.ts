import { execFileSync } from 'node:child_process'

/**
 * Runs git in a folder, as an author of its own and without the user's configuration.
 *
 * @throws Error with what git printed, if it fails
 */
export function git(cwd: string, ...args: readonly string[]): string {
  const author = [
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    '-c',
    'commit.gpgSign=false',
  ]
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  return execFileSync('git', [...author, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' })
}

/** Makes a repository of a folder and commits all files. */
export function commitAll(cwd: string, message = 'commit'): void {
  git(cwd, 'init', '--quiet', '--initial-branch', 'main')
  git(cwd, 'add', '--all')
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', message)
}
