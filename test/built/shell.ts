import { type ExecException, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { variables } from '../helpers/binary.ts'

/** Variables of git for who commits in a shell. */
export const AUTHOR: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

const execute = promisify(execFile)

/** `npx` finds what is installed and asks no registry; what is installed is not installed again. */
export async function runLines(
  lines: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const script = lines.filter((line) => line !== 'npm ci').join('\n')
  const args = ['-eo', 'pipefail', '-c', script.replaceAll(/\bnpx /g, '')]
  const isolated = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', NO_COLOR: '1' }
  const options = { cwd, env: variables({ ...isolated, ...env }) }
  const { stdout } = await execute('bash', args, options).catch((error: Failed) => {
    // Git reports on stdout, which the message does not contain.
    error.message += `${error.stdout}Exit code ${error.code}, signal ${error.signal}`
    throw error
  })
  return stdout
}

type Failed = ExecException & { readonly stdout: string }
