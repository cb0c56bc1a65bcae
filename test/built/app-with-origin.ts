import { type ExecException, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { REPLY, TRIAGE } from '../helpers/breaking-update.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { variables } from '../helpers/binary.ts'
import { prompts } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { installedApp } from '../helpers/installed-app.ts'
import { type PromptGiven, testService, type TestService } from '../helpers/local-service.ts'
import { parsedLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { installCommands } from './installed-commands.ts'

const NEW_REPLY = { ...REPLY, version: 'v4', system: 'Hello {{ name }}' }
const NEW_TRIAGE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }

/** What the app has pinned. */
export const PINNED: readonly PromptGiven[] = [REPLY, TRIAGE]
/** One update, which breaks nothing in the app. */
export const SAFE: readonly PromptGiven[] = [NEW_REPLY, TRIAGE]
/** The same, and one that breaks the app. */
export const MIXED: readonly PromptGiven[] = [NEW_REPLY, NEW_TRIAGE]

/** Prints the attributes of a span as they are exported. */
const MAIN = `import { prompts, toSpanAttributes } from 'virtual:prompts'
import { printSpan } from './trace.js'

export const text = prompts.triage.render({ ticket: 'It beeps' })
printSpan(toSpanAttributes(prompts.reply))
`
/** In JavaScript: each pull would read the types of OpenTelemetry. */
const TRACE = `import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

export function printSpan(attributes) {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  provider.getTracer('app').startSpan('chat').setAttributes(attributes).end()
  console.log(JSON.stringify(exporter.getFinishedSpans()[0]?.attributes))
}
`

/** Variables of git for who commits in a shell. */
export const AUTHOR: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

/** A committed app with an origin, and the service that it pulled from. */
export interface AppWithOrigin {
  readonly root: string
  /** The bare repository. */
  readonly origin: string
  readonly service: TestService
  /** Runs lines as a CI job does; a failed line rejects with its exit code as `code`. */
  shell(lines: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
}

/** An app of two prompts, whose last commit is on `main` of a local bare repository. */
export async function appWithOrigin(): Promise<AppWithOrigin> {
  const service = await testService(PINNED)
  const root = await installedApp({
    packages: ['vite', '@opentelemetry/sdk-trace-base'],
    files: {
      '.gitignore': 'node_modules\ndist\n',
      'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
      'vite.config.js': `import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [prompts()] }\n`,
      'src/main.ts': MAIN,
      'src/trace.js': TRACE,
      'src/trace.d.ts': 'export declare function printSpan(attributes: object): void\n',
    },
  })
  const bin = await installCommands(root)
  await prompts(['pull'], { cwd: root, env: service.live })
  commitAll(root)
  const origin = await temporaryFolder()
  git(origin, 'init', '--quiet', '--bare', '--initial-branch', 'main')
  git(origin, 'config', 'receive.advertisePushOptions', 'true')
  git(root, 'remote', 'add', 'origin', origin)
  git(root, 'push', '--quiet', 'origin', 'main')
  service.forget()
  const path = `${bin}:${process.env['PATH']}`
  const shell: AppWithOrigin['shell'] = (lines, env = {}) =>
    runLines(lines, root, { PATH: path, ...env })
  return { root, origin, service, shell }
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

/** The prompts that a branch of the origin pins, as `slug@version`. */
export function pinnedOn(origin: string, branch: string): string[] {
  const lock = parsedLock(git(origin, 'show', `${branch}:prompts.lock.json`))
  return lock.parts.map(({ slug, version }) => `${slug}@${version}`)
}
