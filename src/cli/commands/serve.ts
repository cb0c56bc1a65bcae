import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { originOf } from '../../config/base-url.ts'
import { type EnvSource, readEnvFile, readEnvironment } from '../../config/env-files.ts'
import { defaultMode } from '../../config/options.ts'
import type { Environment } from '../../core/prompt.ts'
import { isWorkspaceName } from '../../core/workspace-name.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { PromptsError, usageError } from '../../errors/prompts-error.ts'
import { applySetup } from '../../features/init/init.ts'
import { readProjectFiles } from '../../features/init/project-files.ts'
import { planEnv, planIgnore } from '../../features/init/text-files.ts'
import { readText } from '../../fs/files.ts'
import { writeText } from '../../fs/write-file.ts'
import { createLockStore, readRequiredLock } from '../../fs/lock-store.ts'
import { LOCAL_KEYS } from '../../local-service/respond.ts'
import { DEFAULT_PORT, startServer } from '../../local-service/serve.ts'
import {
  DEFAULT_FILE,
  EXAMPLE_WORKSPACE,
  parseWorkspace,
  type Workspace,
  workspaceFromLock,
} from '../../local-service/workspace.ts'
import { displayPath, resolveRoot } from '../project/project-command.ts'
import {
  type Command,
  defineCommand,
  type Invocation,
  portOf,
  portOption,
  untilInterrupted,
} from '../shell/command.ts'
import type { Terminal } from '../shell/terminal.ts'
import { printError } from '../view/report-error.ts'

const options = {
  example: { description: 'Write an example workspace file, if there is none, and serve it' },
  'write-env': {
    description: 'Write URL and key to .env.local, which git ignores, so pulls use this service',
  },
  lock: { placeholder: 'path', description: 'Serve the prompts of a lock instead' },
  port: portOption(DEFAULT_PORT),
  latency: {
    placeholder: 'ms',
    range: [0, 600_000],
    description: 'Delay each answer by this many milliseconds (default: 0)',
  },
  verbose: { description: 'Print every request with its status' },
} as const

/** `prompts serve --json`: one line when the service listens. */
export interface ServeJson {
  /** The base URL, without a trailing slash. */
  readonly url: string
  readonly keys: Readonly<Record<Environment, string>>
}

/** `prompts serve`. */
export const serve: Command = defineCommand({
  argument: {
    placeholder: '[workspace]',
    description: `Workspace file, in YAML (default: ${DEFAULT_FILE})`,
    maxCount: 1,
  },
  details: [
    'Answers the two requests of the hosted service, on this machine only, until Ctrl-C. It reads the file again when it changes.',
  ],
  options,
  conflicts: [['lock', 'example']],
  examples: [
    ['prompts serve --example --write-env', 'start without an account'],
    ['prompts serve', `serve ${DEFAULT_FILE} on port ${DEFAULT_PORT}`],
    ['prompts serve prompts.yaml --latency 200', 'simulate a network'],
    ['prompts serve --lock prompts.lock.json --port 0', 'serve the pinned prompts'],
  ],
  async run(invocation) {
    const { terminal, values, env } = invocation
    const { messages } = terminal
    const root = await resolveRoot(invocation)
    const path = await findServedFile(invocation, root)
    if (values['write-env'])
      assertOwnEnv(await readEnvironment([root], defaultMode(env), env), 'serve')
    const [port, attempts] = portOf(values.port, DEFAULT_PORT)
    const server = await startServer({
      watchPath: path,
      readWorkspace: () => readWorkspace(path, root, invocation),
      port,
      attempts,
      latency: values.latency ?? 0,
      onRequest({ method, path: target, status }) {
        const label = messages.style(status < 400 ? 'green' : 'red', String(status))
        if (values.verbose) messages.line(`${label} ${sanitize(`${method} ${target}`)}`)
      },
      onReload({ prompts: { size } }) {
        messages.line(`${messages.style('green', '↻')} Reloaded: ${pluralize(size, 'prompt')}.`)
      },
      onError: (error) => printError(error, terminal),
    })
    try {
      const names = values['write-env'] ? await writeEnv(root, server.url) : []
      terminal.jsonLine({ url: server.url, keys: LOCAL_KEYS } satisfies ServeJson)
      messages.line(`Serving ${path}`, '')
      printVariables(server.url, terminal)
      for (const name of names) messages.line(`Wrote ${name}.`)
      const other = await otherLocalAddress(root, server.url)
      if (other !== undefined)
        messages.line(
          messages.mark('warning', `.env.local names another local service: ${other}.`),
          `  ${messages.fix('To pull from this one, pass `--write-env`.')}`,
        )
      return await untilInterrupted(invocation)
    } finally {
      await server.close()
    }
  },
})

type ServeInvocation = Invocation<typeof options>

/** The path of the lock or the workspace file, which `--example` creates. */
async function findServedFile(
  { cwd, values, positionals: [file] }: ServeInvocation,
  root: string,
): Promise<string> {
  const base = values.root === undefined ? cwd : root
  if (values.lock !== undefined) {
    if (file === undefined) return resolve(base, values.lock)
    throw usageError('A workspace file and --lock cannot be combined.', 'serve')
  }
  const path = file === undefined ? resolve(root, DEFAULT_FILE) : resolve(base, file)
  if ((await stat(path).catch(() => undefined)) !== undefined) return path
  if (values.example) await writeText(path, EXAMPLE_WORKSPACE, root)
  else if (file === undefined) {
    const ways = 'Pass --example to create one, a workspace file, or --lock.'
    throw usageError(`${DEFAULT_FILE} not found. ${ways}`, 'serve')
  }
  return path
}

async function readWorkspace(
  path: string,
  root: string,
  { cwd, values }: ServeInvocation,
): Promise<Workspace> {
  if (values.lock !== undefined) {
    const [name = ''] = basename(path).split('.')
    const store = createLockStore(path, root, isWorkspaceName(name) ? name : undefined)
    return workspaceFromLock(await readRequiredLock(store))
  }
  const text = await readText(path)
  if (text !== undefined) return parseWorkspace(text, displayPath(path, { cwd }))
  throw new PromptsError('FILE_UNREADABLE', { path, reason: 'the file does not exist' })
}

function printVariables(url: string, { stdout, messages }: Terminal): void {
  const rows = [
    ['  PROMPTS_BASE_URL', stdout.style('cyan', url), ''],
    ['  PROMPTS_API_KEY', stdout.style('cyan', LOCAL_KEYS.live), stdout.dim('live versions')],
    [
      '  PROMPTS_TEST_API_KEY',
      stdout.style('cyan', LOCAL_KEYS.test),
      stdout.dim('staging versions'),
    ],
  ]
  stdout.rows(rows)
  messages.line('', messages.dim('The file is read again when it changes. Press Ctrl-C to stop.'))
}

/**
 * Checks that `.env.local` has no key of another service, which could not be restored, and that no env file overrides
 * what is written into it.
 *
 * @param sources - as a pull reads them
 * @throws PromptsError USAGE
 */
export function assertOwnEnv([, ...files]: readonly EnvSource[], command: string): void {
  for (const { name, values } of files.filter((file) => file.name !== '.env')) {
    const keys = [values['PROMPTS_API_KEY'], values['PROMPTS_TEST_API_KEY']]
    const url = values['PROMPTS_BASE_URL']
    const isWritten = name === '.env.local' && LOCAL.test(originOf(url) ?? '')
    const isOwn = (key = ''): boolean => ['', LOCAL_KEYS.live, LOCAL_KEYS.test].includes(key)
    if ((url && !isWritten) || !keys.every(isOwn))
      throw usageError(`${name} has a URL or key of another service. Remove it first.`, command)
  }
}

/** The address of a service on this machine that `.env.local` names, if it is not this one. */
async function otherLocalAddress(root: string, url: string): Promise<string | undefined> {
  const env = (await readEnvFile(join(root, '.env.local'))) ?? {}
  const origin = originOf(env['PROMPTS_BASE_URL']) ?? ''
  const port = LOCAL.exec(origin)?.[1]
  return port === undefined || port === new URL(url).port ? undefined : origin
}

const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1):(\d+)$/

/**
 * Writes the address and the live key of the local service to `.env.local`, and first makes sure that
 * git ignores the file.
 *
 * @returns the names of the written files
 * @throws PromptsError FILE_UNREADABLE, FILE_UNWRITABLE
 */
async function writeEnv(root: string, baseUrl: string): Promise<string[]> {
  const access = { PROMPTS_BASE_URL: baseUrl, PROMPTS_API_KEY: LOCAL_KEYS.live }
  const project = await readProjectFiles(root)
  // The key comes after the file that ignores it.
  const parts = [await planIgnore(project), await planEnv(project, access)]
  const changes = parts.flatMap(({ change }) => change ?? [])
  await applySetup(root, changes)
  return changes.map(({ name }) => name)
}
